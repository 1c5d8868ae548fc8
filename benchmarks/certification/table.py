"""Counts agreements and disagreements, and prints them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Question(NamedTuple):
    """A statement with our verdict."""

    page: str
    kind: str
    """How it was made."""
    statement: str
    ours: bool


class Disagreement(NamedTuple):
    """A question that ptxas answers otherwise."""

    question: Question
    version: str
    target: str


class Table:
    """Verdicts counted by page and by kind of question."""

    def __init__(self) -> None:
        self.pages: defaultdict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
        self.kinds: defaultdict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
        self.disagreements: list[Disagreement] = []
        self.times: list[float] = []
        """Seconds that our verdicts took, each the first on its statement."""

    def add(self, questions: Sequence[Question], answers: Iterable[bool], version: str, target: str) -> None:
        """Count the answers of one module."""
        for question, theirs in zip(questions, answers, strict=True):
            self.pages[question.page][question.ours, theirs] += 1
            self.kinds[question.kind][question.ours, theirs] += 1
            if question.ours != theirs:
                self.disagreements.append(Disagreement(question, version, target))

    @property
    def total(self) -> Counter[tuple[bool, bool]]:
        """All pages together."""
        return sum(self.pages.values(), Counter())

    @property
    def agreement(self) -> float:
        """The share of questions that we answer as ptxas does, in percent."""
        return percent(self.total)

    def speed(self) -> str:
        """How long a verdict takes, in words."""
        times = sorted(self.times)
        if not times:
            return ""
        median, most = times[len(times) // 2], times[len(times) * 95 // 100]
        return (
            f"Our verdict on a new statement takes {median * 1e3:.2f} ms (median), 95 % take up to {most * 1e3:.1f} ms."
        )

    def lines(self, *, by_kind: bool = False) -> list[str]:
        """A Markdown table with a line for each page, or for each kind of question, and one for all."""
        counted = self.kinds if by_kind else self.pages
        lines = [
            f"| {'kind' if by_kind else 'page'} | asked | only we accept | only ptxas accepts | agree % |",
            "|---|---|---|---|---|",
        ]
        for name, counts in [*sorted(counted.items()), ("**all**", self.total)]:
            cells = (name, f"{counts.total():,}", counts[True, False], counts[False, True], f"{percent(counts):.2f}")
            lines.append(f"| {' | '.join(map(str, cells))} |")
        return lines


def percent(counts: Counter[tuple[bool, bool]]) -> float:
    """Agreement in percent; 100 where nothing was asked."""
    return 100 * (counts[True, True] + counts[False, False]) / counts.total() if counts else 100.0
