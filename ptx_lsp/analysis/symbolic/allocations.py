"""Addresses in Tensor Memory: an allocation writes one to shared memory, from where threads load it.

A load has the address of an allocation if it loads from where only that instruction stores, as far as addresses are
known that never change.
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbolic.symbolic_values import SymbolicValues
from ptx_lsp.derived_values import once
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import SHAPES

_ALLOCATES = ("tcgen05", ".alloc")
_STORES = frozenset({"st"})
_MOST_STORES = 2000
_BYTES = 4


class Allocations:
    """The allocations of one function.

    Args:
        steps: its instructions.
        values: the values of its registers.

    """

    def __init__(self, steps: Steps, values: SymbolicValues) -> None:
        self._steps = steps
        self._values = values

    @once
    def _slots(self) -> dict[LinearValue, Step | None]:
        """The allocation that writes its result to each address; None if several instructions write there."""
        found: dict[LinearValue, Step | None] = {}
        for step in self._steps.all(frozenset(_ALLOCATES[:1])):
            if step.opcode[:2] == _ALLOCATES:
                address = self._address(step)
                if address is not None:
                    found[address] = step if address not in found else None
        stores = self._steps.all(_STORES) if found else ()
        for count, step in enumerate(stores):
            if count > _MOST_STORES:
                return {}
            address = self._address(step)
            for slot in found if address is not None else ():
                distance = slot.distance(address) if address is not None else None
                if distance is not None and -_BYTES < distance < _BYTES:
                    found[slot] = None
        return found

    def _address(self, step: Step) -> LinearValue | None:
        """The first address in a statement, if it never changes."""
        context = self._steps.context(step)
        tree = context.instruction
        if tree is None or not tree.operands:
            return None
        value = self._values.operand(context, tree.operands[0])
        return value if value is not None and self._values.atoms.is_fixed(value) else None

    def loaded(self, context: StatementContext) -> Step | None:
        """The allocation whose result a statement loads."""
        tree = context.instruction
        if tree is None or tree.opcode[0] != "ld" or len(tree.operands) != 2 or not self._has_any:
            return None
        value = self._values.operand(context, tree.operands[1])
        return self._slots.get(value) if value is not None else None

    @once
    def _has_any(self) -> bool:
        shapes = set().union(*(chunk.shapes for chunk in self._steps.graph.function.chunks))
        return any(SHAPES[number].opcode[:2] == _ALLOCATES for number in shapes)

    def columns(self, step: Step) -> int | None:
        """The columns that an instruction allocates; None if that is no constant."""
        context = self._steps.context(step)
        tree = context.instruction
        number = evaluate(context.statement, tree.operands[1]) if tree is not None and len(tree.operands) > 1 else None
        return number if isinstance(number, int) else None
