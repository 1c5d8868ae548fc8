"""Integers of which some bits are known, for certain or under an assumption, and their arithmetic.

Every operation is sound: whatever the unknown bits are, the known bits of the result are right. Results may
have bits beyond the width of the type; callers cut them with :meth:`KnownBits.low`.
"""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.named_tuples import NamedTuple

_ALL = (1 << 64) - 1


class KnownBits(NamedTuple):
    """A 64-bit value of which the bits in ``known`` are those of ``value``; other bits of ``value`` are 0."""

    known: int
    value: int

    @classmethod
    def constant(cls, number: int) -> KnownBits:
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
        """The number of lowest bits that are known to be 0."""
        ones = ~self.zeros & _ALL
        return (ones & -ones).bit_length() - 1 if ones else 64

    def low(self, width: int) -> KnownBits:
        """The lowest ``width`` bits, with zeros above."""
        mask = (1 << width) - 1
        return KnownBits(self.known | ~mask & _ALL, self.value & mask)

    def signed(self, width: int) -> KnownBits:
        """The lowest ``width`` bits, with the sign above."""
        cut = self.low(width)
        above = ~((1 << width) - 1) & _ALL
        sign = 1 << (width - 1)
        if not self.known & sign:
            return KnownBits(cut.known & ~above, cut.value)
        return KnownBits(cut.known, cut.value | above if cut.value & sign else cut.value)

    def join(self, other: KnownBits) -> KnownBits:
        """The bits that are known if the value is one of the two."""
        known = self.known & other.known & ~(self.value ^ other.value)
        return KnownBits(known, self.value & known)

    def __and__(self, other: KnownBits) -> KnownBits:
        return KnownBits(self.known & other.known | self.zeros | other.zeros, self.value & other.value)

    def __or__(self, other: KnownBits) -> KnownBits:
        return KnownBits(self.known & other.known | self.value | other.value, self.value | other.value)

    def __xor__(self, other: KnownBits) -> KnownBits:
        known = self.known & other.known
        return KnownBits(known, (self.value ^ other.value) & known)

    def __invert__(self) -> KnownBits:
        return KnownBits(self.known, self.zeros)

    def __lshift__(self, by: int) -> KnownBits:
        """Zeros come in from below."""
        if by >= 64:
            return KnownBits.constant(0)
        return KnownBits((self.known << by | (1 << by) - 1) & _ALL, self.value << by & _ALL)

    def __rshift__(self, by: int) -> KnownBits:
        """Zeros come in from above."""
        if by >= 64:
            return KnownBits.constant(0)
        return KnownBits(self.known >> by | ~(_ALL >> by) & _ALL, self.value >> by)

    def plus(self, other: KnownBits, carry: int = 0) -> KnownBits:
        """The sum, of which a bit is known where both bits and the carry into them are."""
        least = self.least + other.least + carry
        most = self.most + other.most + carry
        no_carry = ~(most ^ self.most ^ other.most)
        sure_carry = least ^ self.least ^ other.least
        known = self.known & other.known & (no_carry | sure_carry) & _ALL
        return KnownBits(known, least & known)

    def minus(self, other: KnownBits) -> KnownBits:
        """The difference."""
        return self.plus(~other, 1)

    def times(self, other: KnownBits) -> KnownBits:
        """The product: whole if both are known, shifted by a power of two, else its zeros at both ends."""
        one, two = self.number, other.number
        if one is not None and two is not None:
            return KnownBits.constant(one * two)
        for number, factor in ((one, other), (two, self)):
            if number is not None and number.bit_count() <= 1:
                return factor << (number.bit_length() - 1) if number else KnownBits.constant(0)
        zeros = min(self.trailing_zeros + other.trailing_zeros, 64)
        length = (self.most * other.most).bit_length()
        above = _ALL & ~((1 << length) - 1) if length < 64 else 0
        return KnownBits((1 << zeros) - 1 | above, 0)


UNKNOWN = KnownBits(0, 0)


class Fact(NamedTuple):
    """Known bits, and those that are known only under an assumption."""

    sure: KnownBits
    """Bits that are proved."""
    bits: KnownBits
    """These, and the bits that follow from assumptions."""

    @classmethod
    def constant(cls, number: int) -> Fact:
        """A value that is known as a whole."""
        bits = KnownBits.constant(number)
        return cls(bits, bits)

    @property
    def assumed(self) -> int:
        """The bits that are known under an assumption only."""
        return self.bits.known & ~self.sure.known

    def join(self, other: Fact) -> Fact:
        """The bits that are known if the value is one of the two."""
        sure = self.sure.join(other.sure)
        if self.sure is self.bits and other.sure is other.bits:
            return Fact(sure, sure)
        return Fact(sure, self.bits.join(other.bits))

    def map(self, change: Callable[[KnownBits], KnownBits]) -> Fact:
        """Both changed alike."""
        return Fact(change(self.sure), change(self.bits))


NOTHING = Fact(UNKNOWN, UNKNOWN)
