"""Results of integer instructions on exact values, modulo 2^width.

An operand is a sum that is equal to what a register holds modulo 2^width. Where an instruction needs the integer itself
(to extend it, to shift it right, to divide it), the intervals of the sum decide whether they are the same; if not, the
result is an operation of its own.

Source: PTX ISA, "Integer Arithmetic Instructions", "Logic and Shift Instructions", "Data Movement and Conversion
Instructions". What is not listed here is unknown.
"""

# ruff: noqa: ARG001  (all operations have one signature, whatever they need of it)

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd

from ptx_lsp.analysis.dataflow.operations import integer_types
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant

_MOST_TERMS = 10
_LONGEST_BOUND = 128
"""Bits of the bounds of a factor."""
_Operands = Sequence[LinearValue]
_Result = LinearValue | None
_Compute = Callable[[Atoms, str, int, _Operands], _Result]
"""From the atoms, the letter and width of the type, and the operands after the destination."""

_NOT_FOLLOWED = frozenset({".sat", ".cc", ".wrap", ".relu", ".clamp"})


def result_of(opcode: tuple[str, ...], operands: _Operands, atoms: Atoms) -> LinearValue | None:
    """The result of an instruction, reduced to the width of its type; None if it is not followed.

    Args:
        opcode: the mnemonic and its qualifiers.
        operands: the values of the operands after the destination.
        atoms: what is not known.

    """
    types = integer_types(opcode)
    compute = _COMPUTED.get(opcode[0])
    if not _NOT_FOLLOWED.isdisjoint(opcode) or not types:
        return None
    letter, width = types[0]
    if opcode[0] == "cvt":
        found = _converted(atoms, types, operands)
        width = types[0][1]
    elif compute is None or len(operands) < _FEWEST.get(opcode[0], 2):
        return None
    elif ".wide" in opcode:
        extend = atoms.signed if letter == "s" else atoms.unsigned
        found = compute(atoms, letter, 2 * width, [*(extend(one, width) for one in operands[:2]), *operands[2:]])
        width *= 2
    elif ".hi" in opcode:
        found = _high_half(atoms, letter, width, operands) if opcode[0] == "mul" else None
    else:
        found = compute(atoms, letter, width, operands)
    if found is None:
        return None
    found = found.reduced(width)
    return found if len(found.terms) <= _MOST_TERMS else None


def _converted(atoms: Atoms, types: Sequence[tuple[str, int]], operands: _Operands) -> _Result:
    if len(types) != 2 or not operands:
        return None
    (_, to), (letter, width) = types
    if to <= width:
        return operands[0]
    return atoms.signed(operands[0], width) if letter == "s" else atoms.unsigned(operands[0], width)


