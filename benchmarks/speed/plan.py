"""What is measured, in the order of the table, with the budgets of the design (on a machine of two cores)."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks import assembler
from benchmarks.speed import server, texts
from benchmarks.speed.processes import alternate, measured_inside
from benchmarks.speed.table import Row

_COLD = {
    "f1k.ptx": "0.15 s",
    "f10k.ptx": "",
    "f100k.ptx": "0.7 s, 2 x ptxas",
    "f1M.ptx": "2.5 s, 1.2 x ptxas",
}
"""Budgets of a cold process, by file."""


class Plan(NamedTuple):
    """How much to measure: ``times`` samples of each process; with ``big`` also a million lines."""

    folder: Path
    ptxas: str | None
    times: int
    big: bool
    server: bool

    def file(self, name: str) -> Path:
        """A text of :mod:`benchmarks.speed.texts` as a file."""
        return texts.write(name, self.folder)


def rows(plan: Plan, tell: Callable[[str], None]) -> Iterator[Row]:
    """All rows; ``tell`` hears what comes next."""
    tell("cold processes")
    yield from _cold(plan)
    tell("checks in process, and Lark")
    yield from _in_process(plan)
    tell("edits")
    yield from _edits(plan)
    tell("pages and matches")
    yield from _pages(plan)
    if plan.server:
        tell("the server")
        for name in ("f1k.ptx", "f100k.ptx", *(["f1M.ptx"] if plan.big else [])):
            yield from server.rows(plan.file(name), few=not plan.big)


def _cold(plan: Plan) -> Iterator[Row]:
    """``ptx-lsp check`` of files of all sizes, in turns with ptxas; then the memory that both took."""
    memory: list[Row] = []
    for name, budget in _COLD.items():
        if name == "f1M.ptx" and not plan.big:
            continue
        file = plan.file(name)
        commands = [[sys.executable, "-m", "ptx_lsp", "check", str(file)]]
        if plan.ptxas:
            architecture = assembler.architecture(file.read_text(encoding="utf-8"), plan.ptxas)
            commands.append([plan.ptxas, f"-arch=compute_{architecture}", "-o", "/dev/null", str(file)])
        ours, *theirs = alternate(commands, plan.times)
        wall = statistics.median(run.wall for run in theirs[0]) if theirs else None
        resident = statistics.median(run.memory for run in theirs[0]) if theirs else None
        title = _title(name)
        yield Row(f"check {title}, cold process", "s", [run.wall for run in ours], ptxas=wall, budget=budget)
        memory.append(Row(f"peak memory of check {title}", "MB", [run.memory for run in ours], ptxas=resident))
    yield from memory


def _in_process(plan: Plan) -> Iterator[Row]:
    """``check_text`` of a text, everything imported; Lark on the same text."""
    for name in ("f1k.ptx", "f10k.ptx", *(["f100k.ptx", "f1M.ptx"] if plan.big else ["f100k.ptx"])):
        file = str(plan.file(name))
        checks = [measured_inside("check", file) for _ in range(plan.times)]
        lark = None
        if name != "f1M.ptx" and (plan.big or name != "f100k.ptx"):
            samples = [measured_inside("lark", file) for _ in range(plan.times)]
            lark = statistics.median(samples)
            yield Row(f"plain Lark parsing {_title(name)}", "s", samples)
        yield Row(
            f"check {_title(name)} in process, first text", "s", [sample["first"] for sample in checks], lark=lark
        )
        yield Row(f"check {_title(name)} in process, again", "s", [sample["again"] for sample in checks], lark=lark)


def _edits(plan: Plan) -> Iterator[Row]:
    """From a keystroke to the findings, without a server."""
    for name, budget in (("f100k.ptx", "5 / 20 ms"), *([("f1M.ptx", "- / 50 ms")] if plan.big else [])):
        count = "300" if plan.big else "100"
        samples = measured_inside("keystrokes", str(plan.file(name)), count)
        yield Row(f"keystroke to findings, {_title(name)}", "ms", samples, budget=budget)
        samples = measured_inside("marks", str(plan.file(name)), count)
        yield Row(f"brace, quote, comment … to findings, {_title(name)}", "ms", samples)
    worst = measured_inside("worst", str(plan.file("f100k.ptx")))
    yield Row("open or close '/*' in the middle, 100k lines", "ms", worst["comment"], budget="100 ms")
    worst = measured_inside("worst", str(plan.file("giant.ptx")))
    yield Row("open or close '/*' in the middle, one kernel of 100k", "ms", worst["comment"], budget="100 ms")
    yield Row("change a .reg count, one kernel of 100k", "ms", worst["registers"], budget="100 ms")


def _pages(plan: Plan) -> Iterator[Row]:
    """The instruction pages."""
    samples = [measured_inside("pages") for _ in range(plan.times)]
    yield Row("open the catalogue", "ms", [sample["open"] for sample in samples], budget="10 ms")
    yield Row("read all pages", "ms", [sample["all"] for sample in samples])
    yield Row("match a new opcode", "us", measured_inside("match", str(plan.file("f100k.ptx"))), budget="200 us")


def _title(name: str) -> str:
    return f"{name.removeprefix('f').removesuffix('.ptx')} lines"
