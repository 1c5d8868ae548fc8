"""Addresses of matrices in shared memory, by the values of their descriptors on a path.

A descriptor holds the address divided by 16 in its lowest 14 bits. It is followed back through the shift, the mask and
the constants of the other fields, and only if nothing else can change those bits.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns, combined, constant
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.named_tuples import NamedTuple

SHIFT = 4
"""An address is shifted right by so many bits."""
_BITS = 14
_FIELD = (1 << _BITS) - 1
_MOST_STEPS = 8


def start_of_matrix(descriptor: LinearValue, unknowns: Unknowns) -> LinearValue | None:
    """The address in shared memory at which the matrix of a descriptor begins; None if it is not known."""
    moved, value = 0, descriptor
    for _ in range(_MOST_STEPS):
        key = _key(value, unknowns)
        moved += value.number & _FIELD
        if key is None:
            return None
        opcode, operands = key
        if opcode[0] == "shr" and _is(operands[1:], SHIFT):
            return _after(_without_masks(operands[0], unknowns), moved)
        if opcode[0] == "bfe" and len(operands) == 3 and _is(operands[1:2], SHIFT) and _is(operands[2:], _BITS):
            return _after(operands[0], moved)
        inner = _other(operands, opcode[0])
        if inner is None:
            return None
        value = inner
    return None


def _key(value: LinearValue, unknowns: Unknowns) -> tuple[tuple[str, ...], tuple[LinearValue, ...]] | None:
    """The instruction whose result a value is, but for a constant, with its operands."""
    if len(value.terms) != 1 or value.terms[0][1] != 1:
        return None
    key = unknowns.keys[value.terms[0][0]]
    if not isinstance(key, tuple) or len(key) != 2 or not isinstance(key[0], tuple):
        return None
    return key


def _is(operands: tuple[LinearValue, ...], number: int) -> bool:
    return operands == (constant(number),)


def _other(operands: tuple[LinearValue, ...], name: str) -> LinearValue | None:
    """The operand of ``or`` or ``and`` beside a constant that leaves the field with the address as it is."""
    if name not in ("and", "or") or len(operands) != 2:
        return None
    for one, other in (operands, operands[::-1]):
        if not one.terms and one.number & _FIELD == (_FIELD if name == "and" else 0):
            return other
    return None


def _without_masks(address: LinearValue, unknowns: Unknowns) -> LinearValue:
    """An address before a mask that keeps the bits of the field."""
    key = _key(address, unknowns)
    if key is None or key[0][0] != "and" or address.number:
        return address
    kept = _FIELD << SHIFT
    for one, other in (key[1], key[1][::-1]):
        if not one.terms and one.number & kept == kept:
            return other
    return address


def _after(address: LinearValue, units: int) -> LinearValue:
    return combined(address, constant(units << SHIFT), 1)


class MatrixShift(NamedTuple):
    """The address of a variable in the field of a descriptor, and how it got there."""

    variable: Symbol
    bits: int
    """The number of bits by which it is shifted right."""


class MatrixShifts:
    """By how many bits the addresses of variables in shared memory are shifted right in descriptors.

    Args:
        unknowns: the unknown things in the values of the descriptors.

    """

    def __init__(self, unknowns: Unknowns) -> None:
        self._unknowns = unknowns

    def of(self, descriptor: LinearValue) -> MatrixShift | None:
        """The shift of the address in a descriptor; None if there is none, or if there are several."""
        found = {*self._all(descriptor, 0, _MOST_STEPS)}
        return found.pop() if len({one.bits for one in found}) == 1 else None

    def _all(self, value: LinearValue, bits: int, left: int) -> Iterator[MatrixShift]:
        """The addresses of variables of which a value, shifted right, has the lowest bits."""
        if not left:
            return
        for number, factor in value.terms:
            key = self._unknowns.keys[number]
            if factor != 1 or not isinstance(key, tuple):
                continue
            if key[0] == "symbol" and isinstance(key[1], Symbol):
                if key[1].space.startswith(".shared"):
                    yield MatrixShift(key[1], bits)
            elif len(key) == 2 and isinstance(key[0], tuple):
                yield from self._within(key[0][0], key[1], bits, left - 1)

    def _within(self, name: str, operands: tuple[LinearValue, ...], bits: int, left: int) -> Iterator[MatrixShift]:
        """Those in the result of an instruction that keeps the bits, or shifts them by a constant."""
        field = (_FIELD & -1 << SHIFT) << bits  # of an address that is not shifted the lowest bits are 0
        match name, operands:
            case "and", (one, other):
                for value, mask in ((one, other), (other, one)):
                    if not mask.terms and mask.number & field == field:
                        yield from self._all(value, bits, left)
            case "or", (one, other):
                for value in (one, other):
                    yield from self._all(value, bits, left)
            case "shr", (value, count) if not count.terms:
                yield from self._all(value, bits + count.number, left)
            case "bfe", (value, start, length) if not start.terms and not length.terms and length.number >= _BITS:
                yield from self._all(value, bits + start.number, left)
