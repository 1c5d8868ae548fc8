"""The findings so far in the statements of one function, chunk by chunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.checks.engine.grouping import LocatedFinding, Mistake, mistake_of, order_in_chunk, severity_of
from ptx_lsp.checks.support.finding import Finding
from ptx_lsp.diagnostic import Severity
from ptx_lsp.syntax.chunk import Chunk


class Record:
    """The findings so far in the statements of a function. Functions without findings have no record."""

    __slots__ = ("capacity", "counts", "cut", "declared_in", "examined", "grouped", "is_full", "kept", "single")

    def __init__(self, capacity: int | None = None) -> None:
        self.capacity = capacity
        """The most single findings of each severity to keep; further ones are only counted. Without it all are kept."""
        self.examined = 0
        """The number of chunks that are examined."""
        self.single: list[LocatedFinding] = []
        """Findings that are reported one by one, in the order of their places."""
        self.grouped: dict[Mistake, list[LocatedFinding]] = {}
        """Findings that are reported once however often they are found."""
        self.counts: Counter[Severity] = Counter()
        """The number of reported findings of each severity, those that are not kept included."""
        self.kept: Counter[Severity] = Counter()
        """The number of single findings of each severity that are kept."""
        self.declared_in: set[Chunk] = set()
        """The chunks with the declarations that kept findings refer to."""
        self.cut: set[Severity] = set()
        """The severities of which some findings were only counted."""
        self.is_full = False
        """Whether there are so many errors that nothing else in the function is shown or counted."""

    def add(self, found: Iterable[LocatedFinding], most: int | None = None) -> Counter[Severity]:
        """Take over what is found in the next chunk; the number of reported findings that this adds.

        If it brings the errors to ``most``, nothing after the last of these is taken over.
        """
        found = list(found) if most is None else self._until_full(list(found), most)
        single = [one for one in found if one[2].group_key is None]
        added = Counter([one[2].diagnostic.severity for one in single])
        self._keep(single, added.copy())
        if len(single) < len(found):
            self._group(found, added)
        self.examined += 1
        if added:
            self.counts += added
        return added

    def _group(self, found: list[LocatedFinding], added: Counter[Severity]) -> None:
        """Take over the findings that are reported once, and count those that are the first of their mistake."""
        for one in found:
            mistake = mistake_of(one[2])
            if mistake is None:
                continue
            places = self.grouped.get(mistake)
            if places is None:
                places = self.grouped[mistake] = []
                added[severity_of(one)] += 1
            places.append(one)
            if one[2].declaration is not None:
                self._refer(one[2])

    def _keep(self, single: list[LocatedFinding], left: Counter[Severity]) -> None:
        """Take over findings that are reported one by one, so many of each severity, as far as there is room."""
        for severity, count in left.items():
            if self.capacity is not None and self.kept[severity] + count > self.capacity:
                self.cut.add(severity)
                left[severity] = self.capacity - self.kept[severity]
        wanted = left.total()
        if not wanted:
            return
        # They were found rule by rule; if not all can be shown, their order in the text decides.
        for one in sorted(single, key=order_in_chunk):
            severity = severity_of(one)
            if left[severity] <= 0:
                continue
            left[severity] -= 1
            self.kept[severity] += 1
            self.single.append(one)
            self._refer(one[2])
            wanted -= 1
            if not wanted:
                break

    def _until_full(self, found: list[LocatedFinding], most: int) -> list[LocatedFinding]:
        """The findings up to the statement in which the errors become ``most``, whatever the borders of chunks."""
        errors = [one for one in found if one[2].diagnostic.severity is Severity.ERROR]
        left = most - self.counts[Severity.ERROR]
        if len(errors) < left:
            return found
        begun = set(self.grouped)
        for one in sorted(errors, key=order_in_chunk):
            mistake = mistake_of(one[2])
            left -= mistake is None or mistake not in begun
            if mistake is not None:
                begun.add(mistake)
            if left <= 0:
                self.is_full = True
                return [other for other in found if other[1] <= one[1]]
        return found

    def _refer(self, finding: Finding) -> None:
        if finding.declaration is not None:
            self.declared_in.add(finding.declaration.place.chunk)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is found."""
        return not self.single and not self.grouped

    def is_complete(self, function: Function) -> bool:
        """Whether all chunks of the function are examined."""
        return self.examined == len(function.chunks)
