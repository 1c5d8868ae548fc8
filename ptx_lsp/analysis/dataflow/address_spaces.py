"""Kinds of addresses in registers: those of a state space, and generic ones.

Source: PTX ISA, "Addresses as Operands", "Generic Addressing", "cvta".
"""

# ruff: noqa: ARG002  (all domains have one signature, whatever they need of it)

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ptx_lsp.analysis.dataflow.addresses import KEEPS_ADDRESS, AddressWalk
from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.fact_propagation import FactPropagation, step_at
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import KEPT_BY_SHAPE
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Operand

SPACES = frozenset({".shared", ".global", ".local", ".const"})
"""The spaces whose addresses are followed. Parameters are not: where they lie depends on the function."""
_OTHER = SPACES - {".global"}
_MIXED = frozenset({"xor", "or", "and"})
"""Swizzles: of two operands one is the address."""
_FOLLOWED = KEEPS_ADDRESS - {"cvta"} | _MIXED | {"mad"}
_MOST_STEPS = 64
_USERS_IN_A_STEP = 64


class Address(NamedTuple):
    """The kind and the origin of an address."""

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
Doubt = Callable[[tuple[str, ...], str, str], bool]
"""Whether an instruction with an opcode cannot use an address that counts from one space and lies within another."""


class AddressSpaces(AddressWalk[Address]):
    """Follows addresses from where they are made to where they are used.

    Two passes: the first goes through the few nodes that touch addresses and ignores the order of things; what looks
    wrong there is followed back path by path.
    """

    def __init__(self, graph: Graph, steps: Steps, sets: RegisterSets) -> None:
        super().__init__(steps, _MOST_STEPS)
        self._graph = graph
        self._sets = sets
        self._open: set[tuple[int, int, str]] = set()
        """The results that are being found."""

    def doubtful(self, opcodes: frozenset[str], is_wrong: Doubt) -> Iterator[tuple[Step, str, Address] | None]:
        """Instructions with the register and the address that they use, where that is wrong on all paths.

        None is a pause.

        Args:
            opcodes: the instructions that are looked at.
            is_wrong: whether an instruction cannot use an address of some kind.

        """
        makers = []
        for maker in self._makers():
            if maker is None:
                yield None
            else:
                makers.append(maker)
        if not makers:
            return
        spread = FactPropagation[AddressKind](self.steps, self._sets)
        for _ in spread.spreading(makers, _may_follow):
            yield None
        for count, (number, statement, kinds) in enumerate(spread.users()):
            if not count % _USERS_IN_A_STEP:
                yield None
            opcode = SHAPES[self._graph.nodes[number].chunk.shapes[statement]].opcode
            if opcode[0] not in opcodes or not any(is_wrong(opcode, *kind) for kind in kinds):
                continue
            step = self.steps.at(number, statement)
            yield None
            for register in step.reads:
                if any(is_wrong(opcode, *kind) for kind in spread.facts.get(register, ())):
                    address = self.held(step, register)
                    if address is not None and is_wrong(opcode, address.space, address.within):
                        yield step, register, address

    def _makers(self) -> Iterator[tuple[Step, AddressKind] | None]:
        """The instructions that make addresses of spaces whose generic addresses are other numbers."""
        for chunk in self._graph.function.chunks:
            wanted = {number for number in set(chunk.shapes) if SHAPES[number].opcode and _may_make(SHAPES[number])}
            if not wanted:
                continue
            yield None
            for index, number in enumerate(chunk.shapes):
                if number not in wanted:
                    continue
                if SHAPES[number].opcode[0] == "mov" and not self._names_variable(chunk, index):
                    continue
                step = step_at(self._graph, self.steps, chunk, index)
                address = self.computed(step, "") if step is not None else None
                if step is not None and address is not None:
                    yield step, address[:2]

    def _names_variable(self, chunk: Chunk, index: int) -> bool:
        """Whether a statement names a variable whose address counts from a space other than ``.global``."""
        scope = self._graph.module.scope_of(chunk, index)
        found = map(scope.lookup, words(chunk.part(index)))
        return any(one is not None and one.kind is SymbolKind.VARIABLE and one.space in _OTHER for one in found)

    def of_variable(self, variable: Symbol, step: Step) -> Address | None:
        """The address of a variable counts from its own space."""
        return Address(variable.space, variable.space, step) if variable.space in SPACES else None

    def moved(self, address: Address, step: Step, distance: Operand, sign: int) -> Address:
        """Wherever in a variable: the space stays."""
        return address

    def join(self, one: Address, other: Address) -> Address | None:
        """The first of two of one kind."""
        return one if one[:2] == other[:2] else None

    def computed(self, step: Step, register: str) -> Address | None:
        """The address that an instruction computes; ``cvta`` says itself which kind that is."""
        if step.guarded:
            return None
        if step.opcode[0] in _MIXED or step.opcode[0] == "mad":
            return self._mixed(step)
        if step.opcode[0] != "cvta":
            return super().computed(step, register)
        space = space_of(step.opcode)
        return Address(space if ".to" in step.opcode else "", space, step) if space else None

    def _mixed(self, step: Step) -> Address | None:
        """The address that a swizzle changes, or that a product is added to."""
        tree = self.steps.context(step).instruction
        operands = tree.operands[1:] if tree is not None else ()
        sides = [self.named(step, one) for one in (operands[2:] if step.opcode[0] == "mad" else operands)]
        found = [one for one in sides if one is not None]
        return found[0] if len(found) == 1 else None

    def made(self, step: Step, register: str) -> Address | None:
        """The address that an instruction leaves in a register; while it is being found, see :meth:`joined`."""
        key = (step.node, step.statement, register)
        self._open.add(key)
        found = super().made(step, register)
        self._open.discard(key)
        return found

    def joined(self, definitions: Sequence[Step], register: str) -> Address | None:
        """The common kind; what an address becomes in a loop is of the kind that it has at the entry of the loop."""
        settled = [one for one in definitions if (one.node, one.statement, register) not in self._open]
        return super().joined(settled, register)


def _may_follow(shape: Shape) -> bool:
    """Whether the results of instructions of a shape are addresses if their operands are."""
    return not _FOLLOWED.isdisjoint(shape.opcode[:1])


@KEPT_BY_SHAPE.answers
def _may_make(shape: Shape) -> bool:
    """Whether instructions of a shape can make an address that is worth following."""
    if shape.opcode[0] == "cvta":
        return space_of(shape.opcode) in _OTHER
    return shape.opcode[0] == "mov" and any(not prefix for _, prefix in shape.names)
