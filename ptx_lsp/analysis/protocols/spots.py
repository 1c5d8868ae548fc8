"""Places in shared memory, as far as the text tells which they are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ptx_lsp.analysis.flow.graph import Graph
from ptx_lsp.analysis.flow.steps import Step, Steps
from ptx_lsp.analysis.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind


class Spot(NamedTuple):
    """A byte of a variable in shared memory; ``offset`` None: somewhere in it."""

    variable: Symbol
    offset: int | None

    def moved(self, distance: int | None) -> Spot:
        """The place so many bytes on."""
        known = self.offset is not None and distance is not None
        return self._replace(offset=self.offset + distance if known else None)  # type: ignore[operator]

    @property
    def is_elsewhere(self) -> bool:
        """Whether the variable is declared without its memory: all such variables begin at the same place."""
        return not self.variable.is_definition


def surely_same(one: Spot | None, other: Spot | None) -> bool:
    """Whether both are known and equal."""
    return one is not None and one == other and one.offset is not None


def maybe_same(one: Spot | None, other: Spot | None) -> bool:
    """Whether nothing shows that they differ."""
    if one is None or other is None:
        return True
    if one.variable is not other.variable and not (one.is_elsewhere and other.is_elsewhere):
        return False
    return one.offset is None or other.offset is None or one.offset == other.offset


_DEEPEST = 12
"""So many registers are followed back to a variable."""
_MOST = 4
"""A register that is written in more places is not followed."""


class Definitions:
    """Where the registers of a function get their values."""

    def __init__(self, graph: Graph, steps: Steps) -> None:
        self._graph = graph
        self._steps = steps

    @cached_property
    def _writers(self) -> dict[str, list[int]]:
        """The nodes that write each register."""
        found: dict[str, list[int]] = {}
        for node in self._graph.nodes:
            for name in self._graph.registers(node.piece.written, node.scope):
                found.setdefault(name, []).append(node.number)
        return found

    def of(self, register: str) -> list[Step]:
        """The instructions that write a register."""
        return [
            step
            for number in self._writers.get(register, ())
            for step in self._steps.of(number)
            if register in step.writes or register in step.updates
        ]

    def spot(self, step: Step, operand: Operand, depth: int = _DEEPEST) -> Spot | None:
        """The place in shared memory that an operand of ``step`` names."""
        use = self._steps.use(step)
        inner = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
        if inner.kind is OperandKind.GENERIC and inner.parts:
            inner = inner.parts[0]
        if inner.kind is not OperandKind.NAME or inner.sign or inner.selector:
            return None
        name = use.word(inner.name)
        symbol = use.visible(name)
        if symbol is None:
            return None
        found: Spot | None = None
        if symbol.kind is SymbolKind.VARIABLE and symbol.space.startswith(".shared"):
            found = Spot(symbol, 0)
        elif symbol.kind is SymbolKind.REGISTER and depth:
            node = self._graph.nodes[step.node]
            found = self._held(self._graph.register(name, node.scope), depth - 1)
        for offset in {operand.offset, inner.offset} - {None}:
            if found is not None and offset is not None:
                value = evaluate(use.statement, offset)
                found = found.moved(value if isinstance(value, int) else None)
        return found

    def _held(self, register: str, depth: int) -> Spot | None:
        """The place whose address a register holds."""
        writers = self.of(register)
        if not 0 < len(writers) <= _MOST:
            return None
        return _joined(self._result(writer, depth) for writer in writers)

    def _result(self, step: Step, depth: int) -> Spot | None:
        """The place whose address an instruction computes."""
        tree = self._steps.use(step).instruction
        if tree is None:
            return None
        operands = tree.operands[1:]
        if step.opcode[0] in ("mov", "cvta", "cvt") and operands:
            return self.spot(step, operands[0], depth)
        if step.opcode[0] == "selp" and len(operands) > 1:
            return _joined(self.spot(step, one, depth) for one in operands[:2])
        if step.opcode[0] in ("add", "sub") and len(operands) == 2:
            base, distance = operands
            found = self.spot(step, base, depth)
            if found is None and step.opcode[0] == "add":
                base, distance = distance, base
                found = self.spot(step, base, depth)
            if found is None:
                return None
            value = self.constant(step, distance)
            return found.moved(-value if value is not None and step.opcode[0] == "sub" else value)
        return None

    def constant(self, step: Step, operand: Operand) -> int | None:
        """The value of an operand: written there, or moved to its register by the only instruction that writes it."""
        statement = self._steps.use(step).statement
        value = evaluate(statement, operand)
        if value is not None:
            return value if isinstance(value, int) else None
        if operand.kind is not OperandKind.NAME or operand.sign or operand.selector or operand.offset is not None:
            return None
        node = self._graph.nodes[step.node]
        writers = self.of(self._graph.register(statement.word(operand.name), node.scope))
        if len(writers) != 1 or writers[0].opcode[0] != "mov" or writers[0].guarded:
            return None
        source = self._steps.use(writers[0])
        if source.instruction is None or len(source.instruction.operands) != 2:
            return None
        value = evaluate(source.statement, source.instruction.operands[1])
        return value if isinstance(value, int) else None


def _joined(spots: Iterable[Spot | None]) -> Spot | None:
    """What several places have in common."""
    found: Spot | None = None
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
