"""The places in memory that an access has for each thread of a CTA."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.symbolic.atoms import AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbolic.substitution import Substitution
from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths
from ptx_lsp.named_tuples import NamedTuple

_WARP = 32


class Users(NamedTuple):
    """The threads of an access by the cells that they access."""

    of_cells: dict[int, list[int]]
    cells: frozenset[int]


class ThreadPlaces(NamedTuple):
    """The places of one access."""

    variable: tuple[tuple[int, int], ...]
    """The atoms of the address."""
    distances: list[int]
    """The distance from it, of each thread."""
    step: int | None
    """The distance between two threads that follow each other, if it is the same for all."""

    def meeting(self, size: int, other: ThreadPlaces, other_size: int) -> Iterable[int]:
        """The threads of another access that may access the same bytes as a thread of another warp, ascending."""
        count = len(self.distances)
        if self.step is None or self.step != other.step:
            return range(count)
        least, most = self.distances[0] - other.distances[0] - other_size, self.distances[0] - other.distances[0] + size
        if not self.step:
            return range(count if least < 0 < most else 0)
        one, two = sorted((least // self.step, most // self.step))
        apart = range(max(one, 1 - count), min(two + 1, count - 1) + 1)
        apart_by = [threads for threads in apart if threads and least < threads * self.step < most]
        if any(abs(threads) >= _WARP for threads in apart_by):
            return range(count)
        ends = (range(threads) if threads > 0 else range(_WARP + threads, _WARP) for threads in apart_by)
        lanes = sorted({lane for one in ends for lane in one})
        return [first + lane for first in range(0, count, _WARP) for lane in lanes if first + lane < count]

    def users(self, size: int, unit: int) -> Users:
        """The threads by the cells of some bytes that they access; all places are multiples of these."""
        users: dict[int, list[int]] = {}
        for thread, place in enumerate(self.distances):
            for cell in range(place, place + size, unit):
                users.setdefault(cell, []).append(thread)
        return Users(users, frozenset(users))


class PlacesOfValues:
    """The places of accesses for each thread, found once for all addresses that differ by a constant."""

    def __init__(self, atoms: Atoms, paths: ThreadPaths, threads: int) -> None:
        self._atoms = atoms
        self._paths, self._threads = paths, threads
        self._known: dict[tuple[tuple[int, int], ...], ThreadPlaces | None] = {}

    def of(self, value: LinearValue) -> ThreadPlaces | None:
        """The places of an address; None if they are not known."""
        if value.terms not in self._known:
            self._known[value.terms] = self._found(value._replace(number=0))
        found = self._known[value.terms]
        if found is None:
            return None
        return found._replace(distances=[value.number + one for one in found.distances])

    def _found(self, value: LinearValue) -> ThreadPlaces | None:
        numbers, terms, step = self._paths.values(value)
        if all(self._atoms.atom(token).kind is AtomKind.SYMBOL for token, _ in terms):
            return ThreadPlaces(terms, numbers[: self._threads], step)
        return self._of_each(value)

    def _of_each(self, value: LinearValue) -> ThreadPlaces | None:
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
        return ThreadPlaces(terms or (), found, None)
