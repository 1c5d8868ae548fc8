"""Runs all checks over a document and keeps their findings up to date.

Statements that the analysis flags are shown to the statement checks; functions and
the module to theirs. Findings are kept per chunk, function and check, and made again only
when something changed that they depend on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial

from ptx_lsp import suppressions
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module, is_fragment
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.alike_functions import AlikeFunctions
from ptx_lsp.checks.engine.by_function import FunctionFindings
from ptx_lsp.checks.engine.earlier_findings import EarlierFindings
from ptx_lsp.checks.engine.finding_limit import Selection, most_counted, needed
from ptx_lsp.checks.engine.flow_checks import FlowChecks
from ptx_lsp.checks.engine.flow_findings import FlowFindings
from ptx_lsp.checks.engine.grouping import LocatedFinding, shown_by
from ptx_lsp.checks.engine.listing import Follow, Listing
from ptx_lsp.checks.engine.module_findings import ModuleFindings
from ptx_lsp.checks.engine.statement_findings import StatementFindings
from ptx_lsp.checks.engine.suppression_comments import SuppressionComments
from ptx_lsp.derived_values import forgetting
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion, without_pauses
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.syntax.documents.statement_tracker import StatementTracker
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise
from ptx_lsp.text import Span

_FUNCTIONS_IN_A_STEP = 256


class Checker:
    """A document under all checks."""

    def __init__(
        self,
        text: str | Document,
        settings: Settings | None = None,
        *,
        given: Sequence[GivenName] | None = None,
        are_bodies: bool = False,
    ) -> None:
        """Check a text or document; with ``given`` names it is statements of one body or several (:class:`Module`)."""
        self.settings = settings or Settings()
        self.document = text if isinstance(text, Document) else Document(text)
        self._given = given
        self._are_bodies = are_bodies
        self._take(self._module(at_once=True))

    def _take(self, module: Module) -> None:
        """Begin with a module of which nothing is found yet."""
        self.semantics = Semantics(module)
        self._alike = AlikeFunctions(module)
        self.statements = StatementFindings(self.semantics, self.settings, self._alike)
        self.of_module = ModuleFindings(module, self.settings)
        self._flow = FlowFindings(module)
        self._comments = SuppressionComments(module)
        self._checks = FlowChecks(self.semantics, self.settings, self._comments, self._alike)
        self._listing = Listing(module, self.settings, self.of_module, self.statements, self._flow, self._comments)

    @classmethod
    def reading(cls, text: str, settings: Settings, limit: int) -> Generator[None, None, Checker]:
        """``Checker(text, settings)`` in steps of a few milliseconds, with its first ``limit`` findings made.

        Whoever iterates gets the checker as the generator's value.
        """
        document = yield from load_stepwise(text)
        checker = yield from cls.taking(document, settings)
        yield from checker.statements.examining(limit)
        return checker

    @classmethod
    def taking(
        cls, document: Document, settings: Settings, *, given: Sequence[GivenName] | None = None
    ) -> Generator[None, None, Checker]:
        """``Checker(document, settings, given=given)`` in steps of a few milliseconds."""
        checker = cls("", settings)
        checker.document, checker._given = document, given
        module = checker._module(at_once=False)
        yield from module.read()
        checker._take(module)
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
            are_bodies=self._are_bodies,
        )

    def edit(self, span: Span, text: str) -> Change:
        """Replace ``span`` of the document by ``text``; findings follow."""
        return run_to_completion(self.editing(span, text))

    def editing(self, span: Span, text: str) -> Generator[None, None, Change]:
        """:meth:`edit` in steps of a few milliseconds; nothing else may be asked until the last one."""
        change = yield from self.document.editing(span, text)
        self._comments.update(change)
        self._alike.forget()
        update = yield from self.semantics.updating(change)
        yield from self.statements.updating(change, update)
        self.of_module.update(change, update)
        self._flow.update(update, StatementTracker(self.document, change, span, len(text)), change.removed)
        yield from forgetting(change.dropped)
        return change

    def closing(self) -> Generator[None, None, None]:
        """Give up what is derived from the document, in steps of a few milliseconds; nothing else may be asked then."""
        yield from forgetting(self.document.swallowed.chunks())
        yield from self.semantics.closing()

    def diagnostics(self, limit: int | None = None, *, at_once: bool = True) -> list[Diagnostic]:
        """The findings that :meth:`findings` shows."""
        return self.findings(limit, at_once=at_once).shown

    def findings(
        self,
        limit: int | None = None,
        *,
        at_once: bool = True,
        flow: Callable[[], Iterable[Diagnostic]] | None = None,
        least: int = Severity.HINT,
    ) -> Selection:
        """All findings, with settings and suppressions applied; the ``limit`` most severe ones are shown.

        Args:
            limit: how many are shown at most.
            at_once: if not, what takes long is left to :meth:`follow`: about ``limit`` more findings of statements are
                made, and of the flow through a function what is known so far is in the list. Fixes of the header are
                left to who asks for them.
            flow: gives what :meth:`flow_diagnostics` would, where somebody else works on that; not asked if so many
                other errors are known that no other severity is shown.
            least: the least severe findings that are needed; of the flow no others are made.

        """
        if not at_once:
            return run_to_completion(self.listing(limit))
        structural = run_to_completion(self._listing.structural(limit))
        for _ in self._listing.examining(limit, structural):
            pass
        follow: Follow = partial(self._flow_at_once, limit, least=least)
        if flow is not None:
            follow = partial(self._flow_by, flow, follow)
        found = run_to_completion(self._listing.selecting(limit, structural, follow))
        return found if is_fragment(self.module) else with_header_fixes(self.semantics, found)

    def listing(self, limit: int | None) -> Generator[None, None, Selection]:
        """``findings(limit, at_once=False)`` in steps; an edit between two steps makes it invalid."""
        yield from self._listing.examining(limit)
        return (yield from self.selecting(limit))

    def listing_by_function(self, limit: int) -> Generator[None, None, list[FunctionFindings] | None]:
        """The functions with findings, in order, if all are shown, as by ``findings(limit, at_once=False)``; in steps.

        None if there are too many, if comments may silence some, or if statements are left to examine.
        """
        yield from self._listing.examining(limit)
        return (yield from self._listing.by_function(limit))

    def listing_function(self, one: FunctionFindings) -> Generator[None, None, list[Diagnostic]]:
        """The findings in a function, in order, in document offsets; in steps."""
        return (yield from self._listing.in_function(one))

    def selecting(self, limit: int | None) -> Generator[None, None, Selection]:
        """:meth:`listing` right after :meth:`listing_by_function`: no more findings of statements are made."""
        structural = yield from self._listing.structural(limit)
        return (yield from self._listing.selecting(limit, structural, None))

    def _silences(self) -> Callable[[str, int], bool] | None:
        """A function that returns whether a comment silences a code at an offset; None without such comments."""
        if not self._comments:
            return None
        return run_to_completion(suppressions.reading(run_to_completion(self._comments.passages()))).silences

    def flow_diagnostics(
        self, functions: Iterable[Function] | None = None, structural: Sequence[Diagnostic] | None = None
    ) -> list[Diagnostic]:
        """The findings about the flow through some functions, or all, without suppressions.

        With ``structural`` findings, those are left out that are not shown beside these and the ones in statements.
        """
        limit = self.settings.max_diagnostics
        return self._flow_at_once(limit, structural, self._listing.most(limit), functions)

    def _flow_by(
        self,
        flow: Callable[[], Iterable[Diagnostic]],
        follow: Follow,
        structural: Sequence[Diagnostic],
        most: int | None,
    ) -> Iterable[Diagnostic]:
        """The findings of ``flow``; if only errors can still be shown, those of ``follow``, which are few."""
        return flow() if needed(self._known(structural), most) else follow(structural, most)

    def _flow_at_once(
        self,
        limit: int | None,
        structural: Sequence[Diagnostic] | None,
        most: int | None,
        functions: Iterable[Function] | None = None,
        least: int = Severity.HINT,
    ) -> list[Diagnostic]:
        """The findings about the flow through some functions, or all, unless there are ``most`` others before them.

        With the ``structural`` ones, those and the ones in statements count as others too. At most ``limit`` are shown.
        """
        followed = list(self.module.functions if functions is None else functions)
        left = [function for function in followed if function not in self._flow]
        if len(left) * _FEW < len(followed):
            for function in left:
                for _ in self._following(function, limit, least):
                    pass
        elif left:
            followed = self._follow_in_order(followed, limit, most, structural, least)
        silences = self._silences() if self.module.header.is_generated else None
        return list(without_pauses(self._flow.placed(followed, None, silences)))

    def _follow_in_order(
        self,
        functions: list[Function],
        limit: int | None,
        most: int | None,
        structural: Sequence[Diagnostic] | None,
        needed_at_all: int,
    ) -> list[Function]:
        """Follow functions unless there are ``most`` findings before theirs; the functions up to that."""
        others: Counter[Severity] = Counter()
        if structural is not None:
            others = self._known(structural)
        earlier = EarlierFindings(self.module.positions, structural or ())
        before: Counter[Severity] = Counter()
        followed = []
        least: int | None = None
        for function in functions:
            if earlier.count_before(function, before) or least is None:
                # Where others stand in the function is not known: only less severe ones are certainly not shown.
                least = min(needed(others, most) + 1, needed(before, most), needed_at_all)
            if not least:
                break
            followed.append(function)
            if function not in self._flow:
                for _ in self._following(function, limit, least):
                    pass
            of_flow = self._flow.counts_in(function)
            of_statements = self.statements.counts_in(function) if structural is not None else None
            if of_flow:
                others += of_flow
                before += of_flow
                least = None
            if of_statements:
                before += of_statements
                least = None
        return followed

    def _known(self, structural: Sequence[Diagnostic]) -> Counter[Severity]:
        """The number of findings of each severity in statements and outside of them."""
        return self.statements.counts + Counter(one.severity for one in structural)

    @property
    def is_followed(self) -> bool:
        """Whether all statements are examined and the flow through all functions is checked."""
        return self.statements.is_complete and self._flow.is_complete

    def follow(self) -> Iterator[None]:
        """Make the findings that :meth:`findings` leaves out if not ``at_once``, in steps of a few milliseconds."""
        yield from self.statements.examining()
        for number, function in enumerate(list(self.module.functions), 1):
            if function not in self._flow:
                yield from self._following(function, self.settings.max_diagnostics)
            if not number % _FUNCTIONS_IN_A_STEP:
                yield  # those without a body, and those that are known, make no steps

    def _following(self, function: Function, limit: int | None, least: int = Severity.HINT) -> Iterator[None]:
        """Make the findings about the flow through a function that are needed if ``limit`` are shown."""
        found: list[LocatedFinding] = []
        if function.has_body:
            try:
                yield from self._checks.finding(function, found, most_counted(limit), least)
            except Exception:
                log.exception("the flow through a function could not be followed")
            self.semantics.forget_flow(function)
            self.semantics.effects.followed(function.chunks)
        yield from self._flow.setting(function, shown_by(self.settings, found), is_whole=least == Severity.HINT)


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
