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
_ADDRESS = (1 << SHIFT + _BITS) - 1
"""The bits of an address in shared memory."""
_MOST_STEPS = 16
_DEEPEST = 8
_WORD = 32
_LONGEST_VALUE = 64
"""Bits of a value; one that is moved farther has none of the field."""
_WIDTHS = {".b32": 32, ".b64": 64}
_MASKS = ("and", "lop3")


def start_of_matrix(descriptor: LinearValue, unknowns: Unknowns) -> LinearValue | None:
    """The address in shared memory at which the matrix of a descriptor begins; None if it is not known."""
    moved, waiting = 0, [_Part(descriptor, 0)]
    address: LinearValue | None = None
    for _ in range(_MOST_STEPS):
        if not waiting:
            break
        part = waiting.pop()
        if part.bits == SHIFT:
            if address is not None:
                return None
            address = _without_masks(part.value, unknowns)
            continue
        if part.bits and part.value.number:
            return None
        moved += part.value.number & _FIELD
        for one in _parts(part, unknowns, _FIELD):
            if one is None or one.bits < 0:
                return None
            waiting.append(one)
    return None if waiting or address is None else combined(address, constant(moved << SHIFT), 1)


class _Part(NamedTuple):
    """A value of which the field has some bits."""

    value: LinearValue
    bits: int
    """The number of the bit of the value that is the lowest one of the field; below 0 if lower bits of that are 0."""


_Parts = Iterator[_Part | None]
"""The values of which the field is made, a step before; none where it is 0, and None for a value that is not known."""


def _parts(part: _Part, unknowns: Unknowns, field: int) -> _Parts:
    """The values of which a value is made, but for its constant; ``field`` has the bits of the field that count."""
    for number, factor in part.value.terms:
        key = unknowns.keys[number]
        left = (factor & -factor).bit_length() - 1
        if left >= part.bits + _BITS:
            continue
        bits = part.bits - left
        if factor != 1 << left or abs(bits) >= _LONGEST_VALUE or not isinstance(key, tuple) or len(key) != 2:
            yield None
        elif isinstance(key[0], tuple):
            yield from _operands(key[0], key[1], bits, field << bits if bits >= 0 else field >> -bits)
        else:
            yield _Part(unknowns.value(key), bits) if left else None


def _operands(opcode: tuple[str, ...], operands: tuple[LinearValue, ...], bits: int, field: int) -> _Parts:
    """Those of the result of an instruction, if it moves bits by constant distances."""
    numbers = [None if one.terms else one.number for one in operands]
    match opcode[0], operands, numbers:
        case "and" | "or" | "xor", (one, other), _:
            yield from _of_two(opcode[0], one, other, bits, field)
        case "lop3", (*values, _), (*others, int(table)) if others.count(None) == 1 and _selects(others, table, field):
            yield _Part(values[others.index(None)], bits)
        case "shr", (value, _), (_, int(count)):
            yield _Part(value, bits + count)
        case "div", (value, _), (_, int(divisor)) if opcode[-1].startswith(".u") and divisor.bit_count() == 1:
            yield _Part(value, bits + divisor.bit_length() - 1)
        case "bfe", (value, _, _), (_, int(start), int(length)) if length >= bits + _BITS:
            yield _Part(value, bits + start)
        case "bfi", (value, _, _, _), (_, _, int(start), int(length)) if start <= bits <= start + length - _BITS:
            yield _Part(value, bits - start)
        case "bfi", (_, value, _, _), (_, _, int(start), int(length)) if (
            start + length <= bits or bits + _BITS <= start
        ):
            yield _Part(value, bits)
        case "shf", (value, _, _), (_, _, int(count)) if _leaves_lower(opcode, count, bits):
            yield _Part(value, bits + (count if ".r" in opcode else _WORD - count))
        case "mov", (lowest, _, *_), _ if bits + _BITS <= _WIDTHS.get(opcode[-1], 0) // len(operands):
            yield _Part(lowest, bits)
        case _:
            yield None


def _of_two(name: str, one: LinearValue, other: LinearValue, bits: int, field: int) -> _Parts:
    """The operands of an instruction that works bit by bit of which the field has bits."""
    for value, beside in ((one, other), (other, one)):
        kept = beside.number & field
        if not value.terms:
            if name != "and" and value.number & field:
                yield None  # changes bits of the other one
        elif name != "and":
            yield _Part(value, bits)
        elif beside.terms or kept not in (0, field, field & _ADDRESS):
            yield None
        elif kept:
            yield _Part(value, bits)


def _selects(numbers: list[int | None], table: int, field: int) -> bool:
    """Whether the bits of a field in the result of ``lop3`` are those of its only operand that is not known."""
    own = 4 >> numbers.index(None)
    for at in range(field.bit_length()):
        if field >> at & 1:
            row = sum(4 >> place for place, number in enumerate(numbers) if number is not None and number >> at & 1)
            if table >> row & 1 or not table >> (row | own) & 1:
                return False
    return True


def _leaves_lower(opcode: tuple[str, ...], count: int, bits: int) -> bool:
    """Whether a shift of two words leaves a field with bits of the lower one alone."""
    shift = count if ".r" in opcode else _WORD - count
    return 0 <= count <= _WORD and bits + shift + _BITS <= _WORD


def _without_masks(address: LinearValue, unknowns: Unknowns) -> LinearValue:
    """An address before a mask that keeps the bits of the field."""
    if address.number or len(address.terms) != 1 or address.terms[0][1] != 1:
        return address
    key = unknowns.keys[address.terms[0][0]]
    if not isinstance(key, tuple) or len(key) != 2 or not isinstance(key[0], tuple) or key[0][0] not in _MASKS:
        return address
    parts = [one for one in _operands(key[0], key[1], SHIFT, _FIELD << SHIFT) if one is None or one.value.terms]
    return parts[0].value if len(parts) == 1 and parts[0] is not None else address


class MatrixShift(NamedTuple):
    """The address of a variable in the field of a descriptor, and how it got there."""

    variable: Symbol
    bits: int
    """The number of bits by which it is shifted right; below 0 if it is shifted left."""


class MatrixShifts:
    """By how many bits the addresses of variables in shared memory are shifted right in descriptors.

    Args:
        unknowns: the unknown things in the values of the descriptors.

    """

    def __init__(self, unknowns: Unknowns) -> None:
        self._unknowns = unknowns

    def of(self, descriptor: LinearValue) -> MatrixShift | None:
        """The shift of the address in a descriptor; None if there is none, or if there are several."""
        found = {*self._all(_Part(descriptor, 0), _DEEPEST)}
        return found.pop() if len({one.bits for one in found}) == 1 else None

    def _all(self, part: _Part, left: int) -> Iterator[MatrixShift]:
        """The addresses of variables of which the field has some bits."""
        for number, factor in part.value.terms:
            key = self._unknowns.keys[number]
            if factor != 1 or not isinstance(key, tuple) or key[0] != "symbol" or not isinstance(key[1], Symbol):
                continue
            if key[1].space.startswith(".shared"):
                yield MatrixShift(key[1], part.bits)
        if left:
            # Of an address that is not shifted the lowest bits are 0.
            for one in _parts(part, self._unknowns, _FIELD & -1 << SHIFT):
                if one is not None:
                    yield from self._all(one, left - 1)
