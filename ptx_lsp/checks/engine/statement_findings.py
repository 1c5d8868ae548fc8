"""The findings in the statements of all functions, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from itertools import groupby

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Update
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.checks import always_asked, asked_when_flagged
from ptx_lsp.checks.engine.alike_functions import AlikeFunctions
from ptx_lsp.checks.engine.chunk_findings import ChunkFindings
from ptx_lsp.checks.engine.earlier_findings import EarlierFindings
from ptx_lsp.checks.engine.finding_limit import first_of_each, needed
from ptx_lsp.checks.engine.function_findings import Record
from ptx_lsp.checks.engine.grouping import (
    LocatedFinding,
    Mistake,
    Silences,
    order_in_chunk,
    reported,
    severity_of,
    shown_by,
)
from ptx_lsp.checks.engine.prefilter import StatementCheck
from ptx_lsp.checks.support.finding import Finding
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.document import Change

_FEW = 4
"""If only one of so many functions is left to examine, the others are not looked at."""
_MANY = 1024
"""Findings that take long to take over."""
_BEGUN_IN_A_STEP = 512
_FEW_PLACED = 256
"""If so many findings and twice the reported ones have a place, all are placed again: most of them are gone."""


class StatementFindings:
    """The findings in the statements of a module, made in steps; an edit gives up those of the functions it touches."""

    def __init__(self, semantics: Semantics, settings: Settings, alike: AlikeFunctions) -> None:
        self._module = semantics.module
        self._settings = settings
        self.of_chunks = ChunkFindings(semantics, alike)
        self._records: dict[Function, Record] = {}
        """Those with findings, and those of which some chunks but not all are examined."""
        self._open: set[Function] = set()
        """The functions whose chunks are not all examined."""
        self.counts: Counter[Severity] = Counter()
        """The number of reported findings of each severity so far."""
        self.returned = 0
        """The number of edits that gave chunks back with what was known of them."""
        self._placed: dict[int, tuple[Finding, int, Diagnostic]] = {}
        """Findings by identity with their last offset; those that refer to other statements are not in it."""
        self._checks: dict[int, frozenset[StatementCheck]] = {}
        self._most: int | None = None
        """From so many findings on no more are made."""
        self._begin_anew()

    def count_until(self, most: int | None) -> None:
        """Set from how many findings on no more are made; None: all are made."""
        if most != self._most:
            self._most = most
            for function in [one for one, record in self._records.items() if record.is_full]:
                self._begin_again(function)

    def _begin_anew(self) -> None:
        self._records = {}
        self._open = set(self._module.functions)
        self.counts = Counter()

    def updating(self, change: Change, update: Update) -> Iterator[None]:
        """Take over an edit, in steps if it concerns very many functions."""
        self.returned += bool(change.given_back)
        self.of_chunks.set_aside(update.swallowing)
        for chunk in change.removed:
            self.of_chunks.forget(chunk)
        if update.is_everywhere:
            self.of_chunks.clear()
            self.of_chunks.give_back(update.swallowing)
            self._begin_anew()
            return
        if update.is_global:
            yield from self.of_chunks.forgetting_users(update.users)
        self.of_chunks.give_back(update.swallowing)
        for function in update.gone:
            self._open.discard(function)
            self._drop(function)
        begun = set(update.fresh)
        if update.is_global:
            begun.update(map(self._module.function_of, self.of_chunks.unknown(self._module.document.chunks)))
        for number, function in enumerate(begun, 1):
            self._begin_again(function)
            if not number % _BEGUN_IN_A_STEP:
                yield
        if self._records:
            removed = frozenset(change.removed)
            for function, record in list(self._records.items()):
                if not removed.isdisjoint(record.declared_in):
                    self._begin_again(function)

    def _drop(self, function: Function) -> None:
        record = self._records.pop(function, None)
        if record is not None:
            self.counts -= record.counts

    def _begin_again(self, function: Function) -> None:
        self._drop(function)
        self._open.add(function)

    @property
    def is_complete(self) -> bool:
        """Whether all statements are examined, but for those of which no more is shown or counted."""
        return not self._open

    def examining(
        self,
        budget: int | None = None,
        functions: Collection[Function] | None = None,
        *,
        earlier: EarlierFindings | None = None,
    ) -> Iterator[None]:
        """Make the findings of some functions or all, in steps of a few milliseconds, until ``budget`` are made.

        What is still known of a chunk is taken over and not counted, but for mistakes that it adds. Of the places of
        one mistake each counts: it is as much work as another mistake.

        With ``earlier`` findings of other checks, the functions after so many findings that none of theirs is shown or
        counted are left out.
        """
        wanted = self._open if functions is None else self._open.intersection(functions)
        known: Counter[Severity] = Counter()
        # To look at all functions would take longer than to examine a few.
        in_order = earlier is not None and len(wanted) * _FEW >= max(len(self._records), len(self._open))
        has_grown = False
        """Whether there are more known ones since it was asked what is needed after them."""
        for function in self._module.functions.in_order({*wanted, *self._records} if in_order else wanted):
            if function not in self._records and function not in self._open:
                continue
            if in_order and earlier is not None:
                has_grown = earlier.count_before(function, known) or has_grown
                if has_grown and not needed(known, self._most):
                    return
                has_grown = False
            is_wanted, least = function in wanted, self._least(known, function)
            while is_wanted and function in self._open and not self._is_examined(function):
                if budget is not None and budget <= 0:
                    return
                before = self.of_chunks.made
                added = yield from self._adding(function, least)
                if added:
                    least = self._least(known, function)
                if budget is not None:
                    budget -= max(added.total() if added else 0, self.of_chunks.made - before)
                yield
            self._open.discard(function)
            record = self._records.get(function)
            if record is not None and in_order and record.counts:
                known += record.counts
                has_grown = True
            if record is not None and record.is_empty:
                del self._records[function]

    def _is_examined(self, function: Function) -> bool:
        """Whether nothing more is to be found in an open function."""
        record = self._records.get(function)
        return record is not None and (record.is_full or record.is_complete(function))

    def _least(self, known: Counter[Severity], function: Function) -> int:
        """The least severe findings that are to be made in a function, after the ``known`` ones in those before it."""
        if self._most is None or self.counts.total() + known.total() < self._most:
            return Severity.HINT
        record = self._records.get(function)
        return needed(known if record is None else known + record.counts, self._most)

    def _adding(
        self, function: Function, least: int = Severity.HINT
    ) -> Generator[None, None, Counter[Severity] | None]:
        """Take over the findings of the next chunk down to the ``least`` severe that are needed; how many more.

        A function of one chunk without findings gets no record: most are.
        """
        record = self._records.get(function)
        number = 0 if record is None else record.examined
        only = None if least == Severity.HINT else self._checks_down_to(max(least, Severity.ERROR))
        found = yield from self.of_chunks.finding(function, number, only)
        if len(found) > _MANY:
            yield
        if self._records.get(function) is not record:
            return None  # whoever asked meanwhile has examined it
        if record is None:
            if not found and len(function.chunks) == 1:
                self._open.discard(function)
                return None
            record = self._records[function] = Record(self._settings.max_diagnostics + 1)
        if record.examined != number or record.is_full:
            return None
        if not found:
            record.examined += 1
            return None
        added = record.add(shown_by(self._settings, found), self._most)
        if added:
            self.counts += added
        return added

    def _checks_down_to(self, least: int) -> frozenset[StatementCheck]:
        """The checks of statements whose findings are so severe; those whose findings are grouped count all of them."""
        if least not in self._checks:
            self._checks[least] = frozenset(
                one.check
                for one in (*always_asked(), *asked_when_flagged())
                if one.check is not None
                and (one.merge_group or self._settings.severity_of(one.rule.code, one.rule.severity) <= least)
            )
        return self._checks[least]

    def counts_in(self, function: Function) -> Counter[Severity] | None:
        """The number of reported findings of each severity in a function so far; None if there are none."""
        record = self._records.get(function)
        return None if record is None else record.counts

    def placed(
        self, wanted: Counter[Severity] | None, silences: Silences | None
    ) -> Generator[Diagnostic | None, None, None]:
        """The findings in document offsets; of each severity at least the ``wanted`` first ones, or all.

        None is a pause.
        """
        wanted = None if wanted is None else +wanted
        for function in self._module.functions.in_order(self._records):
            yield None
            if wanted is not None and not wanted:
                return
            record = self._records[function]
            if wanted is not None and wanted.keys().isdisjoint(record.counts):
                continue
            if record.cut and (wanted is None or any(wanted[one] > record.kept[one] for one in record.cut)):
                record = yield from self._examined_in_full(function)
            added: Counter[Severity] = Counter()
            for one in self._of_function(function, record, wanted, silences):
                if one is not None:
                    added[one.severity] += 1
                yield one
            if wanted is not None:
                wanted = wanted - added

    def _of_function(
        self, function: Function, record: Record, wanted: Counter[Severity] | None, silences: Silences | None
    ) -> Iterator[Diagnostic | None]:
        module = self._module
        for chunk, index, finding in first_of_each(record.single, severity_of, wanted):
            yield self._at(finding, module.positions.statement_start(chunk, index))
        mistakes = _in_order(record.grouped.items()) if wanted else record.grouped.items()
        groups = first_of_each(mistakes, lambda group: severity_of(group[1][0]), wanted)
        yield from reported(module, function, groups, silences)

    @property
    def records(self) -> Mapping[Function, object]:
        """The records of functions in which something is found; another one if it is something else."""
        return self._records

    def in_function(self, function: Function) -> Generator[Diagnostic | None, None, None]:
        """The findings in a function in document offsets, without regard to comments; all must be examined.

        None is a pause.
        """
        record = self._records.get(function)
        if record is None:
            return
        if record.cut:
            record = yield from self._examined_in_full(function)
        yield from self._of_function(function, record, None, None)

    def _at(self, finding: Finding, start: int) -> Diagnostic:
        """A finding in document offsets: those before an edit are where they were."""
        known = self._placed.get(id(finding))
        if known is not None and known[0] is finding and known[1] == start:
            return known[2]
        diagnostic = finding.placed(self._module, start)
        if not finding.refers_elsewhere:
            if len(self._placed) >= _FEW_PLACED + 2 * self.counts.total():
                self._placed.clear()
            self._placed[id(finding)] = finding, start, diagnostic
        return diagnostic

    def _examined_in_full(self, function: Function) -> Generator[None, None, Record]:
        """A record of a function that keeps all findings of the chunks that are examined."""
        record, chunks = Record(), self._records[function].examined
        for number in range(chunks):
            if record.is_full:
                break
            found = yield from self.of_chunks.finding(function, number)
            record.add(shown_by(self._settings, found), self._most)
            yield
        self._drop(function)
        self._records[function] = record
        self.counts += record.counts
        return record


def _in_order(
    mistakes: Iterable[tuple[Mistake, list[LocatedFinding]]],
) -> Iterator[tuple[Mistake, list[LocatedFinding]]]:
    """Mistakes by their first places: those of a chunk are found rule by rule, the chunks in their order."""
    for _, of_chunk in groupby(mistakes, key=lambda group: group[1][0][0]):
        yield from sorted(of_chunk, key=lambda group: order_in_chunk(group[1][0]))
