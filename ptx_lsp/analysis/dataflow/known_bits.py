"""Integers of which some bits are known, and what instructions make of them.

Every operation is sound: whatever the unknown bits are, the known bits of the result are right. Results may
have bits beyond the width of the type; whoever computes with them cuts them with :meth:`Bits.low`.
"""

from __future__ import annotations

from typing import NamedTuple

_ALL = (1 << 64) - 1


class Bits(NamedTuple):
    """A 64-bit value of which the bits in ``known`` are those of ``value``; other bits of ``value`` are 0."""

    known: int
    value: int

    @classmethod
    def constant(cls, number: int) -> Bits:
        """A value that is known as a whole; negative numbers as two's complement."""
        return cls(_ALL, number & _ALL)

    @property
    def least(self) -> int:
        """The value if all unknown bits are 0."""
        return self.value

    @property
    def most(self) -> int:
        """The value if all unknown bits are 1."""
        return self.value | ~self.known & _ALL

    @property
    def zeros(self) -> int:
        """The bits that are known to be 0."""
        return self.known & ~self.value

    @property
    def number(self) -> int | None:
        """The value, if all of it is known."""
        return self.value if self.known == _ALL else None

    @property
    def trailing_zeros(self) -> int:
        """How many of the lowest bits are known to be 0."""
        ones = ~self.zeros & _ALL
        return (ones & -ones).bit_length() - 1 if ones else 64

    def low(self, width: int) -> Bits:
        """The lowest ``width`` bits, with zeros above."""
        mask = (1 << width) - 1
        return Bits(self.known | ~mask & _ALL, self.value & mask)

    def signed(self, width: int) -> Bits:
        """The lowest ``width`` bits, with the sign above."""
        cut = self.low(width)
        above = ~((1 << width) - 1) & _ALL
        sign = 1 << (width - 1)
        if not self.known & sign:
            return Bits(cut.known & ~above, cut.value)
        return Bits(cut.known, cut.value | above if cut.value & sign else cut.value)

    def join(self, other: Bits) -> Bits:
        """What is known if the value is one of the two."""
        known = self.known & other.known & ~(self.value ^ other.value)
        return Bits(known, self.value & known)

    def __and__(self, other: Bits) -> Bits:
        return Bits(self.known & other.known | self.zeros | other.zeros, self.value & other.value)

    def __or__(self, other: Bits) -> Bits:
        return Bits(self.known & other.known | self.value | other.value, self.value | other.value)

    def __xor__(self, other: Bits) -> Bits:
        known = self.known & other.known
        return Bits(known, (self.value ^ other.value) & known)

    def __invert__(self) -> Bits:
        return Bits(self.known, self.zeros)

    def __lshift__(self, by: int) -> Bits:
        """Zeros come in from below."""
        if by >= 64:
            return Bits.constant(0)
        return Bits((self.known << by | (1 << by) - 1) & _ALL, self.value << by & _ALL)

    def __rshift__(self, by: int) -> Bits:
        """Zeros come in from above."""
        if by >= 64:
            return Bits.constant(0)
        return Bits(self.known >> by | ~(_ALL >> by) & _ALL, self.value >> by)

    def plus(self, other: Bits, carry: int = 0) -> Bits:
        """The sum, of which a bit is known where both bits and the carry into them are."""
        least = self.least + other.least + carry
        most = self.most + other.most + carry
        no_carry = ~(most ^ self.most ^ other.most)
        sure_carry = least ^ self.least ^ other.least
        known = self.known & other.known & (no_carry | sure_carry) & _ALL
        return Bits(known, least & known)

    def minus(self, other: Bits) -> Bits:
        """The difference."""
        return self.plus(~other, 1)

    def times(self, other: Bits) -> Bits:
        """The product: whole if both are known, shifted by a power of two, else its zeros at both ends."""
        one, two = self.number, other.number
        if one is not None and two is not None:
            return Bits.constant(one * two)
        for number, factor in ((one, other), (two, self)):
            if number is not None and number.bit_count() <= 1:
                return factor << (number.bit_length() - 1) if number else Bits.constant(0)
        zeros = min(self.trailing_zeros + other.trailing_zeros, 64)
        length = (self.most * other.most).bit_length()
        above = _ALL & ~((1 << length) - 1) if length < 64 else 0
        return Bits((1 << zeros) - 1 | above, 0)


UNKNOWN = Bits(0, 0)
