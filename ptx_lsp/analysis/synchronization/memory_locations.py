"""Places in shared memory, as far as the text says which they are."""

# ruff: noqa: ARG002  (all domains have one signature, whatever they need of it)

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Generic, TypeVar

from ptx_lsp.analysis.dataflow.addresses import AddressWalk
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Operand

LocatedT = TypeVar("LocatedT")


class MemoryLocation(NamedTuple):
    """A byte of a variable in shared memory; ``offset`` None: somewhere in it."""

    variable: Symbol
    offset: int | None

    def moved(self, distance: int | None) -> MemoryLocation:
        """The place so many bytes on."""
        variable, offset = self
        moved = None if offset is None or distance is None else offset + distance
        return tuple.__new__(MemoryLocation, (variable, moved))  # the constructor takes twice as long

    @property
    def is_elsewhere(self) -> bool:
        """Whether the variable is declared without its memory: all such variables begin at the same place."""
        return not self.variable.is_definition


def maybe_same(one: MemoryLocation | None, other: MemoryLocation | None) -> bool:
    """Whether nothing shows that they differ."""
    if one is None or other is None:
        return True
    if one.variable is not other.variable and not (one.is_elsewhere and other.is_elsewhere):
        return False
    return one.offset is None or other.offset is None or one.offset == other.offset


class ByLocation(Generic[LocatedT]):
    """Values by the places that they belong to, for :func:`maybe_same` of one place with many."""

    def __init__(self, values: Iterable[tuple[MemoryLocation | None, LocatedT]]) -> None:
        self._unknown: list[LocatedT] = []
        self._known: dict[Symbol | None, dict[int | None, list[LocatedT]]] = {}
        """By variable (None: those that all begin at the same place) and offset."""
        for place, value in values:
            if place is None:
                self._unknown.append(value)
            else:
                self._known.setdefault(_area(place), {}).setdefault(place.offset, []).append(value)

    def maybe_same(self, place: MemoryLocation | None) -> Iterator[LocatedT]:
        """The values of all places that may be the same as ``place``."""
        return chain.from_iterable(self._lists(place))

    def firsts(self, place: MemoryLocation | None) -> Iterator[LocatedT]:
        """Of :meth:`maybe_same` those that were first of their place; one of them was first of all."""
        return (values[0] for values in self._lists(place) if values)

    def _lists(self, place: MemoryLocation | None) -> Iterator[list[LocatedT]]:
        yield self._unknown
        areas = self._known.values() if place is None else [self._known.get(_area(place), {})]
        for area in areas:
            if place is None or place.offset is None:
                yield from area.values()
            else:
                yield area.get(None, [])
                yield area.get(place.offset, [])


def _area(place: MemoryLocation) -> Symbol | None:
    variable = place.variable
    return variable if variable.is_definition else None


_MOST_STEPS = 128
"""So many instructions are looked at on the way from an address back to its variable."""


class MemoryLocations(AddressWalk[MemoryLocation]):
    """The places in shared memory that the operands of a function name."""

    def __init__(self, steps: Steps) -> None:
        super().__init__(steps, _MOST_STEPS)
        self._known: dict[tuple[int, int, int], MemoryLocation | None] = {}

    def of(self, step: Step, operand: Operand) -> MemoryLocation | None:
        """The place that an operand of ``step`` names; None if it is not known."""
        key = (step.node, step.statement, operand.first)
        if key not in self._known:
            self.begin()
            self._known[key] = self.named(step, operand)
        return self._known[key]

    def of_variable(self, variable: Symbol, step: Step) -> MemoryLocation | None:
        """The first byte of a shared variable."""
        return MemoryLocation(variable, 0) if variable.space.startswith(".shared") else None

    def moved(self, address: MemoryLocation, step: Step, distance: Operand, sign: int) -> MemoryLocation:
        """The place so many bytes on, somewhere in the variable if the distance is not known."""
        value = self.constant(step, distance)
        return address.moved(None if value is None else sign * value)

    def computed(self, step: Step, register: str) -> MemoryLocation | None:
        """The place whose address an instruction computes; ``mad`` moves that of its last operand by a product."""
        tree = self.steps.context(step).instruction if step.opcode[0] == "mad" else None
        if tree is None or len(tree.operands) != 4:
            return super().computed(step, register)
        address = self.named(step, tree.operands[3])
        if address is None:
            return None
        one, other = (self.constant(step, operand) for operand in tree.operands[1:3])
        return address.moved(None if one is None or other is None else one * other)

    def join(self, one: MemoryLocation, other: MemoryLocation) -> MemoryLocation | None:
        """The variable, and the offset in it if that is the same."""
        if one.variable is not other.variable:
            return None
        return one if one.offset == other.offset else one.moved(None)


_BITS_OF_PLACE = 24
"""The lower bits of an address in the shared memory of a cluster; those above name a CTA."""
_CTAS = 0xFF


class MappedAddresses(AddressWalk[Step]):
    """Addresses of shared memory of another CTA, copied or moved: the instructions that map them."""

    def __init__(self, steps: Steps) -> None:
        super().__init__(steps, _MOST_STEPS)

    def has(self, step: Step, operand: Operand) -> bool:
        """Whether an operand of ``step`` is such an address on all paths."""
        self.begin()
        return self.named(step, operand) is not None

    def of_variable(self, variable: Symbol, step: Step) -> Step | None:
        """No variable is one of another CTA."""
        return None

    def moved(self, address: Step, step: Step, distance: Operand, sign: int) -> Step:
        """An address within the same window."""
        return address

    def computed(self, step: Step, register: str) -> Step | None:
        """The instruction itself if it maps an address, or clears bits that name a CTA and keeps the others."""
        if (Verb.MAPS, "") in possible_facts(step.opcode):
            return step
        tree = self.steps.context(step).instruction if step.opcode == ("and", ".b32") else None
        masks = (self.constant(step, operand) for operand in (() if tree is None else tree.operands[1:]))
        if any(mask is not None and _names_cta(mask) for mask in masks):
            return step
        return super().computed(step, register)

    def join(self, one: Step, other: Step) -> Step:
        """One of two such addresses."""
        return one


def _names_cta(mask: int) -> bool:
    """Whether a mask keeps places within the memory of a CTA, and clears some of the bits that name the CTA."""
    within = (1 << _BITS_OF_PLACE) - 1
    return mask & within == within and mask >> _BITS_OF_PLACE & _CTAS not in (0, _CTAS)