def _copy(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    return operands[0]


def _sum(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    return combined(operands[0], operands[1], 1)


def _difference(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    return combined(operands[0], operands[1], -1)


def _opposite(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    return combined(constant(0), operands[0], -1)


def _product(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    return product(atoms, *(_short(atoms, one, width) for one in operands[:2]))


def _short(atoms: Atoms, value: LinearValue, width: int) -> LinearValue:
    """A value that is equal to another modulo 2^width. Each square of a square would have bounds twice as long."""
    is_short = max(map(int.bit_length, atoms.bounds(value))) <= _LONGEST_BOUND
    return value if is_short else atoms.unsigned(value, width)


def product(atoms: Atoms, left: LinearValue, right: LinearValue) -> LinearValue:
    """The product of two sums that are integers."""
    one, other = sorted((left, right), key=lambda value: (bool(value.terms), value))
    if not one.terms:
        return combined(constant(0), other, one.number)
    bounds = [atoms.bounds(value) for value in (one, other)]
    corners = [least * most for least in bounds[0] for most in bounds[1]]
    return atoms.operation(AtomKind.PRODUCT, (one, other), min(corners), max(corners))


def _high_half(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    """The upper bits of a product by a constant: compilers divide in this way."""
    extend = atoms.signed if letter == "s" else atoms.unsigned
    one, other = (extend(operand, width) for operand in operands[:2])
    if one.terms and other.terms:
        return None
    whole = product(atoms, one, other)
    is_negative = atoms.bounds(whole)[0] < 0
    return _divided(atoms, whole, width, AtomKind.SIGNED_RIGHT if is_negative else AtomKind.RIGHT)


def _product_and_sum(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    product = _product(atoms, letter, width, operands)
    return None if product is None else combined(product, operands[2], 1)


def _count(operand: LinearValue) -> int | None:
    """The number of places of a shift, which is unsigned and has 32 bits."""
    return None if operand.terms else operand.number % (1 << 32)


def _left_shift(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    places = _count(operands[1])
    return None if places is None else combined(constant(0), operands[0], 1 << min(places, width))


def _right_shift(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    places = _count(operands[1])
    if places is None:
        return None
    if letter == "s":
        return _divided(atoms, atoms.signed(operands[0], width), min(places, width - 1), AtomKind.SIGNED_RIGHT)
    value = atoms.unsigned(operands[0], width)
    return constant(0) if places >= width else _divided(atoms, value, places, AtomKind.RIGHT)


def _divided(atoms: Atoms, value: LinearValue, places: int, kind: AtomKind) -> LinearValue:
    """An integer without its lowest bits."""
    unit = 1 << places
    if places == 0:
        return value
    if not value.number % unit and all(not factor % unit for _, factor in value.terms):
        return LinearValue(value.number >> places, tuple((token, factor >> places) for token, factor in value.terms))
    least, most = atoms.bounds(value)
    if least >> places == most >> places:
        return constant(least >> places)
    if len(value.terms) == 1 and value.terms[0][1] == 1 and not value.number:
        inner = atoms.atom(value.terms[0][0])
        if inner.kind is AtomKind.RIGHT:
            return _divided(atoms, inner.operands[0], inner.operands[1].number + places, AtomKind.RIGHT)
    if least >= 0 and (quotient := divided_by_reciprocal(atoms, value, places)) is not None:
        return atoms.operation(AtomKind.QUOTIENT, quotient, least >> places, most >> places)
    return atoms.operation(kind, (value, constant(places)), least >> places, most >> places)


def divided_by_reciprocal(atoms: Atoms, value: LinearValue, places: int) -> tuple[LinearValue, LinearValue] | None:
    """The dividend and the divisor of a division that is written as a product and a shift right; None if it is none.

    The product by ``ceil(2^places / divisor)`` is too large by ``error`` for each 1 of the dividend. For dividends
    below ``2^places / error`` that does not reach the next integer; of negative ones the quotient is less by 1.
    """
    reciprocal = gcd(value.number, *(factor for _, factor in value.terms))
    divisor = -(-(1 << places) // reciprocal)
    error = reciprocal * divisor - (1 << places)
    terms = tuple((token, factor // reciprocal) for token, factor in value.terms)
    dividend = LinearValue(value.number // reciprocal, terms)
    least, most = atoms.bounds(dividend)
    is_power = not reciprocal & reciprocal - 1
    if is_power or divisor < 2 or error * most >= 1 << places or error * -least > 1 << places:
        return None
    return dividend, constant(divisor)


def _and(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    one, other = (atoms.unsigned(value, width) for value in operands[:2])
    if one.terms and other.terms:
        return one if one == other else None
    value, mask = (one, other.number) if not other.terms else (other, one.number)
    return _masked(atoms, value, mask, width)


def _masked(atoms: Atoms, value: LinearValue, mask: int, width: int) -> LinearValue:
    """An unsigned integer and a mask."""
    if not value.terms:
        return constant(value.number & mask)
    below = _trailing_zeros(atoms, value)
    most = atoms.bounds(value)[1]
    present = (1 << most.bit_length()) - 1 & ~((1 << below) - 1)
    if not present & ~mask:
        return value
    if not present & mask:
        return constant(0)
    mask &= present
    if value.number == 0 and len(value.terms) == 1 and value.terms[0][1] == 1:
        atom = atoms.atom(value.terms[0][0])
        if atom.kind is AtomKind.UNSIGNED and mask <= atom.most:
            value = atom.operands[0]  # the mask makes the same of it
    return atoms.operation(AtomKind.AND, (value, constant(mask)), 0, mask)


def _trailing_zeros(atoms: Atoms, value: LinearValue) -> int:
    """The number of lowest bits that are 0 for sure; of a value that is not 0."""
    numbers = [value.number, *(factor for _, factor in value.terms)]
    return min((number & -number).bit_length() - 1 for number in numbers if number)


def _either(kind: AtomKind) -> _Compute:
    """``or`` and ``xor``: a sum if no bit can be 1 in both operands."""

    def compute(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
        one, other = (atoms.unsigned(value, width) for value in operands[:2])
        if not one.terms and not other.terms:
            return constant(one.number | other.number if kind is AtomKind.OR else one.number ^ other.number)
        if one == constant(0) or other == constant(0):
            return combined(one, other, 1)
        for low, high in ((one, other), (other, one)):
            if atoms.bounds(low)[1] < 1 << _trailing_zeros(atoms, high):
                return combined(low, high, 1)
        if one.terms and other.terms:
            return None
        value, number = (one, other) if not other.terms else (other, one)
        most = max(atoms.bounds(value)[1], number.number)
        return atoms.operation(kind, (value, number), 0, (1 << most.bit_length()) - 1)

    return compute


def _not(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    return combined(constant(-1), operands[0], -1)


def _field(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    """``bfe`` without a sign."""
    position, length = operands[1:3]
    if letter == "s" or position.terms or length.terms:
        return None
    first, count = position.number % 256, length.number % 256
    if not count or first >= width:
        return constant(0)
    shifted = _divided(atoms, atoms.unsigned(operands[0], width), first, AtomKind.RIGHT)
    return _masked(atoms, shifted, (1 << min(count, width)) - 1, width)


def _quotient(kind: AtomKind) -> _Compute:
    def compute(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
        value, divisor = (
            atoms.signed(one, width) if letter == "s" else atoms.unsigned(one, width) for one in operands[:2]
        )
        least, most = atoms.bounds(value)
        if divisor.terms or divisor.number <= 0 or least < 0:
            return None
        number = divisor.number
        if kind is AtomKind.REMAINDER:
            if most < number:
                return value
            if not value.terms:
                return constant(value.number % number)
            return atoms.operation(kind, (value, divisor), 0, min(most, number - 1))
        if least // number == most // number:
            return constant(least // number)
        if not value.number % number and all(not factor % number for _, factor in value.terms):
            terms = tuple((token, factor // number) for token, factor in value.terms)
            return LinearValue(value.number // number, terms)
        return atoms.operation(kind, (value, divisor), least // number, most // number)

    return compute


def _choice(atoms: Atoms, letter: str, width: int, operands: _Operands) -> _Result:
    one, other = (value.reduced(width) for value in operands[:2])
    return one if one == other else None


_COMPUTED: dict[str, _Compute] = {
    "mov": _copy,
    "add": _sum,
    "sub": _difference,
    "neg": _opposite,
    "mul": _product,
    "mad": _product_and_sum,
    "shl": _left_shift,
    "shr": _right_shift,
    "and": _and,
    "or": _either(AtomKind.OR),
    "xor": _either(AtomKind.XOR),
    "not": _not,
    "bfe": _field,
    "div": _quotient(AtomKind.QUOTIENT),
    "rem": _quotient(AtomKind.REMAINDER),
    "selp": _choice,
}
_FEWEST = {"mov": 1, "neg": 1, "not": 1, "mad": 3, "bfe": 3}
"""The operands that an instruction needs, where these are not two."""


def applied(atoms: Atoms, atom: Atom, operands: tuple[LinearValue, ...]) -> LinearValue:
    """An operation that is an atom, of other operands that are equal to its own as integers."""
    first = operands[0]
    if atom.kind is AtomKind.UNSIGNED:
        return atoms.unsigned(first, (atom.most + 1).bit_length() - 1)
    if atom.kind is AtomKind.SIGNED:
        return atoms.signed(first, atom.most.bit_length() + 1)
    if atom.kind in (AtomKind.RIGHT, AtomKind.SIGNED_RIGHT):
        return _divided(atoms, first, operands[1].number, atom.kind)
    return atoms.operation(atom.kind, operands, atom.least, atom.most)
