"""Asks the checks of the flow through a function, in steps."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator
from itertools import islice

from ptx_lsp import codes
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import is_fragment
from ptx_lsp.analysis.semantics.flow import Flow, has_operands
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.checks import Concern, concerns_of, flow_checks, is_about_kernels
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.alike_functions import AlikeFunctions, Quiet
from ptx_lsp.checks.engine.grouping import LocatedFinding, grouped
from ptx_lsp.checks.engine.suppression_comments import SuppressionComments
from ptx_lsp.checks.support.check import Check
from ptx_lsp.diagnostic import Severity
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.kind import Kind

_FINDINGS_IN_A_STEP = 32
_OPCODES_IN_A_STEP = 64
_CHECKS_IN_A_STEP = 8
_MOST_KEPT = 512
_SHORT = 1024
"""In a function of so many characters a check is asked without a pause, and several checks in a step."""


class _Asked(NamedTuple):
    """The checks that are asked about functions with some properties."""

    checks: tuple[Check, ...]
    needs_kernel: bool
    """Whether one of them is about all that a kernel does."""


class _Properties(NamedTuple):
    """The properties of a function that follow from its shapes."""

    concerns: frozenset[Concern]
    operands: bool


class FlowChecks:
    """The checks of the flow through the functions of a module, with the severities of its settings."""

    def __init__(
        self, semantics: Semantics, settings: Settings, comments: SuppressionComments, alike: AlikeFunctions
    ) -> None:
        self._semantics = semantics
        self._module = semantics.module
        self._settings = settings
        self._comments = comments
        self._known: dict[tuple[frozenset[Concern], bool, int], _Asked] = {}
        self._by_shapes: ProcessCache[bytes, _Properties] = ProcessCache(_MOST_KEPT)
        self._is_fragment = is_fragment(self._module)
        self._quiet: set[Hashable] = set()
        """The likenesses of functions in which nothing is found."""
        self._alike = alike

    def finding(self, function: Function, found: list[LocatedFinding], most: int | None, least: int) -> Iterator[None]:
        """Append the findings of the checks of the flow down to the ``least`` severe; ``most`` of each check.

        Of a check whose code some comment silences, all: those that are not silenced may come late.
        """
        if not function.has_body or self._is_fragment and not _declares_registers(function):
            return
        likeness = _likeness(function)
        if likeness is not None and likeness in self._quiet:
            return
        flow = self._semantics.fresh_flow(function)
        concerns, operands = yield from self._properties(flow)
        checks, needs_kernel = self._asked(concerns, operands, least)
        quiet = None
        if checks and not self._is_fragment:
            quiet = self._alike.quiet(function, is_about_kernels=needs_kernel)
        if quiet is not None and (known := quiet.names()):
            checks = tuple([check for check in checks if check.name not in known])
            if not checks:
                return
            needs_kernel = needs_kernel and any(map(is_about_kernels, checks))
        is_short = _is_short(function)
        # If few checks are asked, most of them need only the text.
        is_alike = quiet is not None and bool(quiet.by_structure)
        if needs_kernel or checks and least == Severity.HINT and operands and not is_alike:
            for _ in flow.preparing():
                if not is_short:
                    yield
        if needs_kernel:
            from ptx_lsp.analysis.synchronization.barriers import preparing  # imported late: few files need it

            yield from preparing(flow.kernel)
            if flow.kernel.is_known:
                yield from flow.asynchronous.preparing()
        for number, check in enumerate(checks, 1):
            assert check.check_flow is not None
            left, before = most, len(found)
            try:  # as guarded() does, which takes as long as most checks
                for one in check.check_flow(flow):
                    if one is None:
                        if not is_short:
                            yield
                        continue
                    place, finding = one.place, grouped(self._module, one.finding)
                    found.append((place.chunk, place.statement, finding))
                    if len(found) % _FINDINGS_IN_A_STEP == 0:
                        yield
                    if left is not None and finding.group_key is None:
                        left -= 1
                        if left <= 0 and not (yield from self._comments.silencing_some(check.rule.code)):
                            break
                if quiet is not None and len(found) == before:
                    _add(quiet, check, flow)
            except Exception:
                log.exception("check %s failed", check.check_flow.__module__)
            if not is_short or not number % _CHECKS_IN_A_STEP:
                yield
        if likeness is not None and not found and not concerns and not operands and least == Severity.HINT:
            self._quiet.add(likeness)

    def _properties(self, flow: Flow) -> Generator[None, None, _Properties]:
        """The properties by which checks are chosen; those of short functions with equal shapes are found once."""
        shapes = flow.function.chunks[0].shapes.tobytes() if _is_short(flow.function) else b""
        known = self._by_shapes.get(shapes) if shapes else None
        if known is None:
            concerns: set[Concern] = set()
            opcodes = iter(flow.full_opcodes)
            while some := tuple(islice(opcodes, _OPCODES_IN_A_STEP)):
                concerns |= concerns_of(some)
                yield
            known = _Properties(frozenset(concerns), has_operands(flow))
            if shapes:
                self._by_shapes[shapes] = known
        return known

    def _asked(self, concerns: frozenset[Concern], operands: bool, least: int) -> _Asked:
        """The checks of functions with some properties whose findings are down to the ``least`` severe."""
        found = self._known.get((concerns, operands, least))
        if found is None:
            severity_of = self._settings.severity_of
            checks = tuple(
                one
                for one in flow_checks(concerns, operands=operands)
                if (least >= Severity.HINT or severity_of(one.rule.code, one.rule.severity) <= least)
                and not (self._is_fragment and one.rule.code in codes.OF_MODULES)
            )
            found = self._known[concerns, operands, least] = _Asked(checks, any(map(is_about_kernels, checks)))
        return found


def _add(quiet: Quiet, check: Check, flow: Flow) -> None:
    """Note that a check has found nothing in a function."""
    if quiet.by_text is not None:
        quiet.by_text.add(check.name)
    if quiet.by_structure is not None and check.ignores_numbers is not None and check.ignores_numbers(flow):
        quiet.by_structure.add(check.name)


def _likeness(function: Function) -> Hashable:
    """The shapes of a short function that declares nothing: if no instruction has operands, only they count.

    A rule that is always asked must depend on nothing else in such a function. None for any other function. Files of
    thousands of functions that only return are not followed one by one.
    """
    chunk = function.chunks[0]
    if len(function.chunks) > 1 or len(chunk) > _FEW_STATEMENTS or not _PLAIN.issuperset(chunk.kinds):
        return None
    if function.scope.names or function.scope.groups:
        return None
    return function.has_unbalanced_braces, function.symbol is None, tuple(chunk.shapes)


def _is_short(function: Function) -> bool:
    return len(function.chunks) == 1 and function.chunks[0].length <= _SHORT


_FEW_STATEMENTS = 16
_PLAIN = frozenset({Kind.EMPTY, Kind.INSTRUCTION, Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.LOCATION})


def _declares_registers(function: Function) -> bool:
    """Whether a function has registers of its own: of others a fragment does not say where their values are from."""
    return any(".reg" in chunk.text for chunk in function.chunks)
