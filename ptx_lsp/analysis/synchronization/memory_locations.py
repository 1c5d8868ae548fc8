"""Places in shared memory, as far as the text tells which they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.dataflow.flow import Flow


class MemoryLocation(NamedTuple):
    """A byte of a variable in shared memory; ``offset`` None: somewhere in it."""

    variable: Symbol
    offset: int | None

    def moved(self, distance: int | None) -> MemoryLocation:
        """The place so many bytes on."""
        known = self.offset is not None and distance is not None
        return self._replace(offset=self.offset + distance if known else None)  # type: ignore[operator]

    @property
    def is_elsewhere(self) -> bool:
        """Whether the variable is declared without its memory: all such variables begin at the same place."""
        return not self.variable.is_definition


def surely_same(one: MemoryLocation | None, other: MemoryLocation | None) -> bool:
    """Whether both are known and equal."""
    return one is not None and one == other and one.offset is not None


def maybe_same(one: MemoryLocation | None, other: MemoryLocation | None) -> bool:
    """Whether nothing shows that they differ."""
    if one is None or other is None:
        return True
    if one.variable is not other.variable and not (one.is_elsewhere and other.is_elsewhere):
        return False
    return one.offset is None or other.offset is None or one.offset == other.offset


_DEEPEST = 40
"""So many instructions are followed back from an address to its variable."""
_MOST = 8
"""A register that may come from more places is not followed."""


class MemoryLocations:
    """Which places in shared memory the operands of a function name."""

    def __init__(self, flow: Flow) -> None:
        self._graph = flow.graph
        self._steps = flow.steps
        self._known: dict[tuple[Step, int], MemoryLocation | None] = {}
        self._results: dict[Step, MemoryLocation | None] = {}
        """What each instruction that was asked about computes; None while it is being followed, as in a loop."""

    def of(self, step: Step, operand: Operand) -> MemoryLocation | None:
        """The place that an operand of ``step`` names; None if nobody can tell."""
        key = (step, operand.first)
        if key not in self._known:
            self._known[key] = self._named(step, operand)
        return self._known[key]

    def _named(self, step: Step, operand: Operand, depth: int = _DEEPEST) -> MemoryLocation | None:
        """The same, following so many instructions back."""
        context = self._steps.context(step)
        inner = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
        if inner.kind is OperandKind.GENERIC and inner.parts:
            inner = inner.parts[0]
        if inner.kind is not OperandKind.NAME or inner.sign or inner.selector:
            return None
        name = context.word(inner.name)
        symbol = context.visible(name)
        found: MemoryLocation | None = None
        if symbol is None:
            return None
        if symbol.kind is SymbolKind.VARIABLE and symbol.space.startswith(".shared"):
            found = MemoryLocation(symbol, 0)
        elif symbol.kind is SymbolKind.REGISTER and depth:
            register = self._graph.registers.key(name, self._graph.nodes[step.node].scope)
            writers = self._steps.definitions(step, register)
            if 0 < len(writers) <= _MOST:
                found = _joined(self._result(writer, depth - 1) for writer in writers)
        for offset in {operand.offset, inner.offset} - {None}:
            if found is not None and offset is not None:
                value = evaluate(context.statement, offset)
                found = found.moved(value if isinstance(value, int) else None)
        return found

    def _result(self, step: Step, depth: int) -> MemoryLocation | None:
        """The place whose address an instruction computes."""
        if step not in self._results:
            self._results[step] = None
            self._results[step] = self._computed(step, depth)
        return self._results[step]

    def _computed(self, step: Step, depth: int) -> MemoryLocation | None:
        tree = self._steps.context(step).instruction
        if tree is None:
            return None
        operands = tree.operands[1:]
        if step.opcode[0] in ("mov", "cvta", "cvt") and operands:
            return self._named(step, operands[0], depth)
        if step.opcode[0] == "selp" and len(operands) > 1:
            return _joined(self._named(step, one, depth) for one in operands[:2])
        if step.opcode[0] in ("add", "sub") and len(operands) == 2:
            base, distance = operands
            found = self._named(step, base, depth)
            if found is None and step.opcode[0] == "add":
                base, distance = distance, base
                found = self._named(step, base, depth)
            if found is None:
                return None
            value = self._distance(step, distance)
            return found.moved(-value if value is not None and step.opcode[0] == "sub" else value)
        return None

    def _distance(self, step: Step, operand: Operand) -> int | None:
        """What is added to an address: a constant, or a register that a ``mov`` of one fills."""
        statement = self._steps.context(step).statement
        value = evaluate(statement, operand)
        if value is None and operand.kind is OperandKind.NAME and not operand.sign and not operand.selector:
            register = self._graph.registers.key(statement.word(operand.name), self._graph.nodes[step.node].scope)
            writers = self._steps.definitions(step, register)
            if len(writers) == 1 and writers[0].opcode[0] == "mov":
                source = self._steps.context(writers[0])
                tree = source.instruction
                if tree is not None and len(tree.operands) == 2:
                    value = evaluate(source.statement, tree.operands[1])
        return value if isinstance(value, int) else None


def _joined(spots: Iterable[MemoryLocation | None]) -> MemoryLocation | None:
    """What several places have in common."""
    found: MemoryLocation | None = None
    for spot in spots:
        if spot is None:
            return None
        if found is None:
            found = spot
        elif found.variable is not spot.variable:
            return None
        elif found.offset != spot.offset:
            found = found.moved(None)
    return found
