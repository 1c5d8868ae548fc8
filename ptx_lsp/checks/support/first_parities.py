"""The parities with which waits for mbarriers begin, for the rules about them."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.first_values import FirstValues
from ptx_lsp.isa.model.ordering import PHASE, Verb


class FirstParities:
    """The first parities in a function; ``flow.derived(FirstParities)`` makes them once."""

    def __init__(self, flow: Flow) -> None:
        self._kernel = flow.kernel
        self._flow = flow
        self._values: FirstValues | None = None
        self._known: dict[tuple[int, int], int | None] = {}

    def of(self, wait: Step) -> int | None:
        """The parity when a wait is executed for the first time; None if it is not known, or there is none."""
        key = (wait.node, wait.statement)
        if key not in self._known:
            self._known[key] = self._found(wait)
        return self._known[key]

    def _found(self, wait: Step) -> int | None:
        fact = self._kernel.facts.find(wait, Verb.WAITS, PHASE)
        operand = self._kernel.operand(wait, *fact.operands[1:]) if fact is not None else None
        if operand is None:
            return None
        if self._values is None:
            self._values = FirstValues(self._flow.graph, self._flow.expressions)
        return self._values.of(wait, operand)
