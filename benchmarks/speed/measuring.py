"""The measurements, in rounds: what is compared runs once in each round, so that a busy minute meets all of it."""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks import assembler
from benchmarks.speed.percentile import percentile
from benchmarks.speed.processes import Run, peak_memory, run
from benchmarks.speed.session import Session
from benchmarks.speed.texts import Text

_MARKS = ("/*", '"', "{")


class CheckFigures(NamedTuple):
    """Of one file: medians of our check and of ptxas's, and the peak memory of both in MB. None without ptxas."""

    ours: Run
    theirs: Run | None
    our_memory: float
    their_memory: float | None


class ServerFigures(NamedTuple):
    """Of one file in the server; seconds and MB."""

    first_findings: float
    nothing: float
    """``python -c pass`` in the same minutes."""
    keystroke: tuple[float, float]
    """Median and 99th percentile."""
    marks: tuple[float, float]
    """The same, of marks at the top that change the meaning of what follows; the second is the longest."""
    memory: float


class Plan(NamedTuple):
    """``times`` rounds, ``keystrokes`` of each kind; ``report`` is called with what comes next."""

    times: int
    keystrokes: int
    ptxas: str | None
    report: Callable[[str], None]


def check_figures(texts: Sequence[Text], plan: Plan) -> list[CheckFigures]:
    """Our check and ptxas's of texts of one length, in turns."""
    ours: dict[Text, list[Run]] = defaultdict(list)
    theirs: dict[Text, list[Run]] = defaultdict(list)
    run(_our_check(texts[0]))  # compiles the modules
    for number in range(plan.times):
        plan.report(f"check, {texts[0].length}, round {number + 1} of {plan.times}")
        for text in texts:
            ours[text].append(run(_our_check(text)))
            if plan.ptxas:
                theirs[text].append(run(_their_check(text, plan.ptxas)))
    return [
        CheckFigures(
            _median(ours[text]),
            _median(theirs[text]) if plan.ptxas else None,
            peak_memory(_our_check(text)),
            peak_memory(_their_check(text, plan.ptxas)) if plan.ptxas else None,
        )
        for text in texts
    ]


def server_figures(texts: Sequence[Text], plan: Plan) -> list[ServerFigures]:
    """First findings of a cold server for texts of one length, in turns with a Python that does nothing; then edits."""
    first: dict[Text, list[float]] = defaultdict(list)
    nothing: list[float] = []
    Session(texts[0].path).client.stop()  # compiles the modules
    for number in range(plan.times):
        plan.report(f"server, {texts[0].length}, round {number + 1} of {plan.times}")
        for text in texts:
            nothing.append(run([sys.executable, "-c", "pass"]).wall)
            session = Session(text.path)
            first[text].append(session.first_findings)
            session.client.stop()
    return [_edited(text, statistics.median(first[text]), statistics.median(nothing), plan) for text in texts]


def _edited(text: Text, first_findings: float, nothing: float, plan: Plan) -> ServerFigures:
    plan.report(f"keystrokes, {text.set} {text.length}")
    session = Session(text.path)
    session.client.wait_until_idle()
    memory = session.client.memory()
    keys = session.type_digits(plan.keystrokes // 4) + session.type_statements(plan.keystrokes // 50)
    marks = [sample for mark in _MARKS for sample in session.open_and_close(mark, 1)]
    session.client.stop()
    return ServerFigures(
        first_findings,
        nothing,
        (statistics.median(keys), percentile(keys, 99)),
        (statistics.median(marks), max(marks)),
        memory,
    )


def _our_check(text: Text) -> list[str]:
    return [sys.executable, "-m", "ptx_lsp", "check", str(text.path)]


def _their_check(text: Text, ptxas: str) -> list[str]:
    with text.path.open(encoding="utf-8") as file:
        head = file.read(10_000)
    return [ptxas, f"-arch=compute_{assembler.architecture(head, ptxas)}", "-o", "/dev/null", str(text.path)]


def _median(runs: Sequence[Run]) -> Run:
    return Run(statistics.median(one.wall for one in runs), statistics.median(one.cpu for one in runs))
