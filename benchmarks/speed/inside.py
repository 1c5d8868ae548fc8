"""What is measured within a process: ``python -m benchmarks.speed.inside MEASUREMENT …`` prints seconds as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.speed import edits


def seconds(action: Callable[[], object]) -> float:
    """How long it takes."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def check(path: str) -> dict[str, float]:
    """Check a text: ``first`` with nothing remembered of any other, ``again`` with all shapes known."""
    from ptx_lsp.checks.engine.checker import check_text

    text = Path(path).read_text(encoding="utf-8")
    return {"first": seconds(lambda: check_text(text)), "again": seconds(lambda: check_text(text))}


def lark(path: str) -> float:
    """Parse a text with plain Lark; the parser is already built."""
    from benchmarks import baseline

    text = Path(path).read_text(encoding="utf-8")
    baseline.parser()
    return seconds(lambda: baseline.parse(text))


def keystrokes(path: str, count: str) -> list[float]:
    """From an edit to the findings, for random edits and their undoing."""
    from ptx_lsp.checks.engine.checker import Checker

    checker = Checker(Path(path).read_text(encoding="utf-8"))
    checker.diagnostics(edits.LIMIT)
    random = Random(1)
    return [sample for _ in range(int(count)) for sample in edits.random_edit(checker, random)]


def marks(path: str, count: str) -> list[float]:
    """The same for marks that change what follows: braces, quotes, comments, labels, heads."""
    from ptx_lsp.checks.engine.checker import Checker

    checker = Checker(Path(path).read_text(encoding="utf-8"))
    checker.diagnostics(edits.LIMIT)
    random = Random(2)
    return [sample for _ in range(int(count)) for sample in edits.random_mark(checker, random)]


def worst(path: str) -> dict[str, list[float]]:
    """The edits that change the meaning of most of the text: an opened comment, the count of all registers."""
    from ptx_lsp.checks.engine.checker import Checker

    checker = Checker(Path(path).read_text(encoding="utf-8"))
    checker.diagnostics(edits.LIMIT)
    return {
        "comment": [sample for _ in range(5) for sample in edits.open_comment(checker)],
        "registers": [sample for _ in range(5) for sample in edits.change_register_count(checker)],
    }


def pages() -> dict[str, float]:
    """Opening the catalogue, then reading every page of it."""
    from ptx_lsp.isa.catalogue import catalogue

    return {"open": seconds(catalogue), "all": seconds(lambda: catalogue().instructions)}


def match(path: str) -> list[float]:
    """The match of each opcode of a text when it appears first; its page is already read."""
    from ptx_lsp.analysis.statements import matcher
    from ptx_lsp.checks.engine.checker import check_text
    from ptx_lsp.isa.catalogue import catalogue

    _ = catalogue().instructions
    asked = matcher.match
    seen: set[tuple[str, ...]] = set()
    samples = []

    def timed(opcode: tuple[str, ...], *question: Any) -> Any:
        if opcode not in seen:
            seen.add(opcode)
            samples.append(seconds(lambda: asked(opcode, *question)))
        return asked(opcode, *question)

    setattr(matcher, "match", timed)  # noqa: B010 - a type checker would rightly object to the assignment
    check_text(Path(path).read_text(encoding="utf-8"))
    return samples


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](*sys.argv[2:]), sys.stdout)
