"""Addresses followed back to the variables that they belong to: through copies, conversions, choices and sums.

Source: PTX ISA, "Addresses as Operands", "Generic Addressing", "cvta".
"""

# ruff: noqa: ARG002  (all domains have one signature, whatever they need of it)

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from ptx_lsp.analysis.dataflow.backward_walk import BackwardWalk
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext, means_the_same_around
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

AddressT = TypeVar("AddressT")

_COPIES = frozenset({"mov", "cvt", "cvta"})
_SUMS = frozenset({"add", "sub"})
KEEPS_ADDRESS = _COPIES | _SUMS | {"selp"}
"""The instructions whose result is in the object that one of their operands is the address of."""


class AddressWalk(BackwardWalk[AddressT]):
    """The part of the walk that all domains of addresses share; a subclass says what is kept of an address."""

    def __init__(self, steps: Steps, most: int) -> None:
        super().__init__(steps, most)
        self._symbols: dict[tuple[Scope, str], Symbol] = {}

    @abstractmethod
    def of_variable(self, variable: Symbol, step: Step) -> AddressT | None:
        """The address of a variable that an instruction names; None for those that are not followed."""

    @abstractmethod
    def moved(self, address: AddressT, step: Step, distance: Operand, sign: int) -> AddressT:
        """An address to which an operand of an instruction is added, or subtracted."""

    def named(self, step: Step, operand: Operand) -> AddressT | None:
        """The address that an operand is or has in brackets, within a question that is being answered."""
        inner = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
        if inner.kind is OperandKind.GENERIC and inner.parts:
            inner = inner.parts[0]
        if inner.kind is not OperandKind.NAME or inner.name < 0 or inner.sign or inner.selector:
            return None
        context = self.steps.context(step)
        found = self._meant(context, step, context.word(inner.name))
        for offset in (operand.offset, inner.offset):
            if found is not None and offset is not None:
                found = self.moved(found, step, offset, 1)
        return found

    def _meant(self, context: StatementContext, step: Step, name: str) -> AddressT | None:
        symbol = self._symbol(context, step, name)
        if symbol is None:
            return None
        if symbol.kind is SymbolKind.VARIABLE:
            return self.of_variable(symbol, step)
        return self.read(step, self.key(step, name)) if symbol.kind is SymbolKind.REGISTER else None

    def _symbol(self, context: StatementContext, step: Step, name: str) -> Symbol | None:
        """The declaration of a name in an instruction, found once if it is the same everywhere in the scope."""
        scope = self.steps.graph.nodes[step.node].scope
        found = self._symbols.get((scope, name))
        if found is None:
            found = context.visible(name)
            if found is not None and means_the_same_around(context, found):
                self._symbols[scope, name] = found
        return found

    def key(self, step: Step, name: str) -> str:
        """The key of the register that a name means in an instruction."""
        graph = self.steps.graph
        return graph.registers.key(name, graph.nodes[step.node].scope)

    def computed(self, step: Step, register: str) -> AddressT | None:
        """The address that an instruction computes."""
        mnemonic = step.opcode[0]
        tree = self.steps.context(step).instruction if mnemonic in KEEPS_ADDRESS else None
        operands = () if tree is None else tree.operands[1:]
        if mnemonic in _COPIES and operands:
            return self.named(step, operands[0])
        if mnemonic == "selp" and len(operands) > 1:
            one, other = (self.named(step, operand) for operand in operands[:2])
            return self.join(one, other) if one is not None and other is not None else None
        if mnemonic in _SUMS and len(operands) == 2:
            return self._sum(step, operands[0], operands[1], 1 if mnemonic == "add" else -1)
        return None

    def _sum(self, step: Step, one: Operand, other: Operand, sign: int) -> AddressT | None:
        """An address and a distance; the sum or difference of two addresses is none."""
        left, right = self.named(step, one), self.named(step, other)
        if left is not None and right is None:
            return self.moved(left, step, other, sign)
        return self.moved(right, step, one, 1) if left is None and right is not None and sign > 0 else None

    def constant(self, step: Step, operand: Operand) -> int | None:
        """The value of a constant, or of a register that a ``mov`` of one fills."""
        statement = self.steps.context(step).statement
        value = evaluate(statement, operand)
        if value is None and operand.kind is OperandKind.NAME and not operand.sign and not operand.selector:
            definitions = self.steps.definitions(step, self.key(step, statement.word(operand.name)))
            if len(definitions) == 1 and definitions[0].opcode[0] == "mov":
                source = self.steps.context(definitions[0])
                tree = source.instruction
                if tree is not None and len(tree.operands) == 2:
                    value = evaluate(source.statement, tree.operands[1])
        return value if isinstance(value, int) else None
