"""Runs all checks over a document and keeps their findings up to date.

Statements that the analysis flags are shown to the statement checks; functions and
the module to theirs. Findings are kept per chunk and made again only when the
chunk, its function or the module scope changed.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace

from ptx_lsp import suppressions
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.checks import CHECKS
from ptx_lsp.checks.engine.examination import Examination, guarded
from ptx_lsp.checks.engine.finding_limit import Selection, first_of_each, select, shares
from ptx_lsp.checks.engine.function_findings import Record
from ptx_lsp.checks.engine.grouping import LocatedFinding, Mistake, grouped, mistake_of, reported, severity_of
from ptx_lsp.checks.engine.header_fixes import with_header_fixes
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.statement_tracker import StatementTracker
from ptx_lsp.syntax.stepwise_loading import load_stepwise
from ptx_lsp.text import Span

log = logging.getLogger(__name__)

_FLOW_CHECKS = tuple((check.check_flow, check.rule.opcodes) for check in CHECKS if check.check_flow is not None)
"""Checks of whole functions, and the instructions without which there is nothing to check."""


class Checker:
    """A document under all checks."""

    def __init__(self, text: str, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.document = Document(text)
        self.semantics = Semantics(self._module(at_once=True))
        self._records = self._nothing_found()
        self._marked = {chunk for chunk in self.document.chunks if suppressions.MARK in chunk.text}
        """Chunks with comments that may silence findings."""
        self._flow_findings: dict[Function, list[LocatedFinding]] = {}
        self._former: dict[Function, list[LocatedFinding]] = {}
        """Of functions that were edited since: what was found in them before and still has its place."""
        self._examination = Examination(self.semantics)

    @classmethod
    def reading(cls, text: str, settings: Settings, limit: int) -> Generator[None, None, Checker]:
        """``Checker(text, settings)`` in steps of a few milliseconds, with its first ``limit`` findings made.

        Whoever iterates gets the checker as the generator's value.
        """
        checker = cls("", settings)
        checker.document = yield from load_stepwise(text)
        module = checker._module(at_once=False)
        yield from module.read()
        checker.semantics = Semantics(module)
        checker._records = checker._nothing_found()
        checker._examination = Examination(checker.semantics)
        yield from checker._examining(limit)
        for chunk in checker.document.chunks:
            if suppressions.MARK in chunk.text:
                checker._marked.add(chunk)
            yield
        return checker

    @property
    def module(self) -> Module:
        """The functions, scopes and header of the document."""
        return self.semantics.module

    def _examining(self, budget: int | None = None) -> Iterator[None]:
        """Make the findings of statements in steps of a few milliseconds, until ``budget`` more are found."""
        for function in self._functions_with_records():
            record = self._records[function]
            while not record.is_complete(function):
                if budget is not None and budget <= 0:
                    return
                before = record.counts.total()
                record.add(self._shown(self._examination.of_chunk(function, record.examined)))
                if budget is not None:
                    budget -= record.counts.total() - before
                yield
            if record.is_empty:
                del self._records[function]

    def _functions_with_records(self) -> list[Function]:
        return sorted(self._records, key=lambda one: self.module.positions.chunk_number(one.first))

    def _shown(self, found: list[LocatedFinding]) -> list[LocatedFinding]:
        """Those of them that the settings let through, with the severities that the settings give them."""
        if self.settings.shows_all or not found:
            return found
        return [
            (chunk, index, replace(finding, diagnostic=diagnostic))
            for chunk, index, finding in found
            for diagnostic in self.settings.applied([finding.diagnostic])
        ]

    def _module(self, *, at_once: bool) -> Module:
        version, target = self.settings.ptx_version, self.settings.target
        return Module(
            self.document,
            Version.parse(version) if version else None,
            Target.parse(target) if target else None,
            at_once=at_once,
        )

    def _nothing_found(self) -> dict[Function, Record]:
        return {function: self._record() for function in self.module.functions}

    def _record(self) -> Record:
        """A record that keeps of each severity as many findings as can be shown, and one more."""
        return Record(self.settings.max_diagnostics + 1)

    def edit(self, span: Span, text: str) -> None:
        """Replace ``span`` of the document by ``text``; findings follow."""
        change = self.document.edit(span, text)
        self._marked.difference_update(change.removed)
        for chunk in change.removed:
            self._examination.forget(chunk)
        added = self.document.chunks[change.first : change.first + change.added]
        self._marked.update(chunk for chunk in added if suppressions.MARK in chunk.text)
        update = self.semantics.update(change)
        former = [found for function in update.gone for found in self._forget_flow(function)]
        if update.is_global:
            former += [found for function in list(self._flow_findings) for found in self._forget_flow(function)]
            self._records = self._nothing_found()
        else:
            for function in update.gone:
                self._records.pop(function, None)
            self._records.update((function, self._record()) for function in update.fresh)
        moved = StatementTracker(self.document, change, span, len(text))
        for chunk, index, finding in former:
            place = moved.find(chunk, index)
            if place is not None:
                self._former.setdefault(self.module.function_of(place[0]), []).append((*place, finding))

    def _forget_flow(self, function: Function) -> list[LocatedFinding]:
        """Give up what was found about the flow through a function."""
        before = self._former.pop(function, [])
        return self._flow_findings.pop(function, before)

    def diagnostics(self, limit: int | None = None, *, at_once: bool = True) -> list[Diagnostic]:
        """The findings that :meth:`findings` shows."""
        return self.findings(limit, at_once=at_once).shown

    def findings(
        self,
        limit: int | None = None,
        *,
        at_once: bool = True,
        flow: Callable[[], Iterable[Diagnostic]] | None = None,
    ) -> Selection:
        """All findings, with settings and suppressions applied; the ``limit`` most severe ones are shown.

        Args:
            limit: how many are shown at most.
            at_once: if not, what takes long is left to :meth:`follow`: about ``limit`` more findings of statements are
                made, and of the flow through a function what is known so far is in the list. Fixes of the header are
                left to who asks for them.
            flow: gives what :meth:`flow_diagnostics` would, where somebody else works on that.

        """
        found = self._selected(limit, at_once=at_once, flow=flow)
        if at_once and any(one.header for one in found.shown):
            found = found._replace(shown=with_header_fixes(self.semantics, found.shown))
        return found

    def _selected(
        self, limit: int | None, *, at_once: bool, flow: Callable[[], Iterable[Diagnostic]] | None
    ) -> Selection:
        self._forget_moved_declarations()
        for _ in self._examining(None if at_once else limit):
            pass
        found = list(self._structural())
        found += (flow or self.flow_diagnostics)() if at_once else self._flow_known(self.module.functions)
        found = self.settings.applied(found)
        if self._marked:
            found += self._of_statements(None)
            found = self.settings.applied(suppressions.apply(self.document.text, found))
            return select(found, Counter(one.severity for one in found), limit)
        counts = Counter(one.severity for one in found)
        for record in self._records.values():
            counts.update(record.counts)
        found += self._of_statements(None if limit is None else shares(counts, limit + 1))
        return select(found, counts, limit)

    def _of_statements(self, wanted: Counter[Severity] | None) -> list[Diagnostic]:
        """The findings in statements; of each severity at least the ``wanted`` first ones, or all."""
        module, silences = self.module, self._silences()
        placed: list[Diagnostic] = []
        for function in self._functions_with_records():
            if wanted is not None and not wanted.total():
                break
            record = self._records[function]
            if record.is_cut and (wanted is None or any(wanted[one] > record.kept[one] for one in record.counts)):
                record = self._examined_in_full(function)
            before = len(placed)
            for chunk, index, finding in first_of_each(record.single, severity_of, wanted):
                placed.append(finding.placed(module, module.positions.statement_start(chunk, index)))
            groups = first_of_each(record.grouped.items(), lambda group: severity_of(group[1][0]), wanted)
            placed += reported(module, function, groups, silences)
            if wanted is not None:
                wanted = wanted - Counter(one.severity for one in placed[before:])
        return self.settings.applied(placed)

    def _silences(self) -> Callable[[str, int], bool] | None:
        """A function that returns whether a comment silences a code at an offset; None without such comments."""
        return suppressions.find(self.document.text).silences if self._marked else None

    def _examined_in_full(self, function: Function) -> Record:
        """A record of a function that keeps all findings of the chunks that are examined."""
        chunks = self._records[function].examined
        record = self._records[function] = Record()
        for number in range(chunks):
            record.add(self._shown(self._examination.of_chunk(function, number)))
        return record

    def _forget_moved_declarations(self) -> None:
        """Give up what was found in a function if a declaration that it refers to is no longer where it was."""
        for function, record in self._records.items():
            if not all(map(self.module.positions.holds, record.declarations)):
                self._records[function] = self._record()

    def flow_diagnostics(self, functions: Iterable[Function] | None = None) -> list[Diagnostic]:
        """The findings about the flow through some functions, or all, without settings and suppressions."""
        wanted = self.module.functions if functions is None else list(functions)
        for function in wanted:
            if function not in self._flow_findings:
                for _ in self._following(function):
                    pass
        return list(self._flow_known(wanted))

    def _flow_known(self, functions: Iterable[Function]) -> Iterator[Diagnostic]:
        module = self.module
        silences = self._silences() if module.header.is_generated else None
        for function in functions:
            known = self._flow_findings.get(function)
            groups: dict[Mistake, list[LocatedFinding]] = {}
            for one in self._former.get(function, ()) if known is None else known:
                chunk, index, finding = one
                mistake = mistake_of(finding)
                if mistake is not None:
                    groups.setdefault(mistake, []).append(one)
                else:
                    yield finding.placed(module, module.positions.statement_start(chunk, index))
            yield from reported(module, function, groups.items(), silences)

    @property
    def is_followed(self) -> bool:
        """Whether all statements are examined and the flow through all functions is checked."""
        is_examined = all(record.is_complete(function) for function, record in self._records.items())
        return is_examined and len(self._flow_findings) == len(self.module.functions)

    def follow(self) -> Iterator[None]:
        """Make the findings that :meth:`findings` leaves out if not ``at_once``, in steps of a few milliseconds."""
        yield from self._examining()
        for function in list(self.module.functions):
            if function not in self._flow_findings:
                yield from self._following(function)

    def _following(self, function: Function) -> Iterator[None]:
        found: list[LocatedFinding] = []
        try:
            yield from self._followed(function, found)
        except Exception:
            log.exception("the flow through a function could not be followed")
        self.semantics.forget_flow(function)
        self._flow_findings[function] = found
        self._former.pop(function, None)

    def _followed(self, function: Function, found: list[LocatedFinding]) -> Iterator[None]:
        if not function.has_body:
            return
        flow = self.semantics.flow(function)
        checks = [check for check, opcodes in _FLOW_CHECKS if opcodes is None or flow.has(opcodes)]
        if checks:
            yield from flow.preparing()
        for check in checks:
            for place, finding in guarded(check, flow):
                found.append((place.chunk, place.statement, grouped(self.module, finding)))
                if len(found) % _FINDINGS_IN_A_STEP == 0:
                    yield
            yield

    def _structural(self) -> Iterator[Diagnostic]:
        """The findings in heads, declarations and braces, in document offsets."""
        module = self.module
        if not self.document.chunks:
            for finding in self._examination.of_nothing():
                yield finding.placed(module, 0)
            return
        for placed in self._examination.of_structure(self.settings):
            yield placed.finding.placed(
                module, module.positions.statement_start(placed.place.chunk, placed.place.statement)
            )


_FINDINGS_IN_A_STEP = 32


def check_text(text: str, settings: Settings | None = None) -> list[Diagnostic]:
    """All findings in a text. For one-shot use; an editor keeps a :class:`Checker`."""
    return Checker(text, settings).diagnostics()
