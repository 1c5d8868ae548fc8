"""The list of the findings of a document, made of those that are known, in steps of a few milliseconds.

An edit between two steps ends the work: it is begun again for the other text. So a list is of one state of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from ptx_lsp import suppressions
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, is_fragment
from ptx_lsp.checks.engine.by_function import FunctionFindings, FunctionState, in_order
from ptx_lsp.checks.engine.earlier_findings import EarlierFindings
from ptx_lsp.checks.engine.examination import findings_of_nothing
from ptx_lsp.checks.engine.finding_limit import Selection, most_counted, selecting, shares
from ptx_lsp.checks.engine.flow_findings import FlowFindings
from ptx_lsp.checks.engine.grouping import Silences
from ptx_lsp.checks.engine.module_findings import ModuleFindings
from ptx_lsp.checks.engine.statement_findings import StatementFindings
from ptx_lsp.checks.engine.suppression_comments import SuppressionComments
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import collected

Follow = Callable[[Sequence[Diagnostic], int | None], Iterable[Diagnostic]]
"""Gives the findings about the flow, given those outside of statements and from how many on no more are needed."""


class Listing(NamedTuple):
    """The known findings of which the list is made."""

    module: Module
    settings: Settings
    of_module: ModuleFindings
    of_statements: StatementFindings
    of_flow: FlowFindings
    comments: SuppressionComments

    def most(self, limit: int | None) -> int | None:
        """From how many findings on no more are needed; None: all. What comments silence makes room for others."""
        return None if self.comments else most_counted(limit)

    def structural(self, limit: int | None) -> Generator[None, None, list[Diagnostic]]:
        """The findings in heads, declarations and braces, in document offsets; of very many not all."""
        return (yield from self._applied(self._structural(self.most(limit))))

    def examining(self, limit: int | None, structural: Sequence[Diagnostic] | None = None) -> Iterator[None]:
        """Make about ``limit`` more findings of statements; with the ``structural`` ones, all that are needed.

        Then functions after so many findings that none of theirs is shown or counted are left out.
        """
        self.of_statements.count_until(self.most(limit))
        earlier = None if structural is None else EarlierFindings(self.module.positions, structural)
        yield from self.of_statements.examining(limit if structural is None else None, earlier=earlier)

    def selecting(
        self, limit: int | None, structural: Sequence[Diagnostic], follow: Follow | None
    ) -> Generator[None, None, Selection]:
        """Select the findings that are shown, among them the ``structural`` ones.

        Of those about the flow, they are the ones that are known, or those that ``follow`` gives.
        """
        most, settings = self.most(limit), self.settings
        found = list(structural)
        counts = self.of_statements.counts + Counter(one.severity for one in found)
        followed = None if follow is None else settings.applied(follow(structural, most))
        if self.comments:
            passages = yield from self.comments.passages()
            silences = yield from suppressions.reading(passages)
            if followed is None:
                followed = yield from self._flow_known(None, silences.silences)
            found += followed
            found += yield from self._applied(self.of_statements.placed(None, silences.silences))
            kept = suppressions.applied(passages, silences, found)
            found = yield from self._applied(kept)
            counts = yield from _counted(found)
            return (yield from selecting(found, counts, limit, ends_count=True))
        counts += self.of_flow.counts if followed is None else Counter(one.severity for one in followed)
        wanted = None if limit is None else shares(counts, limit + 1)
        if followed is None:
            followed = yield from self._flow_known(wanted, None)
        found += followed
        found += yield from self._applied(self.of_statements.placed(wanted, None))
        return (yield from selecting(found, counts, limit))

    def by_function(self, limit: int) -> Generator[None, None, list[FunctionFindings] | None]:
        """The functions with findings, in order, if all are shown.

        None if there are too many, if comments may silence some, or if statements are left to examine.
        """
        if self.comments or not self.of_statements.is_complete or not self.module.document.chunks:
            return None
        count = self.of_statements.counts.total() + self.of_flow.counts.total()
        structural: dict[Function, list[Diagnostic]] = {}
        if count <= limit:
            found = yield from collected(self.of_module.all(limit + 1))
            count += len(found)
            if count <= limit:
                for placed in found:
                    function = self.module.function_of(placed.place.chunk)
                    structural.setdefault(function, []).append(placed.diagnostic(self.module))
                    yield
        if count > limit:
            return None
        of_statements, of_flow = self.of_statements.records, self.of_flow.records
        generation = self.module.generation + self.of_statements.returned
        outside = {function: self.settings.applied(found) for function, found in structural.items()}
        return [
            FunctionFindings(
                one,
                FunctionState(generation, of_statements.get(one), of_flow.get(one)),
                outside.get(one, []),
            )
            for one in self.module.functions.in_order(of_statements.keys() | of_flow.keys() | structural.keys())
        ]

    def in_function(self, one: FunctionFindings) -> Generator[None, None, list[Diagnostic]]:
        """The findings in a function, in order, in document offsets."""
        flow = yield from self._applied(self.of_flow.placed([one.function], None, None))
        statements = yield from self._applied(self.of_statements.in_function(one.function))
        return in_order([*one.structural, *flow, *statements])

    def _structural(self, most: int | None) -> Iterator[Diagnostic | None]:
        """The findings in heads, declarations and braces, in document offsets; of very many not all.

        Of each severity, the ``most`` first ones of each check of the module, and of all functions together.
        """
        module = self.module
        if not module.document.chunks and not is_fragment(module):
            for finding in findings_of_nothing():
                yield finding.placed(module, 0)
            return
        for placed in self.of_module.all(most):
            yield None if placed is None else placed.diagnostic(module)

    def _flow_known(
        self, wanted: Counter[Severity] | None, silences: Silences | None
    ) -> Generator[None, None, list[Diagnostic]]:
        """The findings about the flow so far; of each severity at least the ``wanted`` first ones, or all."""
        is_generated = self.module.header.is_generated
        return (yield from self._applied(self.of_flow.placed(None, wanted, silences if is_generated else None)))

    def _applied(self, found: Iterator[Diagnostic | None]) -> Generator[None, None, list[Diagnostic]]:
        """Collect findings, with the settings applied."""
        applied: list[Diagnostic] = []
        batch: list[Diagnostic] = []
        for one in found:
            if one is None:
                yield
            else:
                batch.append(one)
                if len(batch) == _IN_A_STEP:
                    applied += self.settings.applied(batch)
                    batch.clear()
                    yield
        return applied + self.settings.applied(batch)


_IN_A_STEP = 16


def _counted(found: list[Diagnostic]) -> Generator[None, None, Counter[Severity]]:
    """The number of findings of each severity."""
    counts: Counter[Severity] = Counter()
    for start in range(0, len(found), _COUNTED_IN_A_STEP):
        counts.update(one.severity for one in found[start : start + _COUNTED_IN_A_STEP])
        yield
    return counts


_COUNTED_IN_A_STEP = 256
