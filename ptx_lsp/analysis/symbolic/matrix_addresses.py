"""Addresses of matrices in shared memory, by the values of their descriptors on a path.

A descriptor holds the address divided by 16 in its lowest 14 bits. It is followed back through the shift, the mask and
the constants of the other fields, and only if nothing else can change those bits.
"""

from __future__ import annotations

from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns, combined, constant

_UNIT = 4
"""An address is shifted by so many bits."""
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
        if opcode[0] == "shr" and _is(operands[1:], _UNIT):
            return _after(_without_masks(operands[0], unknowns), moved)
        if opcode[0] == "bfe" and len(operands) == 3 and _is(operands[1:2], _UNIT) and _is(operands[2:], _BITS):
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
    kept = _FIELD << _UNIT
    for one, other in (key[1], key[1][::-1]):
        if not one.terms and one.number & kept == kept:
            return other
    return address


def _after(address: LinearValue, units: int) -> LinearValue:
    return combined(address, constant(units << _UNIT), 1)
