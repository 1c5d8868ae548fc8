"""Puts the questions to one release of ptxas and reports what it answers."""

from __future__ import annotations

import time
from typing import NamedTuple

from benchmarks.certification.completions import ask_completions
from benchmarks.certification.gates import ask_gates
from benchmarks.certification.meaningless import ask_meaningless
from benchmarks.certification.neighbours import ask_neighbours
from benchmarks.certification.releases import Release, release_of
from benchmarks.certification.table import Table
from ptx_lsp.isa.catalogue import catalogue

BARS = {"gates": 99.95, "neighbours": 99.8, "completions": 99.9, "meaningless": 100.0}
"""The agreement in percent that was reached; the command fails below it."""

FALSE_ERRORS = {"gates": 0, "neighbours": 3, "completions": 0, "meaningless": 0}
"""Of how many statements that ptxas takes the command suffers an error: those of the gates are documented."""


class Questions(NamedTuple):
    """What to ask, and how much of it."""

    pages: tuple[str, ...]
    """Names of instructions; none: all."""
    kinds: tuple[str, ...]
    per_form: int
    per_page: int
    each: int
    prefixes: int
    per_target: int
    seed: int
    jobs: int
    show: int
    """How many disagreements of each page to show."""


class Outcome(NamedTuple):
    """What came of it."""

    good: bool
    """Whether every kind of question reached its bar."""
    tables: list[str]
    """The tables, as lines of Markdown."""
    notes: list[str]
    """A line for each kind of question, and the disagreements that are shown."""
    disagreements: dict[str, list[tuple[str, ...]]]


def certify(ptxas: str, questions: Questions) -> Outcome:
    """Ask one release."""
    release = release_of(ptxas)
    outcome = Outcome(True, [f"## With ptxas {release.name}, PTX up to {release.newest}", ""], [], {})
    for kind in questions.kinds:
        start = time.perf_counter()
        table = _ask(kind, release, questions)
        total = table.total
        missed, false = total.verdicts[True, False], total.verdicts[False, True]
        outcome.tables.extend([f"### {kind.capitalize()}", "", *table.lines(), ""])
        if kind in ("gates", "neighbours"):
            outcome.tables.extend([*table.lines(by_kind=True), ""])
        if table.times:
            outcome.tables.extend([table.speed(), ""])
        outcome.notes.append(
            f"{release.name} {kind}: {total.verdicts.total():,} statements in {time.perf_counter() - start:.0f} s, "
            f"{total.agreement:.2f} % agree (bar {BARS[kind]}): {missed} {table.ONLY_OURS}, {false} {table.ONLY_THEIRS}"
        )
        outcome.notes.extend(_shown(table, questions.show))
        outcome.disagreements[f"{release.name} {kind}"] = [
            (d.question.page, d.question.kind, d.version, d.target, _who(d.question.ours), d.question.statement)
            for d in table.disagreements
        ]
        reached = total.agreement >= BARS[kind] and false <= FALSE_ERRORS[kind]
        outcome = outcome._replace(good=outcome.good and reached)
    return outcome


def _ask(kind: str, release: Release, questions: Questions) -> Table:
    wanted = set(questions.pages)
    instructions = [one for one in catalogue().instructions if not wanted or wanted & set(one.names)]
    seed, jobs = questions.seed, questions.jobs
    if kind == "gates":
        return ask_gates(instructions, release, per_form=questions.per_form, seed=seed, jobs=jobs)
    if kind == "completions":
        return ask_completions(instructions, release, prefixes=questions.prefixes, seed=seed, jobs=jobs)
    if kind == "meaningless":
        return ask_meaningless(instructions, release, per_form=questions.per_target, seed=seed, jobs=jobs)
    return ask_neighbours(instructions, release, per_page=questions.per_page, each=questions.each, seed=seed, jobs=jobs)


def _shown(table: Table, count: int) -> list[str]:
    """Some disagreements of each page."""
    shown: dict[str, int] = {}
    lines = []
    for question, version, target in table.disagreements:
        shown[question.page] = shown.get(question.page, 0) + 1
        if shown[question.page] <= count:
            how = table.ONLY_OURS if question.ours else table.ONLY_THEIRS
            lines.append(f"{question.page}: {how} ({question.kind}) at {version} {target}: {question.statement}")
    return lines


def _who(ours: bool) -> str:
    return "we" if ours else "ptxas"
