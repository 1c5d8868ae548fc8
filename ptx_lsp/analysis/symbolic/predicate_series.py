"""Predicates for many threads, or for many iterations of a loop, at once.

Most compare a sum with a constant. Where the sum grows by the same from thread to thread, or from iteration to
iteration, two divisions say where it is greater. What is no such line is computed as a list, one operation for all.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate, repeat

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind
from ptx_lsp.analysis.symbolic.linear_values import Line, LinearValue, constant
from ptx_lsp.analysis.symbolic.predicates import IntegerComparison, Predicates
from ptx_lsp.analysis.symbolic.substitution import DIVISIONS, OF_NUMBERS, folded
from ptx_lsp.analysis.symbolic.value_sources import Source
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple

_DEEPEST = 6
"""Predicates in predicates so deep are looked into."""
_DEEPEST_OPERATION = 12
_MOST_KEPT = 64
"""So many values are kept: one may be a list of a thousand numbers."""
_SHIFTED = frozenset({AtomKind.UNSIGNED, AtomKind.SIGNED})


_Numbers = Line | list[int]


class Truth(NamedTuple):
    """A predicate at each place, as bits."""

    holds: int = 0
    """The places where it is true for sure."""
    fails: int = 0
    """The places where it is false for sure."""
    is_open: int = 0
    """The places at which more may be known if they are looked at alone."""


class ValueSeries(NamedTuple):
    """A value at each place of a series: a number and what is unknown."""

    numbers: _Numbers
    terms: tuple[tuple[int, int], ...]


class _Integer(NamedTuple):
    """A value as an integer of a type, at each place."""

    numbers: _Numbers
    terms: tuple[tuple[int, int], ...] | None
    """The unknown terms that are added to the numbers; None if they are not the same at all places."""
    least: int
    most: int
    """The bounds of the unknown."""
    is_open: bool
    """Whether more may be known of a single place."""


class _Ranks:
    """The numbers at the places of a series in ascending order."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.values = sorted(set(numbers))
        """All numbers, each once."""

    @once
    def _places(self) -> list[int]:
        """The places of all numbers from each of the values on, as bits."""
        places = dict.fromkeys(self.values, 0)
        bit = 1
        for number in self.numbers:
            places[number] |= bit
            bit <<= 1
        return [*accumulate((places[value] for value in reversed(self.values)), operator.or_, initial=0)][::-1]

    def above(self, limit: int) -> int:
        """The places with numbers greater than a limit, as bits."""
        return self._places[bisect_right(self.values, limit)]


