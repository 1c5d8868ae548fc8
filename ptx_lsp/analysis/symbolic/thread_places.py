"""The places in memory that an access has for each thread of a CTA."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import gcd

from ptx_lsp.analysis.symbolic.atoms import AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbolic.substitution import Substitution
from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple

_WARP = 32


class ThreadPlaces:
    """The places of all threads, relative to that of the first one.

    Args:
        distances: the distance of each thread from the first one.
        step: the distance between two threads that follow each other, if it is the same for all.

    """

    def __init__(self, distances: list[int], step: int | None) -> None:
        self.distances = distances
        self.step = step
        self._users: dict[tuple[int, int], dict[int, list[int]]] = {}
        self._cells: dict[tuple[int, int], frozenset[int]] = {}

    @once
    def least(self) -> int:
        """The least distance."""
        return min(self.distances)

    @once
    def most(self) -> int:
        """The greatest distance."""
        return max(self.distances)

    @once
    def unit(self) -> int:
        """The number of which all distances are multiples."""
        return gcd(*self.distances)

    def meeting(self, size: int, other: ThreadPlaces, other_size: int, apart: int) -> Iterable[int]:
        """The threads of another access that may access the same bytes as a thread of another warp, ascending.

        Args:
            size: the bytes of an access at these places.
            other: the places of the other access.
            other_size: the bytes of an access at those.
            apart: the distance from the first thread here to the first thread there.

        """
        count = len(self.distances)
        if self.step is None or self.step != other.step:
            return range(count)
        least, most = -apart - other_size, -apart + size
        if not self.step:
            return range(count if least < 0 < most else 0)
        one, two = sorted((least // self.step, most // self.step))
        between = range(max(one, 1 - count), min(two + 1, count - 1) + 1)
        apart_by = [threads for threads in between if threads and least < threads * self.step < most]
        if any(abs(threads) >= _WARP for threads in apart_by):
            return range(count)
        ends = (range(threads) if threads > 0 else range(_WARP + threads, _WARP) for threads in apart_by)
        lanes = sorted({lane for one in ends for lane in one})
        return [first + lane for first in range(0, count, _WARP) for lane in lanes if first + lane < count]

    def users(self, size: int, unit: int) -> dict[int, list[int]]:
        """The threads by the cells of some bytes that they access; all places are multiples of these."""
        key = size, unit
        if key not in self._users:
            users: defaultdict[int, list[int]] = defaultdict(list)
            for first in range(0, size, unit):
                for thread, place in enumerate(self.distances):
                    users[place + first].append(thread)
            if size > unit:
                for threads in users.values():
                    threads.sort()
            self._users[key] = dict(users)
        return self._users[key]

    def cells(self, size: int, unit: int) -> frozenset[int]:
        """The cells that any thread accesses."""
        key = size, unit
        if key not in self._cells:
            self._cells[key] = frozenset(self.users(size, unit))
        return self._cells[key]


class AccessPlaces(NamedTuple):
    """The places of one access."""

    variable: tuple[tuple[int, int], ...]
    """The atoms of the address."""
    first: int
    """The distance of the first thread from it."""
    threads: ThreadPlaces
    """Those of the others; the same object for all accesses whose addresses differ by a constant."""


class PlacesOfValues:
    """The places of accesses for each thread, found once for all addresses that differ by a constant."""

    def __init__(self, atoms: Atoms, paths: ThreadPaths, threads: int) -> None:
        self._atoms = atoms
        self._paths, self._threads = paths, threads
        self._known: dict[tuple[tuple[int, int], ...], AccessPlaces | None] = {}

    def of(self, value: LinearValue) -> AccessPlaces | None:
        """The places of an address; None if they are not known."""
        if value.terms not in self._known:
            self._known[value.terms] = self._found(value._replace(number=0))
        found = self._known[value.terms]
        return None if found is None else found._replace(first=found.first + value.number)

    def _found(self, value: LinearValue) -> AccessPlaces | None:
        numbers, terms, step = self._paths.values(value)
        if all(self._atoms.atom(token).kind is AtomKind.SYMBOL for token, _ in terms):
            return _places(terms, numbers[: self._threads], step)
        return self._of_each(value)

    def _of_each(self, value: LinearValue) -> AccessPlaces | None:
        """The places of an address, computed for each thread: less is unknown then."""
        found: list[int] = []
        terms = None
        for thread in range(self._threads):
            specials = self._paths.specials(thread)
            here = Substitution(self._atoms, specials).of(value)
            if terms is None and all(self._atoms.atom(token).kind is AtomKind.SYMBOL for token, _ in here.terms):
                terms = here.terms
            if terms is None or here.terms != terms:
                return None
            found.append(here.number)
        return _places(terms or (), found, None)


def _places(variable: tuple[tuple[int, int], ...], numbers: list[int], step: int | None) -> AccessPlaces:
    first = numbers[0]
    distances = [number - first for number in numbers] if first else numbers
    return AccessPlaces(variable, first, ThreadPlaces(distances, step))
