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


class Counts(NamedTuple):
    """How often we and ptxas said what of some questions."""

    verdicts: Counter[tuple[bool, bool]]
    """Ours and theirs."""

    @property
    def agreement(self) -> float:
        """The share of questions that we answer as ptxas does, in percent."""
        agreed = self.verdicts[True, True] + self.verdicts[False, False]
        return 100 * agreed / self.verdicts.total() if self.verdicts else 100.0

    def cells(self, name: str) -> str:
        """A line of the table."""
        only_we, only_they = self.verdicts[True, False], self.verdicts[False, True]
        cells = (name, f"{self.verdicts.total():,}", only_we, only_they, f"{self.agreement:.2f}")
        return f"| {' | '.join(map(str, cells))} |"


class Table:
    """Verdicts counted by page and by kind of question."""

    ONLY_OURS = "only we accept"
    """What it means that ptxas answers no where we say yes."""
    ONLY_THEIRS = "only ptxas accepts"

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
    def total(self) -> Counts:
        """All pages together."""
        return Counts(sum(self.pages.values(), Counter()))

    def speed(self) -> str:
        """How long a verdict takes, in words."""
        times = sorted(self.times)
        if not times:
            return ""
        median, most = times[len(times) // 2], times[len(times) * 95 // 100]
        return f"The check of a new statement takes {median * 1e3:.2f} ms (median), 95 % up to {most * 1e3:.1f} ms."

    def lines(self, *, by_kind: bool = False) -> list[str]:
        """A Markdown table with a line for each page, or for each kind of question, and one for all."""
        counted = self.kinds if by_kind else self.pages
        first = "kind" if by_kind else "page"
        return [
            f"| {first} | compared | only we accept | only ptxas accepts | agree % |",
            "|---|---|---|---|---|",
            *(Counts(counts).cells(name) for name, counts in sorted(counted.items())),
            self.total.cells("**total**"),
        ]
