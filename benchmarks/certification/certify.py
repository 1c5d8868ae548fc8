"""Puts the questions to one release of ptxas and reports what it answers."""

from __future__ import annotations

import time
from typing import NamedTuple

from benchmarks import assembler
from benchmarks.certification.completions import ask_completions
from benchmarks.certification.gates import ask_gates
from benchmarks.certification.neighbours import ask_neighbours
from benchmarks.certification.plan import NEWEST
from benchmarks.certification.releases import taken_elsewhere
from benchmarks.certification.table import Table
from ptx_lsp.isa.catalogue import catalogue

BARS = {"gates": 99.9, "neighbours": 99.6, "completions": 99.9}
"""The agreement in percent that was reached; the command fails below it."""


class Questions(NamedTuple):
    """What to ask, and how much of it."""

    pages: tuple[str, ...]
    """Names of instructions; none: all."""
    kinds: tuple[str, ...]
    per_form: int
    per_page: int
    each: int
    prefixes: int
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


def certify(ptxas: str, others: tuple[str, ...], questions: Questions) -> Outcome:
    """Ask one release; what one of the ``others`` takes, we may take too."""
    release = assembler.release(ptxas)
    newest = NEWEST.get(release, max(NEWEST.values()))
    outcome = Outcome(True, [f"## With ptxas {release}, PTX up to {newest}", ""], [], {})
    for kind in questions.kinds:
        start = time.perf_counter()
        table = _ask(kind, ptxas, questions)
        table.settle(taken_elsewhere(table.disagreements, others, questions.jobs))
        total = table.total
        alone = f"With this release alone: {total.alone:.2f} %."
        outcome.tables.extend([f"### {kind.capitalize()}", "", *table.lines(), "", alone, ""])
        if kind == "neighbours":
            outcome.tables.extend([*table.lines(by_kind=True), ""])
        if table.times:
            outcome.tables.extend([table.speed(), ""])
        outcome.notes.append(
            f"{release} {kind}: {total.verdicts.total():,} statements in {time.perf_counter() - start:.0f} s, "
            f"{total.agreement:.2f} % agree (bar {BARS[kind]}); of {total.elsewhere} releases of ptxas differ"
        )
        outcome.notes.extend(_shown(table, questions.show))
        outcome.disagreements[f"{release} {kind}"] = [
            (d.question.page, d.question.kind, d.version, d.target, _who(d.question.ours), d.question.statement)
            for d in table.disagreements
        ]
        outcome = outcome._replace(good=outcome.good and total.agreement >= BARS[kind])
    return outcome


def _ask(kind: str, ptxas: str, questions: Questions) -> Table:
    newest = NEWEST.get(assembler.release(ptxas), max(NEWEST.values()))
    wanted = set(questions.pages)
    instructions = [one for one in catalogue().instructions if not wanted or wanted & set(one.names)]
    seed, jobs = questions.seed, questions.jobs
    if kind == "gates":
        return ask_gates(instructions, ptxas, newest, per_form=questions.per_form, seed=seed, jobs=jobs)
    if kind == "completions":
        return ask_completions(instructions, ptxas, newest, prefixes=questions.prefixes, seed=seed, jobs=jobs)
    return ask_neighbours(
        instructions, ptxas, newest, per_page=questions.per_page, each=questions.each, seed=seed, jobs=jobs
    )


def _shown(table: Table, count: int) -> list[str]:
    """Some disagreements of each page."""
    shown: dict[str, int] = {}
    lines = []
    for question, version, target in table.disagreements:
        shown[question.page] = shown.get(question.page, 0) + 1
        if shown[question.page] <= count:
            who = f"only {_who(question.ours)} accept{'' if question.ours else 's'}"
            lines.append(f"{question.page}: {who} ({question.kind}) at {version} {target}: {question.statement}")
    return lines


def _who(ours: bool) -> str:
    return "we" if ours else "ptxas"
