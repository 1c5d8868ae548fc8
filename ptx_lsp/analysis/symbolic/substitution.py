"""Values of registers for one thread: special registers and iterations of loops replaced by numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from ptx_lsp.analysis.symbolic.arithmetic import applied
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant

OF_NUMBERS: dict[AtomKind, Callable[[int, int], int]] = {
    AtomKind.PRODUCT: operator.mul,
    AtomKind.AND: operator.and_,
    AtomKind.OR: operator.or_,
    AtomKind.XOR: operator.xor,
    AtomKind.RIGHT: operator.rshift,
    AtomKind.SIGNED_RIGHT: operator.rshift,
    AtomKind.QUOTIENT: operator.floordiv,
    AtomKind.REMAINDER: operator.mod,
}
"""Operations on two numbers."""
DIVISIONS = frozenset({AtomKind.QUOTIENT, AtomKind.REMAINDER})
"""Those whose second operand must be greater than 0."""
_DEEPEST = 12
"""Operations in operations so deep are looked into."""
_MOST_TERMS = 8


class Substitution:
    """Numbers for some of the atoms of a function.

    Args:
        atoms: the atoms.
        numbers: the number of an atom, by special register or by the header of the loop whose iterations it counts.

    """

    def __init__(self, atoms: Atoms, numbers: Mapping[str | int, int]) -> None:
        self._atoms = atoms
        self._numbers = numbers
        self._known: dict[int, LinearValue] = {}

    def of(self, value: LinearValue, depth: int = _DEEPEST) -> LinearValue:
        """A value with the numbers in it; as an integer if it is one, else equal modulo what it was equal modulo."""
        found = constant(value.number)
        for token, factor in value.terms:
            found = combined(found, self._atom(token, depth), factor)
        return found

    def _atom(self, token: int, depth: int) -> LinearValue:
        found = self._known.get(token)
        if found is None:
            found = self._replaced(token, self._atoms.atom(token), depth)
            self._known[token] = found
        return found

    def _replaced(self, token: int, atom: Atom, depth: int) -> LinearValue:
        plain = LinearValue(0, ((token, 1),))
        if atom.kind in (AtomKind.SPECIAL, AtomKind.ITERATION):
            key = atom.key
            number = self._numbers.get(key) if isinstance(key, (str, int)) else None
            return plain if number is None else constant(number)
        if not atom.operands or not depth:
            return plain
        operands = tuple(self.of(one, depth - 1) for one in atom.operands)
        if operands == atom.operands:
            return plain
        found = folded(atom, operands)
        return applied(self._atoms, atom, operands) if found is None else found


def folded(atom: Atom, operands: tuple[LinearValue, ...]) -> LinearValue | None:
    """The result of an operation if its operands are numbers; of a product if one of them is."""
    if atom.kind is AtomKind.PRODUCT:
        one, other = operands
        if one.terms and other.terms:
            return None
        value, factor = (one, other.number) if not other.terms else (other, one.number)
        return combined(constant(0), value, factor)
    if any(one.terms for one in operands):
        return None
    first = operands[0].number
    if atom.kind is AtomKind.UNSIGNED:
        return constant(first % (atom.most + 1))
    if atom.kind is AtomKind.SIGNED:
        return constant((first - atom.least) % (atom.most - atom.least + 1) + atom.least)
    second = operands[1].number
    combine = OF_NUMBERS.get(atom.kind)
    if combine is None or (atom.kind in DIVISIONS and second <= 0):
        return None
    return constant(combine(first, second))


def is_uniform(atoms: Atoms, value: LinearValue) -> bool:
    """Whether a value is the same in all threads of a CTA, for sure."""
    return all(atoms.contents(token).is_uniform for token, _ in value.terms)


def depends_on(atoms: Atoms, value: LinearValue, keys: frozenset[str]) -> bool:
    """Whether one of some special registers is in a value."""
    return any(not keys.isdisjoint(atoms.contents(token).specials) for token, _ in value.terms)


def loops_in(atoms: Atoms, value: LinearValue) -> frozenset[int]:
    """The headers of the loops whose iterations are in a value."""
    return frozenset().union(*(atoms.contents(token).loops for token, _ in value.terms))
