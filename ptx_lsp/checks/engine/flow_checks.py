"""Asks the checks of the flow through a function, in steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp import codes
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import is_fragment
from ptx_lsp.analysis.semantics.flow import has_operands
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.checks import Concern, concerns_of, flow_checks, is_about_kernels
from ptx_lsp.checks.engine.examination import guarded
from ptx_lsp.checks.engine.grouping import LocatedFinding, grouped
from ptx_lsp.checks.engine.suppression_comments import SuppressionComments
from ptx_lsp.checks.support.check import Check
from ptx_lsp.diagnostic import Severity
from ptx_lsp.settings import Settings

_FINDINGS_IN_A_STEP = 32
_OPCODES_IN_A_STEP = 64


class FlowChecks:
    """The checks of the flow through the functions of a module, with the severities of its settings."""

    def __init__(self, semantics: Semantics, settings: Settings, comments: SuppressionComments) -> None:
        self._semantics = semantics
        self._module = semantics.module
        self._settings = settings
        self._comments = comments
        self._severe: dict[tuple[tuple[Check, ...], int], tuple[Check, ...]] = {}

    def finding(self, function: Function, found: list[LocatedFinding], most: int | None, least: int) -> Iterator[None]:
        """Append the findings of the checks of the flow down to the ``least`` severe; ``most`` of each check.

        Of a check whose code some comment silences, all: those that are not silenced may come late.
        """
        if not function.has_body or is_fragment(self._module) and not _declares_registers(function):
            return
        flow = self._semantics.flow(function)
        concerns: set[Concern] = set()
        opcodes = iter(flow.full_opcodes)
        while some := tuple(islice(opcodes, _OPCODES_IN_A_STEP)):
            concerns |= concerns_of(some)
            yield
        operands = has_operands(flow)
        checks = self._as_severe(flow_checks(frozenset(concerns), operands=operands), least)
        needs_kernel = any(map(is_about_kernels, checks))
        # If few checks are asked, most of them need only the text.
        if needs_kernel or checks and least == Severity.HINT and operands:
            yield from flow.preparing()
        if needs_kernel:
            from ptx_lsp.analysis.synchronization.barriers import preparing  # imported late: few files need it

            yield from preparing(flow.kernel)
            if flow.kernel.is_known:
                yield from flow.asynchronous.preparing()
        for check in checks:
            assert check.check_flow is not None
            if is_fragment(self._module) and check.rule.code in codes.OF_MODULES:
                continue
            left = None if self._comments.silences_some(check.rule.code) else most
            for one in guarded(check.check_flow, flow):
                if one is None:
                    yield
                    continue
                place, finding = one.place, grouped(self._module, one.finding)
                found.append((place.chunk, place.statement, finding))
                if len(found) % _FINDINGS_IN_A_STEP == 0:
                    yield
                if left is not None and finding.group_key is None:
                    left -= 1
                    if not left:
                        break
            yield

    def _as_severe(self, checks: tuple[Check, ...], least: int) -> tuple[Check, ...]:
        """Those of some checks whose findings are down to the ``least`` severe."""
        if least >= Severity.HINT:
            return checks
        found = self._severe.get((checks, least))
        if found is None:
            severity_of = self._settings.severity_of
            found = tuple(one for one in checks if severity_of(one.rule.code, one.rule.severity) <= least)
            self._severe[checks, least] = found
        return found


def _declares_registers(function: Function) -> bool:
    """Whether a function has registers of its own: of others a fragment does not say where their values are from."""
    return any(".reg" in chunk.text for chunk in function.chunks)
