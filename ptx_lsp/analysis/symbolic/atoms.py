"""The unknown things in exact values: integers, each with its least and greatest value."""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum

from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns
from ptx_lsp.named_tuples import NamedTuple


class AtomKind(Enum):
    """The kind of an unknown thing; the key of an atom, and how it is read."""

    SYMBOL = "symbol"
    """The address of a variable or parameter in its state space; the key is the symbol."""
    WINDOW = "window"
    """The generic address at which a state space begins; the key is the space: ``.shared``."""
    PARAMETER = "parameter"
    """The value that a ``ld.param`` reads; the key is the symbol, the offset in bytes, and the width in bits."""
    SPECIAL = "special"
    """A special register that keeps its value; the key is its name with the component."""
    RESULT = "result"
    """The value that an instruction left in a register when it was executed last; the key is a ``Write``."""
    MERGED = "merged"
    """The value of a register when control came to a block last; the key is a ``MergePoint``."""
    ITERATION = "iteration"
    """The number of times that control went back to the header of a loop since it entered it; the key is the header."""
    UNSIGNED = "u"
    """The value modulo 2^width, read as unsigned; the keys of this and the following begin with the operand."""
    SIGNED = "s"
    """The value modulo 2^width, read as signed."""
    AND = "&"
    OR = "|"
    XOR = "^"
    RIGHT = ">>"
    """Shifted right, filled with zeros."""
    SIGNED_RIGHT = ">>s"
    """Shifted right, filled with the sign."""
    QUOTIENT = "/"
    REMAINDER = "%"
    PRODUCT = "*"


class Atom(NamedTuple):
    """An unknown integer."""

    kind: AtomKind
    key: Hashable
    least: int
    most: int
    operands: tuple[LinearValue, ...] = ()
    """Of an operation: exact values of the operands, which are integers and not only equal modulo something."""
    is_fixed: bool = False
    """Whether it has one value as long as a thread runs."""


class Contents(NamedTuple):
    """The special registers and loops that an atom depends on."""

    specials: frozenset[str]
    """The special registers."""
    loops: frozenset[int]
    """The headers of the loops whose iterations are counted."""
    is_uniform: bool
    """Whether it is the same in all threads of a CTA, for sure."""


_UNIFORM = frozenset({AtomKind.SYMBOL, AtomKind.WINDOW, AtomKind.PARAMETER})
"""The kinds of atoms that are equal in all threads of a CTA."""
_OF_THREADS = ("%tid", "%laneid", "%lanemask")
"""Special registers that differ between the threads of a CTA."""


class Atoms(Unknowns):
    """The atoms of one function, and intervals of sums of them."""

    def __init__(self) -> None:
        super().__init__()
        self._contents: dict[int, Contents] = {}

    def atom(self, number: int) -> Atom:
        """The atom with a number."""
        found = self.keys[number]
        assert isinstance(found, Atom)
        return found

    def bounds(self, value: LinearValue) -> tuple[int, int]:
        """The least and the greatest value of a sum as an integer."""
        least = most = value.number
        for token, factor in value.terms:
            atom = self.atom(token)
            one, other = factor * atom.least, factor * atom.most
            least += min(one, other)
            most += max(one, other)
        return least, most

    def is_fixed(self, value: LinearValue) -> bool:
        """Whether a sum has one value as long as a thread runs."""
        return all(self.atom(token).is_fixed for token, _ in value.terms)

    def operation(self, kind: AtomKind, operands: tuple[LinearValue, ...], least: int, most: int) -> LinearValue:
        """The result of an operation that is no sum."""
        is_fixed = all(map(self.is_fixed, operands))
        found = self.value(Atom(kind, (kind, operands, least, most), least, most, operands, is_fixed))
        self.contents(found.terms[0][0])  # those of its operands are known: they are made before
        return found

    def contents(self, number: int) -> Contents:
        """The contents of the atom with a number; found once, since many values have one atom in them."""
        found = self._contents.get(number)
        if found is None:
            found = self._contents[number] = self._found_contents(self.atom(number))
        return found

    def _found_contents(self, atom: Atom) -> Contents:
        if not atom.operands:
            specials = frozenset({str(atom.key)} if atom.kind is AtomKind.SPECIAL else ())
            loops = frozenset({atom.key} if atom.kind is AtomKind.ITERATION and isinstance(atom.key, int) else ())
            is_special = atom.kind is AtomKind.SPECIAL and not str(atom.key).startswith(_OF_THREADS)
            return Contents(specials, loops, is_special or atom.kind in _UNIFORM)
        parts = [self.contents(token) for operand in atom.operands for token, _ in operand.terms]
        return Contents(
            frozenset().union(*(one.specials for one in parts)),
            frozenset().union(*(one.loops for one in parts)),
            all(one.is_uniform for one in parts),
        )

    def unsigned(self, value: LinearValue, width: int) -> LinearValue:
        """The integer in [0, 2^width) that is equal to a value modulo 2^width."""
        value = value.reduced(width)
        least, most = self.bounds(value)
        whole = 1 << width
        for distance in (0, whole):
            if least + distance >= 0 and most + distance < whole:
                return value._replace(number=value.number + distance)
        if value.number == 0 and len(value.terms) == 1 and value.terms[0][1] == 1:
            atom = self.atom(value.terms[0][0])
            if atom.kind is AtomKind.SIGNED and atom.least == -(1 << width - 1):
                value = atom.operands[0]  # read as signed before, which does not matter
        return self.operation(AtomKind.UNSIGNED, (value,), 0, whole - 1)

    def signed(self, value: LinearValue, width: int) -> LinearValue:
        """The integer in [-2^(width-1), 2^(width-1)) that is equal to a value modulo 2^width."""
        value = value.reduced(width)
        least, most = self.bounds(value)
        half = 1 << width - 1
        if least >= -half and most < half:
            return value
        return self.operation(AtomKind.SIGNED, (value,), -half, half - 1)