class PredicateSeries:
    """The predicates of one function, at each place of a series.

    Args:
        predicates: the predicates.
        count: the number of places.
        numbers: the numbers at each place, by special register or by the header of the loop that they count.

    """

    def __init__(self, predicates: Predicates, count: int, numbers: Mapping[str | int, _Numbers]) -> None:
        self._predicates = predicates
        self._atoms = predicates.atoms
        self.count = count
        """The number of places."""
        self._numbers = numbers
        self._everywhere = (1 << count) - 1
        self._known: dict[int, ValueSeries] = {}
        self._ranks: dict[int, _Ranks] = {}

    def truth(self, source: Source | None, context: StatementContext, depth: int = _DEEPEST) -> Truth:
        """The value of a predicate at all places; see :meth:`Predicates.holds`."""
        found = self._predicates.definition(source, context) if source is not None and depth else None
        if found is None:
            return Truth()
        if isinstance(found, IntegerComparison):
            return self._compared(found)
        word, parts = found
        first, *others = (self.truth(one, context, depth - 1) for one in parts)
        if word == "not":
            return Truth(first.fails, first.holds, first.is_open)
        for other in others:
            if word == "or":
                holds, fails = first.holds | other.holds, first.fails & other.fails
            else:
                holds, fails = first.holds & other.holds, first.fails | other.fails
            first = Truth(holds, fails, (first.is_open | other.is_open) & ~(holds | fails))
        return first

    def _compared(self, found: IntegerComparison) -> Truth:
        whole = 1 << found.width
        smallest = -(whole >> 1) if found.is_signed else 0
        one, other = (self._read(self.of(value), smallest, whole) for value in (found.one, found.other))
        holds, fails = self._relation(found.word, one, other)
        is_open = (one.is_open or other.is_open) and self._everywhere & ~(holds | fails)
        return Truth(holds, fails, int(is_open))

    def _relation(self, word: str, one: _Integer, other: _Integer) -> tuple[int, int]:
        """The result of a comparison at all places."""
        least = most = 0
        if one.terms is None or one.terms != other.terms:
            least, most = one.least - other.most, one.most - other.least
        numbers, start = one.numbers, 0
        if isinstance(other.numbers, Line) and not other.numbers.step:
            start = other.numbers.start
        else:
            numbers = self._sum(one.numbers, other.numbers, -1)
        is_above, is_not_below = self._above(numbers, start - least), self._above(numbers, start - least - 1)
        if least == most:
            is_not_above, is_below = self._everywhere ^ is_above, self._everywhere ^ is_not_below
        else:
            is_not_above, is_below = (self._everywhere ^ self._above(numbers, start - most - below) for below in (0, 1))
        match word:
            case ".gt" | ".hi":
                return (is_above, is_not_above)
            case ".ge" | ".hs":
                return (is_not_below, is_below)
            case ".lt" | ".lo":
                return (is_below, is_not_below)
            case ".le" | ".ls":
                return (is_not_above, is_above)
        different, same = is_above | is_below, is_not_below & is_not_above
        return (same, different) if word == ".eq" else (different, same)

    def _read(self, value: ValueSeries, smallest: int, whole: int) -> _Integer:
        """A value as an integer of a type."""
        numbers = value.numbers
        if not value.terms:
            return _Integer(self._wrapped(numbers, smallest, whole), (), 0, 0, is_open=False)
        rest = LinearValue(0, value.terms).reduced(whole.bit_length() - 1)
        least, most = self._atoms.bounds(rest)
        is_open = any(self._differs(token) for token, _ in rest.terms)
        numbers = self._wrapped(numbers, -(whole >> 1), whole)
        for distance in (0, whole):
            shifted = self._sum(numbers, Line(distance, 0), 1)
            first, last = self._bounds(shifted)
            if first + least >= smallest and last + most < smallest + whole:
                return _Integer(shifted, rest.terms, least, most, is_open=is_open)
        is_open = is_open or most - least < whole - 1
        return _Integer(Line(0, 0), None, smallest, smallest + whole - 1, is_open=is_open)

    def _differs(self, token: int) -> bool:
        """Whether an unknown thing is computed from numbers that are not the same at all places."""
        contents = self._atoms.contents(token)
        keys: tuple[str | int, ...] = (*contents.specials, *contents.loops)
        series = (self._numbers[key] for key in keys if key in self._numbers)
        return any(isinstance(one, list) or one.step for one in series)

    # ------------------------------------------------------------------ values

    def of(self, value: LinearValue, depth: int = _DEEPEST_OPERATION) -> ValueSeries:
        """A value at each place."""
        numbers: _Numbers = Line(value.number, 0)
        terms: dict[int, int] = {}
        for token, factor in value.terms:
            part = self._atom(token, depth)
            numbers = self._sum(numbers, part.numbers, factor)
            for one, count in part.terms:
                terms[one] = terms.get(one, 0) + factor * count
        return ValueSeries(numbers, tuple(sorted((token, factor) for token, factor in terms.items() if factor)))

    def numbers(self, value: ValueSeries) -> list[int]:
        """The numbers of a value at all places."""
        return [*self._all(value.numbers)]

    def _atom(self, token: int, depth: int) -> ValueSeries:
        found = self._known.get(token)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[token] = self._replaced(token, self._atoms.atom(token), depth)
        return found

    def _replaced(self, token: int, atom: Atom, depth: int) -> ValueSeries:
        unknown = ValueSeries(Line(0, 0), ((token, 1),))
        if atom.kind in (AtomKind.SPECIAL, AtomKind.ITERATION):
            numbers = self._numbers.get(atom.key) if isinstance(atom.key, (str, int)) else None
            return unknown if numbers is None else ValueSeries(numbers, ())
        if not atom.operands or not depth:
            return unknown
        operands = [self.of(one, depth - 1) for one in atom.operands]
        if atom.kind is AtomKind.PRODUCT:
            for one, other in (operands, operands[::-1]):
                if not one.terms and isinstance(one.numbers, Line) and not one.numbers.step:
                    factor = one.numbers.start
                    terms = tuple((token, factor * count) for token, count in other.terms if factor)
                    return ValueSeries(self._sum(Line(0, 0), other.numbers, factor), terms)
        if any(one.terms for one in operands):
            return unknown
        if atom.kind in _SHIFTED:
            return ValueSeries(self._wrapped(operands[0].numbers, atom.least, atom.most - atom.least + 1), ())
        return self._folded(atom, [one.numbers for one in operands]) or unknown

    def _folded(self, atom: Atom, operands: list[_Numbers]) -> ValueSeries | None:
        if all(isinstance(one, Line) and not one.step for one in operands):
            found = folded(atom, tuple(constant(self._first(one)) for one in operands))
            return None if found is None or found.terms else ValueSeries(Line(found.number, 0), ())
        combine = OF_NUMBERS.get(atom.kind)
        first, *others = operands
        if combine is None or len(others) != 1:
            return None
        if atom.kind in DIVISIONS and self._bounds(others[0])[0] <= 0:
            return None
        return ValueSeries([*map(combine, self._all(first), self._all(others[0]))], ())

    # ------------------------------------------------------------------ numbers

    def _first(self, numbers: _Numbers) -> int:
        return numbers.start if isinstance(numbers, Line) else numbers[0]

    def _all(self, numbers: _Numbers) -> Iterable[int]:
        if isinstance(numbers, list):
            return numbers
        start, step = numbers
        return range(start, start + self.count * step, step) if step else repeat(start, self.count)

    def _ranked(self, numbers: list[int]) -> _Ranks:
        """The ranks of a list; most comparisons are of a few lists with many constants."""
        found = self._ranks.get(id(numbers))
        if found is None:
            if len(self._ranks) >= _MOST_KEPT:
                self._ranks.clear()
            found = self._ranks[id(numbers)] = _Ranks(numbers)  # which keeps the list, so that no other has its id
        return found

    def _bounds(self, numbers: _Numbers) -> tuple[int, int]:
        if isinstance(numbers, list):
            values = self._ranked(numbers).values
            return values[0], values[-1]
        last = numbers.start + (self.count - 1) * numbers.step
        return min(numbers.start, last), max(numbers.start, last)

    def _sum(self, one: _Numbers, other: _Numbers, factor: int) -> _Numbers:
        """``one + factor * other``."""
        if isinstance(one, Line) and isinstance(other, Line):
            return Line(one.start + factor * other.start, one.step + factor * other.step)
        if isinstance(one, Line) and not one.step:
            start = one.start
            if isinstance(other, list) and not start and factor == 1:
                return other
            return [start + factor * second for second in self._all(other)]
        return [first + factor * second for first, second in zip(self._all(one), self._all(other), strict=True)]

    def _wrapped(self, numbers: _Numbers, smallest: int, whole: int) -> _Numbers:
        """The integers in [smallest, smallest + whole) that are equal to the numbers modulo ``whole``."""
        if isinstance(numbers, Line):
            step = (numbers.step + whole // 2) % whole - whole // 2
            numbers = Line((numbers.start - smallest) % whole + smallest, step)
        least, most = self._bounds(numbers)
        if least >= smallest and most < smallest + whole:
            return numbers
        return [(one - smallest) % whole + smallest for one in self._all(numbers)]

    def _above(self, numbers: _Numbers, limit: int) -> int:
        """The places with numbers greater than a limit, as bits."""
        if isinstance(numbers, list):
            return self._ranked(numbers).above(limit)
        start, step = numbers
        if not step:
            return self._everywhere if start > limit else 0
        if step > 0:
            first = min(max((limit - start) // step + 1, 0), self.count)
            return self._everywhere >> first << first
        return (1 << min(max(-((limit - start) // -step), 0), self.count)) - 1
