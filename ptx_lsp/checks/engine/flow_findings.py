"""The findings about the flow through functions: those of the present text, and former ones that still have a place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, Update
from ptx_lsp.checks.engine.finding_limit import first_of_each
from ptx_lsp.checks.engine.grouping import (
    LocatedFinding,
    Mistake,
    Silences,
    mistake_of,
    order_in_chunk,
    reported,
    severity_of,
)
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.documents.statement_tracker import StatementTracker

_TAKEN_IN_A_STEP = 1024


class _Record:
    """The findings about the flow through one function, by chunk, so that an edit moves only those of its chunk."""

    def __init__(self) -> None:
        self.single: dict[Chunk, list[LocatedFinding]] = {}
        """Findings that are reported one by one; those of a chunk in the order in which they are shown."""
        self.grouped: dict[Mistake, list[LocatedFinding]] = {}
        """Findings that are reported once however often they are found."""
        self.counts: Counter[Severity] = Counter()
        """The number of reported findings of each severity."""

    def add(self, found: Iterable[LocatedFinding]) -> None:
        touched: set[Chunk] = set()
        for one in found:
            mistake = mistake_of(one[2])
            if mistake is None:
                self.single.setdefault(one[0], []).append(one)
                touched.add(one[0])
                self.counts[severity_of(one)] += 1
            else:
                places = self.grouped.setdefault(mistake, [])
                self.counts[severity_of(one)] += not places
                places.append(one)
        for chunk in touched:
            self.single[chunk].sort(key=order_in_chunk)

    def take(self, chunks: Iterable[Chunk]) -> list[LocatedFinding]:
        """Remove the findings in some chunks and return them."""
        gone = frozenset(chunks)
        taken = [one for chunk in gone for one in self.single.pop(chunk, ())]
        self.counts -= Counter(map(severity_of, taken))
        for mistake, places in list(self.grouped.items()):
            if any(one[0] in gone for one in places):
                taken += [one for one in places if one[0] in gone]
                left = self.grouped[mistake] = [one for one in places if one[0] not in gone]
                if not left:
                    self.counts -= Counter([severity_of(places[0])])
                    del self.grouped[mistake]
        return taken

    def all(self) -> list[LocatedFinding]:
        """All findings."""
        return [one for places in (*self.single.values(), *self.grouped.values()) for one in places]


class FlowFindings:
    """The findings about the flow through the functions of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._followed: set[Function] = set()
        """The functions whose findings are those of the present text."""
        self._records: dict[Function, _Record] = {}
        """Those with findings; of functions that are not followed since an edit the former ones."""
        self.counts: Counter[Severity] = Counter()
        """The number of reported findings of each severity."""

    def __contains__(self, function: Function) -> bool:
        return function in self._followed

    @property
    def is_complete(self) -> bool:
        """Whether all functions are followed."""
        return len(self._followed) == len(self._module.functions)

    def counts_in(self, function: Function) -> Counter[Severity] | None:
        """The number of reported findings of each severity in a function; None if there are none."""
        record = self._records.get(function)
        return None if record is None else record.counts

    def setting(self, function: Function, found: list[LocatedFinding], *, is_whole: bool = True) -> Iterator[None]:
        """Take over what is found in a function, in steps: all, or only what is needed for once."""
        record = _Record() if found else None
        for start in range(0, len(found), _TAKEN_IN_A_STEP):
            assert record is not None
            record.add(found[start : start + _TAKEN_IN_A_STEP])
            yield
        self._drop(function)
        if is_whole:
            self._followed.add(function)
        if record is not None:
            self._keep(function, record)

    def update(self, update: Update, moved: StatementTracker, removed: tuple[Chunk, ...]) -> None:
        """Take over an edit: the findings in functions that it touched are former ones now, at their new places."""
        self._followed.difference_update(update.gone, update.dependents)
        if update.is_global:
            self._followed.clear()
        for function in update.gone:
            record = self._drop(function)
            if record is None:
                continue
            if len(update.gone) == len(update.fresh) == 1:
                touched = record.take(removed)
                self._keep(update.fresh[0], record)
            else:
                touched = record.all()
            self._move(touched, moved)

    def _move(self, found: Iterable[LocatedFinding], moved: StatementTracker) -> None:
        by_function: dict[Function, list[LocatedFinding]] = {}
        for chunk, index, finding in found:
            place = moved.find(chunk, index)
            if place is not None:
                by_function.setdefault(self._module.function_of(place[0]), []).append((*place, finding))
        for function, here in by_function.items():
            record = self._drop(function) or _Record()
            record.add(here)
            self._keep(function, record)

    def _drop(self, function: Function) -> _Record | None:
        record = self._records.pop(function, None)
        if record is not None:
            self.counts -= record.counts
        return record

    def _keep(self, function: Function, record: _Record) -> None:
        self._records[function] = record
        self.counts += record.counts

    @property
    def records(self) -> Mapping[Function, object]:
        """The records of functions in which something is found; another one if it is something else."""
        return self._records

    def placed(
        self, functions: Iterable[Function] | None, wanted: Counter[Severity] | None, silences: Silences | None
    ) -> Iterator[Diagnostic | None]:
        """The findings in some functions, or all, in document offsets; of each severity at least the ``wanted`` first.

        If nothing is ``wanted``, all of them. None is a pause.
        """
        left = Counter(wanted) if wanted is not None else None
        some = self._records if functions is None else [one for one in functions if one in self._records]
        for function in self._module.functions.in_order(some):
            yield None
            if left is not None and not left.total():
                return
            record = self._records[function]
            if left is not None and not any(left[severity] for severity in record.counts):
                continue
            for one in self._of_function(function, record, left, silences):
                if left is not None and one is not None:
                    left[one.severity] = max(left[one.severity] - 1, 0)
                yield one

    def _of_function(
        self, function: Function, record: _Record, wanted: Counter[Severity] | None, silences: Silences | None
    ) -> Iterator[Diagnostic | None]:
        module = self._module
        for chunk in [one for one in function.chunks if one in record.single] if record.single else ():
            for _, index, finding in first_of_each(record.single[chunk], severity_of, wanted):
                yield finding.placed(module, module.positions.statement_start(chunk, index))
        groups = first_of_each(record.grouped.items(), lambda group: severity_of(group[1][0]), wanted)
        yield from reported(module, function, groups, silences)
