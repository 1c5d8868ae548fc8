"""Sums of a constant and multiples of unknown things."""

from __future__ import annotations

from collections.abc import Hashable

from ptx_lsp.named_tuples import NamedTuple


class Line(NamedTuple):
    """The numbers ``start + i * step``."""

    start: int
    step: int


class LinearValue(NamedTuple):
    """A sum; two values are equal for sure if they are equal as tuples."""

    number: int
    terms: tuple[tuple[int, int], ...] = ()
    """The numbers of unknown things, ascending, with their factors."""

    def distance(self, other: LinearValue) -> int | None:
        """The difference to another value; None if it is not known."""
        return self.number - other.number if self.terms == other.terms else None

    def reduced(self, width: int) -> LinearValue:
        """The value modulo 2^width, with the constant and the factors of the least size; equal if it is the same.

        >>> LinearValue(0xFFFFFFF0, ((0, 1), (1, 1 << 32))).reduced(32)
        LinearValue(number=-16, terms=((0, 1),))
        """
        half, whole = 1 << width - 1, 1 << width
        terms = ((token, (factor + half) % whole - half) for token, factor in self.terms)
        return LinearValue(
            (self.number + half) % whole - half, tuple((token, factor) for token, factor in terms if factor)
        )

    def plus(self, number: int, width: int) -> LinearValue:
        """The sum of a :meth:`reduced` value and a number, reduced."""
        half = 1 << width - 1
        return LinearValue((self.number + number + half) % (2 * half) - half, self.terms)


def constant(number: int) -> LinearValue:
    """A known value."""
    return LinearValue(number)


class Unknowns:
    """Unknown things, numbered so that values that contain others many times over stay small."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self.keys: list[Hashable] = []
        """The key of each number."""

    def value(self, key: Hashable) -> LinearValue:
        """An unknown value that is equal to all with the same key."""
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return LinearValue(0, ((number, 1),))


def combined(one: LinearValue, other: LinearValue, factor: int) -> LinearValue:
    """``one + factor * other``."""
    terms = dict(one.terms)
    for token, count in other.terms:
        terms[token] = terms.get(token, 0) + factor * count
    kept = sorted((token, count) for token, count in terms.items() if count)
    return LinearValue(one.number + factor * other.number, tuple(kept))
