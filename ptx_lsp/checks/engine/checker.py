"""Runs all checks over a document and keeps their findings up to date.

Statements that the analysis flags are shown to the statement checks; functions and
the module to theirs. Findings are kept per chunk, function and check, and made again only
when something changed that they depend on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator

from ptx_lsp import suppressions
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.checks import flow_checks
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.examination import findings_of_nothing, guarded
from ptx_lsp.checks.engine.finding_limit import Selection, select, shares
from ptx_lsp.checks.engine.flow_findings import FlowFindings
from ptx_lsp.checks.engine.grouping import LocatedFinding, grouped, shown_by
from ptx_lsp.checks.engine.module_findings import ModuleFindings
from ptx_lsp.checks.engine.statement_findings import StatementFindings
from ptx_lsp.checks.engine.suppression_comments import SuppressionComments
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.syntax.documents.statement_tracker import StatementTracker
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise
from ptx_lsp.text import Span


class Checker:
    """A document under all checks."""

    def __init__(self, text: str, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.document = Document(text)
        self._take(self._module(at_once=True))

    def _take(self, module: Module) -> None:
        """Begin with a module of which nothing is found yet."""
        self.semantics = Semantics(module)
        self.statements = StatementFindings(self.semantics, self.settings)
        self._of_module = ModuleFindings(module, self.settings)
        self._flow = FlowFindings(module)
        self._comments = SuppressionComments(module)

    @classmethod
    def reading(cls, text: str, settings: Settings, limit: int) -> Generator[None, None, Checker]:
        """``Checker(text, settings)`` in steps of a few milliseconds, with its first ``limit`` findings made.

        Whoever iterates gets the checker as the generator's value.
        """
        checker = cls("", settings)
        checker.document = yield from load_stepwise(text)
        module = checker._module(at_once=False)
        yield from module.read()
        checker._take(module)
        yield from checker.statements.examining(limit)
        return checker

    @property
    def module(self) -> Module:
        """The functions, scopes and header of the document."""
        return self.semantics.module

    def _module(self, *, at_once: bool) -> Module:
        version, target = self.settings.ptx_version, self.settings.target
        return Module(
            self.document,
            Version.parse(version) if version else None,
            Target.parse(target) if target else None,
            at_once=at_once,
        )

    def edit(self, span: Span, text: str) -> Change:
        """Replace ``span`` of the document by ``text``; findings follow."""
        change = self.document.edit(span, text)
        self._comments.update(change)
        update = self.semantics.update(change)
        self.statements.update(change, update)
        self._of_module.update(change, update)
        self._flow.update(update, StatementTracker(self.document, change, span, len(text)), change.removed)
        return change

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
            from ptx_lsp.checks.engine.header_fixes import with_header_fixes

            found = found._replace(shown=with_header_fixes(self.semantics, found.shown))
        return found

    def _selected(
        self, limit: int | None, *, at_once: bool, flow: Callable[[], Iterable[Diagnostic]] | None
    ) -> Selection:
        for _ in self.statements.examining(None if at_once else limit):
            pass
        found = self.settings.applied(self._structural())
        followed = self.settings.applied((flow or self.flow_diagnostics)()) if at_once else None
        if self._comments:
            found += self._flow_known(None) if followed is None else followed
            found += self.statements.placed(None, self._silences())
            found = self.settings.applied(suppressions.apply_passages(self._comments.passages(), found))
            return select(found, Counter(one.severity for one in found), limit)
        counts = self.statements.counts + Counter(one.severity for one in found)
        counts += self._flow.counts if followed is None else Counter(one.severity for one in followed)
        wanted = None if limit is None else shares(counts, limit + 1)
        found += self._flow_known(wanted) if followed is None else followed
        found += self.statements.placed(wanted, None)
        return select(found, counts, limit)

    def _flow_known(self, wanted: Counter[Severity] | None) -> list[Diagnostic]:
        """The findings about the flow so far; of each severity at least the ``wanted`` first ones, or all."""
        silences = self._silences() if self.module.header.is_generated else None
        return self.settings.applied(self._flow.placed(self.module.functions, wanted, silences))

    def _silences(self) -> Callable[[str, int], bool] | None:
        """A function that returns whether a comment silences a code at an offset; None without such comments."""
        return suppressions.find_passages(self._comments.passages()).silences if self._comments else None

    def flow_diagnostics(self, functions: Iterable[Function] | None = None) -> list[Diagnostic]:
        """The findings about the flow through some functions, or all, without suppressions."""
        wanted = self.module.functions if functions is None else list(functions)
        for function in wanted:
            if function not in self._flow:
                for _ in self._following(function):
                    pass
        silences = self._silences() if self.module.header.is_generated else None
        return list(self._flow.placed(wanted, None, silences))

    @property
    def is_followed(self) -> bool:
        """Whether all statements are examined and the flow through all functions is checked."""
        return self.statements.is_complete and self._flow.is_complete

    def follow(self) -> Iterator[None]:
        """Make the findings that :meth:`findings` leaves out if not ``at_once``, in steps of a few milliseconds."""
        yield from self.statements.examining()
        for function in list(self.module.functions):
            if function not in self._flow:
                yield from self._following(function)

    def _following(self, function: Function) -> Iterator[None]:
        found: list[LocatedFinding] = []
        try:
            yield from self._followed(function, found)
        except Exception:
            log.exception("the flow through a function could not be followed")
        self.semantics.forget_flow(function)
        self._flow.set(function, shown_by(self.settings, found))

    def _followed(self, function: Function, found: list[LocatedFinding]) -> Iterator[None]:
        if not function.has_body:
            return
        flow = self.semantics.flow(function)
        checks = flow_checks(flow.opcodes)
        if checks:
            yield from flow.preparing()
        for check in checks:
            assert check.check_flow is not None
            for place, finding in guarded(check.check_flow, flow):
                found.append((place.chunk, place.statement, grouped(self.module, finding)))
                if len(found) % _FINDINGS_IN_A_STEP == 0:
                    yield
            yield

    def _structural(self) -> Iterator[Diagnostic]:
        """The findings in heads, declarations and braces, in document offsets."""
        module = self.module
        if not self.document.chunks:
            for finding in findings_of_nothing():
                yield finding.placed(module, 0)
            return
        for placed in self._of_module.all():
            yield placed.finding.placed(
                module, module.positions.statement_start(placed.place.chunk, placed.place.statement)
            )


_FINDINGS_IN_A_STEP = 32


def check_text(text: str, settings: Settings | None = None) -> list[Diagnostic]:
    """All findings in a text. For one-shot use; an editor keeps a :class:`Checker`."""
    return Checker(text, settings).diagnostics()
