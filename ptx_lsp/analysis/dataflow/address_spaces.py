"""What kind of address a register holds: one of a state space, or a generic one.

Source: PTX ISA, "Addresses as Operands", "Generic Addressing", "cvta".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.fact_propagation import FactPropagation, step_at
from ptx_lsp.analysis.dataflow.graph import Graph
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

SPACES = frozenset({".shared", ".global", ".local", ".const"})
"""The spaces whose addresses are followed. Parameters are not: where they lie depends on the function."""
_OTHER = SPACES - {".global"}
_MOST_STEPS = 64


class Address(NamedTuple):
    """Where an address comes from."""

    space: str
    """The state space that it counts from; empty for a generic address."""
    within: str
    """The space of what lies there."""
    origin: Step
    """The instruction that made it: ``mov`` of a variable or ``cvta``."""


def space_of(opcode: tuple[str, ...]) -> str:
    """The state space in an opcode, without what follows ``::``; empty if there is none.

    >>> space_of(("ld", ".shared::cta", ".b32")), space_of(("ld", ".b32"))
    ('.shared', '')
    """
    return next((word.partition("::")[0] for word in opcode if word.partition("::")[0] in SPACES), "")


AddressKind = tuple[str, str]
"""An address without its origin: ``space`` and ``within``."""
Doubt = Callable[[Step, str, str], bool]
"""Whether an instruction is worth following up if its address counts from one space and lies within another."""

_FOLLOWED = frozenset({"mov", "add", "sub", "cvt"})


class Addresses:
    """Follows addresses from where they are made to where they are used.

    Two passes: the first goes through the few nodes that touch addresses and ignores the order of things; what looks
    wrong there is followed back path by path.
    """

    def __init__(self, graph: Graph, steps: Steps, sets: RegisterSets) -> None:
        self._graph = graph
        self._steps = steps
        self._sets = sets
        self._known: dict[tuple[int, int, str], Address | None] = {}
        self._asked = 0

    def doubtful(self, opcodes: frozenset[str], is_wrong: Doubt) -> Iterator[tuple[Step, str, Address]]:
        """Instructions with the register and the address that they use, where that is wrong on all paths.

        Args:
            opcodes: the instructions that are looked at.
            is_wrong: whether an instruction cannot use an address of some kind.

        """
        makers = list(self._makers())
        if not makers:
            return
        spread = FactPropagation(self._steps, self._sets, makers, lambda step: step.opcode[0] in _FOLLOWED)
        for step in spread.readers():
            if step.opcode[0] not in opcodes:
                continue
            for register in step.reads:
                if any(is_wrong(step, *kind) for kind in spread.facts.get(register, ())):
                    address = self.held(step, register)
                    if address is not None and is_wrong(step, address.space, address.within):
                        yield step, register, address

    def _makers(self) -> Iterator[tuple[Step, AddressKind]]:
        """The instructions that make addresses of spaces whose generic addresses are other numbers."""
        variables = self._variables()
        for chunk in self._graph.function.chunks:
            wanted = {
                number
                for number in set(chunk.shapes)
                if SHAPES[number].opcode and _may_make(SHAPES[number], bool(variables))
            }
            if not wanted:
                continue
            for index, number in enumerate(chunk.shapes):
                if number not in wanted:
                    continue
                opcode = SHAPES[number].opcode
                if opcode[0] == "mov" and variables.isdisjoint(words(chunk.part(index))):
                    continue
                step = step_at(self._graph, self._steps, chunk, index)
                address = self._computed(step) if step is not None else None
                if step is not None and address is not None:
                    yield step, address[:2]

    def _variables(self) -> frozenset[str]:
        """The names of variables whose addresses count from a space other than ``.global``."""
        scopes = {self._graph.module.globals}
        for segments in self._graph.function.segments.values():
            for segment in segments:
                scopes.update(segment.scope.chain())
        return frozenset(
            name
            for scope in scopes
            for name, symbol in scope.names.items()
            if symbol.kind is SymbolKind.VARIABLE and symbol.space in _OTHER
        )

    def held(self, step: Step, register: str) -> Address | None:
        """What a register holds when ``step`` reads it, if all instructions that may have written it agree."""
        self._asked = 0
        return self._held(step, register)

    def _held(self, step: Step, register: str) -> Address | None:
        found: Address | None = None
        definitions = self._steps.definitions(step, register)
        for one in definitions:
            address = self._made(one, register)
            if address is None or (found is not None and found[:2] != address[:2]):
                return None
            found = found or address
        return found

    def _made(self, step: Step, register: str) -> Address | None:
        """The address that an instruction leaves in a register."""
        key = (step.node, step.statement, register)
        if key in self._known:
            return self._known[key]
        self._asked += 1
        if self._asked > _MOST_STEPS:
            return None
        self._known[key] = None  # in a loop: what only depends on itself is unknown
        found = None if step.guarded or register in step.updates else self._computed(step)
        self._known[key] = found
        return found

    def _computed(self, step: Step) -> Address | None:
        name = step.opcode[0]
        if name not in _FOLLOWED and name != "cvta":
            return None
        context = self._steps.context(step)
        tree = context.instruction
        if not isinstance(tree, Instruction) or len(tree.operands) < 2:
            return None
        first, *others = tree.operands[1:]
        if name == "cvta":
            space = space_of(step.opcode)
            if not space:
                return None
            return Address(space if ".to" in step.opcode else "", space, step)
        if name == "mov" and first.kind is OperandKind.NAME and first.name >= 0:
            symbol = context.symbols.get(first.name)
            if symbol is not None and symbol.kind is SymbolKind.VARIABLE:
                return Address(symbol.space, symbol.space, step) if symbol.space in SPACES else None
        if name in ("mov", "cvt"):
            return self._operand(context, step, first)
        base = self._operand(context, step, first)
        if not others or self._operand(context, step, others[0]) is None:
            return base
        return self._operand(context, step, others[0]) if base is None and name == "add" else None

    def _operand(self, context: StatementContext, step: Step, operand: Operand) -> Address | None:
        if operand.kind is not OperandKind.NAME or operand.name < 0 or operand.selector or operand.sign:
            return None
        register = self._graph.registers.key(context.word(operand.name), context.scope)
        return self._held(step, register) if register in step.reads else None


def _may_make(shape: Shape, variables: bool) -> bool:
    """Whether instructions of a shape can make an address that is worth following."""
    if shape.opcode[0] == "cvta":
        return space_of(shape.opcode) in _OTHER
    return variables and shape.opcode[0] == "mov" and any(not prefix for _, prefix in shape.names)
