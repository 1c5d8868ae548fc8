"""Remainders that compilers write as differences: ``i - ((i + (i >> 31)) & -2)`` is ``i % 2``.

``i - 3 * (i / 3)`` is ``i % 3``.

A signed division by a power of two rounds towards zero, so that ``divisor - 1`` is added to a negative dividend: its
sign, shifted right until only the lowest bits are left.
"""

from __future__ import annotations

from ptx_lsp.analysis.symbolic.arithmetic import divided_by_reciprocal
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.named_tuples import NamedTuple

_BITS = 32
_ALL = 1 << _BITS


class Remainder(NamedTuple):
    """A multiple of a remainder in a sum, with the sign of the dividend."""

    factor: int
    dividend: LinearValue
    divisor: int


def without_remainders(atoms: Atoms, value: LinearValue) -> tuple[LinearValue, list[Remainder]]:
    """Return the rest of a sum, and the remainders of 32-bit integers in it."""
    found: list[Remainder] = []
    for token, factor in value.terms:
        rounded = _rounded(atoms, atoms.atom(token)) if factor < 0 else None
        unit = 1
        if rounded is None and factor < 0:
            rounded = _divided(atoms, atoms.atom(token))
            unit = rounded[1] if rounded is not None else 1
        if rounded is None or factor % unit:
            continue
        (dividend, divisor), times = rounded, -factor // unit
        left = dict(value.terms)
        if token not in left:
            continue
        del left[token]
        if atoms.atom(token).kind is AtomKind.SIGNED_RIGHT and not _without_sign(atoms, left, token, factor):
            continue
        if any(left.get(term) != times * own for term, own in dividend.terms):
            continue
        for term, _ in dividend.terms:
            del left[term]
        value = LinearValue(value.number - times * dividend.number, tuple(sorted(left.items())))
        found.append(Remainder(times, dividend, divisor))
    return value, found


def _divided(atoms: Atoms, atom: Atom) -> tuple[LinearValue, int] | None:
    """The dividend and the divisor of a quotient; of a signed one the quotient is less by 1 if it is negative."""
    if atom.kind is AtomKind.QUOTIENT:
        return _as_integer(atoms, atom.operands[0]), atom.operands[1].number
    if atom.kind is not AtomKind.SIGNED_RIGHT or atom.operands[1].number < _BITS:
        return None
    found = divided_by_reciprocal(atoms, atom.operands[0], atom.operands[1].number)
    return None if found is None else (_as_integer(atoms, found[0]), found[1].number)


def _without_sign(atoms: Atoms, terms: dict[int, int], quotient: int, factor: int) -> bool:
    """Remove the sign of a quotient from a sum, by which it is rounded towards zero; False if it is not there."""
    for token, own in terms.items():
        atom = atoms.atom(token)
        is_sign = own == factor and atom.kind is AtomKind.RIGHT and atom.operands[1].number == _BITS - 1
        if is_sign and _as_integer(atoms, atom.operands[0]) == LinearValue(0, ((quotient, 1),)):
            del terms[token]
            return True
    return False


def _rounded(atoms: Atoms, atom: Atom) -> tuple[LinearValue, int] | None:
    """The integer that an atom is after rounding towards zero, and to the multiples of what it is rounded."""
    if atom.kind is not AtomKind.AND or len(atom.operands) != 2:
        return None
    masks = [one for one in atom.operands if not one.terms]
    sums = [one for one in atom.operands if one.terms]
    if len(masks) != 1:
        return None
    divisor = -masks[0].number % _ALL
    if divisor < 2 or divisor & (divisor - 1):
        return None
    for bias, factor in sums[0].terms:
        others = tuple(term for term in sums[0].terms if term[0] != bias)
        dividend = _as_integer(atoms, LinearValue(sums[0].number, others))
        if factor == 1 and others and _is_bias(atoms, atoms.atom(bias), dividend, _BITS + 1 - divisor.bit_length()):
            return dividend, divisor
    return None


def _is_bias(atoms: Atoms, atom: Atom, dividend: LinearValue, amount: int) -> bool:
    """Whether an atom is the sign of an integer, shifted right by so many bits."""
    if atom.kind is not AtomKind.RIGHT or len(atom.operands) != 2 or atom.operands[1] != LinearValue(amount, ()):
        return False
    shifted = _as_integer(atoms, atom.operands[0])
    if amount == _BITS - 1:  # of a division by 2: the sign itself
        return shifted == dividend
    if len(shifted.terms) != 1 or shifted.number or shifted.terms[0][1] != 1:
        return False
    sign = atoms.atom(shifted.terms[0][0])
    is_sign = sign.kind is AtomKind.SIGNED_RIGHT and sign.operands[1] == LinearValue(_BITS - 1, ())
    return is_sign and _as_integer(atoms, sign.operands[0]) == dividend


def _as_integer(atoms: Atoms, value: LinearValue) -> LinearValue:
    """A sum whose terms are not read as signed or unsigned with 32 bits; it is the same modulo 2^32."""
    number, terms = value.number, dict[int, int]()
    waiting = dict(value.terms)
    for depth in range(_DEEPEST + 1):
        inner: dict[int, int] = {}
        for token, factor in waiting.items():
            atom = atoms.atom(token)
            is_read = atom.kind in (AtomKind.UNSIGNED, AtomKind.SIGNED) and atom.most - atom.least + 1 == _ALL
            if is_read and depth < _DEEPEST:
                number += factor * atom.operands[0].number
                for one, own in atom.operands[0].terms:
                    inner[one] = inner.get(one, 0) + factor * own
            else:
                terms[token] = terms.get(token, 0) + factor
        waiting = inner
    return LinearValue(number, tuple(sorted((token, factor) for token, factor in terms.items() if factor)))


_DEEPEST = 6
