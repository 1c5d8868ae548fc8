"""Runs all checks over a document and keeps their findings up to date.

Statements that the analysis flags are shown to the statement checks; functions and
the module to theirs. Findings are kept per chunk, function and check, and made again only
when something changed that they depend on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from ptx_lsp import suppressions
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, is_fragment
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.by_function import FunctionFindings, FunctionState, in_order
from ptx_lsp.checks.engine.earlier_findings import EarlierFindings
from ptx_lsp.checks.engine.examination import findings_of_nothing
from ptx_lsp.checks.engine.finding_limit import Selection, most_counted, needed, select, shares
from ptx_lsp.checks.engine.flow_checks import FlowChecks
from ptx_lsp.checks.engine.flow_findings import FlowFindings
from ptx_lsp.checks.engine.grouping import LocatedFinding, shown_by
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

    def __init__(
        self, text: str | Document, settings: Settings | None = None, *, given: Sequence[GivenName] | None = None
    ) -> None:
        """Check a text or document; with ``given`` names it is no module but statements of a body (:class:`Module`)."""
        self.settings = settings or Settings()
        self.document = text if isinstance(text, Document) else Document(text)
        self._given = given
        self._take(self._module(at_once=True))

    def _take(self, module: Module) -> None:
        """Begin with a module of which nothing is found yet."""
        self.semantics = Semantics(module)
        self.statements = StatementFindings(self.semantics, self.settings)
        self.of_module = ModuleFindings(module, self.settings)
        self._flow = FlowFindings(module)
        self._checks = FlowChecks(self.semantics, self.settings)
        self._comments = SuppressionComments(module)
        self._returned = 0
        """The number of edits that gave chunks back with what was known of them."""

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
            given=self._given,
        )

    def edit(self, span: Span, text: str) -> Change:
        """Replace ``span`` of the document by ``text``; findings follow."""
        change = self.document.edit(span, text)
        self._comments.update(change)
        self._returned += bool(change.given_back)
        update = self.semantics.update(change)
        self.statements.update(change, update)
        self.of_module.update(change, update)
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
        is_examined: bool = False,
        flow: Callable[[], Iterable[Diagnostic]] | None = None,
    ) -> Selection:
        """All findings, with settings and suppressions applied; the ``limit`` most severe ones are shown.

        Args:
            limit: how many are shown at most.
            at_once: if not, what takes long is left to :meth:`follow`: about ``limit`` more findings of statements are
                made, and of the flow through a function what is known so far is in the list. Fixes of the header are
                left to who asks for them.
            is_examined: :meth:`by_function` was asked right before, so that no more findings of statements are made.
            flow: gives what :meth:`flow_diagnostics` would, where somebody else works on that.

        """
        most = self._most(limit)
        structural = self.settings.applied(self._structural(most))
        if not is_examined:
            self._examine(limit, structural if at_once else None)
        found = self._selected(limit, structural, at_once=at_once, flow=flow)
        return with_header_fixes(self.semantics, found) if at_once and not is_fragment(self.module) else found

    def _most(self, limit: int | None) -> int | None:
        """From how many findings on no more are made; None: what comments silence makes room for others."""
        return None if self._comments else most_counted(limit)

    def _examine(self, limit: int | None, structural: list[Diagnostic] | None = None) -> None:
        """Examine statements until ``limit`` more findings are made; with the ``structural`` ones, all of them.

        Then functions after so many findings that none of theirs is shown or counted are left out.
        """
        self.statements.count_until(self._most(limit))
        earlier = None if structural is None else EarlierFindings(self.module.positions, structural)
        for _ in self.statements.examining(limit if structural is None else None, earlier=earlier):
            pass

    def _selected(
        self,
        limit: int | None,
        structural: list[Diagnostic],
        *,
        at_once: bool,
        flow: Callable[[], Iterable[Diagnostic]] | None,
    ) -> Selection:
        most = self._most(limit)
        found = structural
        followed = None
        if at_once:
            followed = self.settings.applied(flow() if flow else self._flow_at_once(most, structural=structural))
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

    def by_function(self, limit: int) -> list[FunctionFindings] | None:
        """The functions with findings, in order, if all are shown, as by ``findings(limit, at_once=False)``.

        None if there are too many, if comments may silence some, or if statements are left to examine.
        """
        self._examine(limit)
        if self._comments or not self.statements.is_complete or not self.document.chunks:
            return None
        structural: dict[Function, list[Diagnostic]] = {}
        for function, found in self._structural_by_function():
            structural.setdefault(function, []).extend(self.settings.applied([found]))
        counts = self.statements.counts.total() + self._flow.counts.total() + sum(map(len, structural.values()))
        if counts > limit:
            return None
        of_statements, of_flow = self.statements.records, self._flow.records
        generation = self.module.generation + self._returned
        return [
            FunctionFindings(
                one,
                FunctionState(generation, of_statements.get(one), of_flow.get(one)),
                structural.get(one, []),
            )
            for one in self.module.functions.in_order(of_statements.keys() | of_flow.keys() | structural.keys())
        ]

    def in_function(self, one: FunctionFindings) -> list[Diagnostic]:
        """The findings in a function, in order, in document offsets."""
        flow = self.settings.applied(self._flow.placed([one.function], None, None))
        return in_order([*one.structural, *flow, *self.statements.in_function(one.function)])

    def _flow_known(self, wanted: Counter[Severity] | None) -> list[Diagnostic]:
        """The findings about the flow so far; of each severity at least the ``wanted`` first ones, or all."""
        silences = self._silences() if self.module.header.is_generated else None
        return self.settings.applied(self._flow.placed(None, wanted, silences))

    def _silences(self) -> Callable[[str, int], bool] | None:
        """A function that returns whether a comment silences a code at an offset; None without such comments."""
        return suppressions.find_passages(self._comments.passages()).silences if self._comments else None

    def flow_diagnostics(self, functions: Iterable[Function] | None = None) -> list[Diagnostic]:
        """The findings about the flow through some functions, or all, without suppressions."""
        return self._flow_at_once(self._most(self.settings.max_diagnostics), functions)

    def _flow_at_once(
        self,
        most: int | None,
        functions: Iterable[Function] | None = None,
        structural: Sequence[Diagnostic] | None = None,
    ) -> list[Diagnostic]:
        """The findings about the flow through some functions, or all, unless there are ``most`` others before them.

        With the ``structural`` ones, those and the ones in statements count as others too.
        """
        followed = list(self.module.functions if functions is None else functions)
        left = [function for function in followed if function not in self._flow]
        if len(left) * _FEW < len(followed):
            for function in left:
                for _ in self._following(function, most):
                    pass
        elif left:
            followed = self._follow_in_order(followed, most, structural)
        silences = self._silences() if self.module.header.is_generated else None
        return list(self._flow.placed(followed, None, silences))

    def _follow_in_order(
        self, functions: list[Function], most: int | None, structural: Sequence[Diagnostic] | None
    ) -> list[Function]:
        """Follow functions unless there are ``most`` findings before theirs; the functions up to that."""
        others: Counter[Severity] = Counter()
        if structural is not None:
            others = self.statements.counts + Counter(one.severity for one in structural)
        earlier = EarlierFindings(self.module.positions, structural or ())
        before: Counter[Severity] = Counter()
        followed = []
        least: int | None = None
        for function in functions:
            if earlier.count_before(function, before) or least is None:
                # Where others stand in the function is not known: only less severe ones are certainly not shown.
                least = min(needed(others, most) + 1, needed(before, most))
            if not least:
                break
            followed.append(function)
            if function not in self._flow:
                for _ in self._following(function, most, least):
                    pass
            counts = self._flow.counts_in(function)
            if counts:
                others += counts
            if structural is not None:
                counts = counts + self.statements.counts_in(function)
            if counts:
                before += counts
                least = None
        return followed

    @property
    def is_followed(self) -> bool:
        """Whether all statements are examined and the flow through all functions is checked."""
        return self.statements.is_complete and self._flow.is_complete

    def follow(self) -> Iterator[None]:
        """Make the findings that :meth:`findings` leaves out if not ``at_once``, in steps of a few milliseconds."""
        yield from self.statements.examining()
        most = self._most(self.settings.max_diagnostics)
        for function in list(self.module.functions):
            if function not in self._flow:
                yield from self._following(function, most)

    def _following(self, function: Function, most: int | None, least: int = Severity.HINT) -> Iterator[None]:
        found: list[LocatedFinding] = []
        if function.has_body:
            try:
                yield from self._checks.finding(function, found, most, least)
            except Exception:
                log.exception("the flow through a function could not be followed")
            self.semantics.forget_flow(function)
            self.semantics.effects.followed(function.chunks)
        self._flow.set(function, shown_by(self.settings, found), is_whole=least == Severity.HINT)

    def _structural(self, most: int | None) -> Iterator[Diagnostic]:
        """The findings in heads, declarations and braces, in document offsets; of very many not all.

        Of each severity, the ``most`` first ones of each check of the module, and of all functions together.
        """
        module = self.module
        if not self.document.chunks and not is_fragment(module):
            for finding in findings_of_nothing():
                yield finding.placed(module, 0)
            return
        for placed in self.of_module.all(most):
            yield placed.diagnostic(module)

    def _structural_by_function(self) -> Iterator[tuple[Function, Diagnostic]]:
        module = self.module
        for placed in self.of_module.all():
            yield module.function_of(placed.place.chunk), placed.diagnostic(module)


def with_header_fixes(semantics: Semantics, found: Selection) -> Selection:
    """The selection with fixes of the header for the findings that are shown and ask for another."""
    if not any(one.header for one in found.shown):
        return found
    from ptx_lsp.checks.engine import header_fixes  # imported late: it is rarely needed

    return found._replace(shown=header_fixes.with_header_fixes(semantics, found.shown))


_FEW = 4
"""If only one of so many functions is left to follow, the findings in the others are not counted again."""


def check_text(text: str, settings: Settings | None = None) -> list[Diagnostic]:
    """All findings in a text. For one-shot use; an editor keeps a :class:`Checker`."""
    return Checker(text, settings).diagnostics()
