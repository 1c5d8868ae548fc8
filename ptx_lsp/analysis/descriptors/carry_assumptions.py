"""Sums with a matrix descriptor: the assumption that its start address does not carry into the fields above it."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.known_bits import KnownBits

ADDRESS_BITS = 14
"""Bits of the start address at the lower end of a matrix descriptor: 18 bits of bytes, in units of 16."""
_ADDRESS = (1 << ADDRESS_BITS) - 1


def without_carry(one: KnownBits, two: KnownBits, plain: KnownBits, *, minus: bool = False) -> KnownBits:
    """A sum, or difference, of which the address part of a descriptor does not carry into the fields above it.

    Shared memory has fewer than 2^18 bytes, so in a right program the address that is stepped through stays in its
    bits. ``plain`` is what is known without that.
    """
    left, right = _filled(one, two), _filled(two, one)
    above = left.minus(right) if minus else left.plus(right)
    known = (above.known & ~_ADDRESS) & ~plain.known
    return KnownBits(plain.known | known, plain.value | above.value & known)


def _filled(summand: KnownBits, other: KnownBits) -> KnownBits:
    """The fields above the address; those that are not known are 0 where the other summand is the descriptor."""
    known = summand.known | _ADDRESS
    if _is_base(other):
        known |= other.known
    return KnownBits(known, summand.value & ~_ADDRESS)


def _is_base(summand: KnownBits) -> bool:
    """Whether a summand is what is stepped through rather than a step: no small number that is known as a whole."""
    return summand.number is None or summand.value > _ADDRESS
