"""Addresses of mbarriers as a base, a constant offset, and what varies; equal if they name the same barrier.

Addresses in all windows of shared memory count as one: generic ones, and those of the same place in another CTA.
A register that holds the first stage before a loop and the next ones in it has an address in the ring of these stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.atoms import AtomKind
from ptx_lsp.analysis.symbolic.inductions import Inductions
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant
from ptx_lsp.analysis.symbolic.remainders import without_remainders
from ptx_lsp.analysis.symbolic.value_sources import MergePoint, Write, has_the_guard_of, writes_that_meet
from ptx_lsp.analysis.synchronization.ring_indices import RingIndices
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Operand

SIZE = 8
"""The bytes of an mbarrier; the least distance of two."""
_WIDTH = 32
"""Addresses within shared memory are as wide."""
_WITHIN = 1 << 24
"""Places in the shared memory of one CTA differ in the bits below; those above name a CTA."""
_DEEPEST = 6
_MOST_STAGES = 64
"""More stages than a kernel has."""
_GIVEN = frozenset({AtomKind.PARAMETER, AtomKind.RESULT, AtomKind.MERGED})
_CONVERSIONS = frozenset({AtomKind.UNSIGNED, AtomKind.SIGNED})


class BarrierAddress(NamedTuple):
    """The address of an mbarrier."""

    base: tuple[tuple[int, int], ...]
    """The atoms that name the object, with their factors."""
    offset: int
    stride: int
    """0 if the address is the base and the offset; else these are where an array begins, with this distance."""
    is_elsewhere: bool = False
    """Whether it is that of another CTA."""
    size: int = 0
    """The number of mbarriers of the array that the address can be that of; 0 if it is not known."""


def are_of_one(one: BarrierAddress, other: BarrierAddress) -> bool:
    """Whether two addresses name the same mbarrier, or stages of arrays of which one has those of the other."""
    if not one.base or one.base != other.base:
        return False
    array, single = (one, other) if one.stride else (other, one)
    distance = single.offset - array.offset
    if not distance:
        return single.stride in (0, array.stride)
    if single.stride not in (0, array.stride) or not array.stride or distance % array.stride:
        return False
    return 0 < distance < array.size * array.stride


class _Remainder(NamedTuple):
    """An array that is indexed by a remainder: where it begins, the distance of two, and how many there are."""

    offset: int
    stride: int
    size: int


class BarrierAddresses:
    """The addresses of the mbarriers of one function."""

    def __init__(self, steps: Steps, inductions: Inductions) -> None:
        self._steps = steps
        self._inductions = inductions
        self._values = inductions.values
        self._atoms = inductions.values.atoms
        self._rings = RingIndices(steps, inductions.values)
        self._reader: StatementContext | None = None

    def of(self, step: Step, operand: Operand) -> BarrierAddress | None:
        """The address that an operand is; None if it depends on too much."""
        context = self._reader = self._steps.context(step)
        value = self._values.operand(context, operand)
        return None if value is None else self._merged(context, value, _DEEPEST) or self._made(value)

    def _merged(self, context: StatementContext, value: LinearValue, depth: int) -> BarrierAddress | None:
        """The address of which each of several writes leaves one; None if they are not of one array."""
        value = self._inductions.resolved(value, _WIDTH)
        meeting = self._values.origins.get(value.terms[0][0]) if len(value.terms) == 1 else None
        if not depth or not isinstance(meeting, MergePoint) or value.terms[0][1] != 1:
            return None
        found: list[BarrierAddress] = []
        for write in writes_that_meet(self._inductions.sources, meeting):
            left = self._values.of(write, context)
            if left is None:
                return None
            left = combined(left, constant(value.number), 1)
            found.append(self._merged(context, left, depth - 1) or self._made(left))
        return _joined(found) if found else None

    def _made(self, value: LinearValue) -> BarrierAddress:
        value, is_elsewhere = self._expanded(self._inductions.resolved(value, _WIDTH), _DEEPEST)
        value = value.reduced(_WIDTH)
        base = tuple(one for one in value.terms if one[1] == 1 and self._is_object(one[0], _DEEPEST))
        if not base:  # an address that came from somewhere: the base is what is not multiplied
            base = tuple(one for one in value.terms if one[1] == 1 and self._atoms.atom(one[0]).kind in _GIVEN)
        varying = [one for one in value.terms if one not in base]
        remainder = self._remainder(value, base)
        if remainder is not None:
            return BarrierAddress(base, remainder.offset, remainder.stride, is_elsewhere, remainder.size)
        masked = self._masked(varying)
        if masked:
            return BarrierAddress(base, value.number, masked & -masked, is_elsewhere, masked // (masked & -masked) + 1)
        stride = max(SIZE, gcd(*(factor for _, factor in varying))) if varying else 0
        ring = self._rings.of(varying[0][0]) if len(varying) == 1 and varying[0][1] == stride else None
        if ring is None:
            return BarrierAddress(base, value.number, stride, is_elsewhere)
        size = ring.last - ring.first + 1
        return BarrierAddress(base, value.number + ring.first * stride, stride, is_elsewhere, size)

    def _remainder(self, value: LinearValue, base: tuple[tuple[int, int], ...]) -> _Remainder | None:
        """The stages of ``stride * (x % n)``, which may be written as a difference."""
        rest, remainders = without_remainders(self._atoms, value)
        rest = rest.reduced(_WIDTH)
        if len(remainders) != 1 or rest.terms != base or remainders[0].factor % SIZE:
            return None
        stride, _, size = remainders[0]
        return _Remainder(rest.number, stride, size) if size <= _MOST_STAGES else None

    def _masked(self, varying: list[tuple[int, int]]) -> int:
        """The bits of ``8 * i & 24`` that all numbers of stages have: adjacent ones; 0 if it is something else."""
        atom = self._atoms.atom(varying[0][0]) if len(varying) == 1 and varying[0][1] == 1 else None
        if atom is None or atom.kind is not AtomKind.AND:
            return 0
        masks = [one.number for one in atom.operands if not one.terms and one.number > 0]
        low = masks[0] & -masks[0] if len(masks) == 1 else 0
        is_stage = low and not low % SIZE and not (masks[0] + low) & masks[0] and masks[0] // low < _MOST_STAGES
        return masks[0] if is_stage else 0

    def _expanded(self, value: LinearValue, depth: int) -> tuple[LinearValue, bool]:
        """An address without the windows, conversions and names of CTAs in it."""
        found, is_elsewhere = constant(value.number), False
        for token, factor in value.terms:
            inner = self._place_of(token) if depth and factor == 1 else None
            if inner is None:
                found = combined(found, LinearValue(0, ((token, factor),)), 1)
                continue
            inner, is_other = self._expanded(inner, depth - 1)
            is_elsewhere |= is_other or self._atoms.atom(token).kind not in (*_CONVERSIONS, AtomKind.WINDOW)
            found = combined(found, inner, 1)
        return found, is_elsewhere

    def _place_of(self, token: int) -> LinearValue | None:
        """The address in shared memory that an atom is made from; None if it is not made from one."""
        atom = self._atoms.atom(token)
        if atom.kind is AtomKind.WINDOW:
            return constant(0)
        if atom.kind in _CONVERSIONS:
            return atom.operands[0]
        if atom.kind is AtomKind.AND:
            masks = [one.number % _WITHIN for one in atom.operands if not one.terms]
            inner = next((one for one in atom.operands if one.terms), None)
            return inner if masks and inner is not None and _keeps_place(inner, masks[0]) else None
        return self._mapped(token) if atom.kind is AtomKind.RESULT else None

    def _mapped(self, token: int) -> LinearValue | None:
        """The address whose counterpart in another CTA an instruction computes."""
        source = self._values.origins.get(token)
        if not isinstance(source, Write):
            return None
        if not source.is_sure and (self._reader is None or not has_the_guard_of(source, self._reader)):
            return None
        graph = self._steps.graph
        context = StatementContext(graph.module, graph.function, source.chunk, source.statement)
        match, tree = context.match, context.instruction
        if match is None or tree is None or not match.fits:
            return None
        names = [name for fact in match.form.ordering if fact.verb is Verb.MAPS for name in fact.operands]
        operand = dict(zip(match.roles, tree.operands, strict=False)).get(names[0]) if names else None
        value = self._values.operand(context, operand) if operand is not None else None
        return self._inductions.resolved(value, _WIDTH) if value is not None else None

    def _is_object(self, token: int, depth: int) -> bool:
        """Whether an atom is the address of a variable, perhaps aligned."""
        atom = self._atoms.atom(token)
        if atom.kind is AtomKind.SYMBOL:
            return True
        terms = (one for value in atom.operands for one, factor in value.terms if factor == 1)
        return depth > 0 and any(self._is_object(one, depth - 1) for one in terms)


def _keeps_place(value: LinearValue, mask: int) -> bool:
    """Whether a mask clears only bits that name a CTA, and low ones that are 0; else it aligns the address."""
    low = mask & -mask
    factors = (factor for _, factor in value.terms if factor != 1)
    return low > 0 and mask + low == _WITHIN and not value.number % low and not any(one % low for one in factors)


def _joined(addresses: Sequence[BarrierAddress]) -> BarrierAddress | None:
    """The address in an array that is one of several; None if they are not all of one array or of one mbarrier."""
    arrays = {one for one in addresses if one.stride}
    array = next(iter(arrays), addresses[0])
    for one in addresses:
        if one.base != array.base or (one.stride and one._replace(size=array.size) != array):
            return None
        distance = one.offset - array.offset
        if not array.stride and distance:
            return None
        if array.stride and (distance % array.stride or not 0 <= distance < (array.size or 1) * array.stride):
            return None
    size = max(one.size for one in addresses)
    return array._replace(size=size, is_elsewhere=any(one.is_elsewhere for one in addresses))
