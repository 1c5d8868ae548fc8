"""Threads of different warps whose accesses are of the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, islice
from math import gcd

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths
from ptx_lsp.analysis.symbolic.thread_places import AccessPlaces, ThreadPlaces
from ptx_lsp.named_tuples import NamedTuple

_WARP = 32
_MOST_SEARCHES = 32
"""So many pairs of accesses of the same bytes are looked at thread by thread in one function."""
_MOST_TRIES = 64
"""The paths of so many threads are followed to an access, those left out that are known to go the same way."""


class Comers:
    """The threads that execute an access for sure; in a loop, those that execute it at least twice.

    Args:
        paths: the paths of threads.
        threads: the number of threads of a CTA.
        step: the access.
        loop: the header of the loop whose next iteration meets the other access, if there is one.

    """

    def __init__(self, paths: ThreadPaths, threads: int, step: Step, loop: int | None) -> None:
        self._paths, self._step, self._loop = paths, step, loop
        self._all = (1 << threads) - 1
        self._coming = 0
        self._absent = 0
        self._tried = 0
        self.may_come = True
        """False if none does, or many do not and no other is tried."""

    def comes(self, thread: int) -> bool:
        """Whether a thread does; False after many of them."""
        if (self._coming | self._absent) >> thread & 1:
            return bool(self._coming >> thread & 1)
        if self._tried >= _MOST_TRIES:
            self.may_come = bool(self._coming)
            return False
        self._tried += 1
        if self._comes(thread):
            self._coming |= self._paths.alike(self._step, thread)
            return True
        self._absent |= self._paths.alike(self._step, thread)
        self.may_come = self._absent != self._all
        return False

    def _comes(self, thread: int) -> bool:
        if self._loop is None:
            return self._paths.executes(self._step, thread)
        return (self._paths.numbers(self._step, thread) or {}).get(self._loop, 0) >= 1


class AllComers:
    """The threads that come to the instructions of one function: the same to all of a node that have no guards."""

    def __init__(self, paths: ThreadPaths, threads: int) -> None:
        self._paths, self._threads = paths, threads
        self._known: dict[tuple[int, int | None, int | None], Comers] = {}

    def of(self, step: Step, loop: int | None) -> Comers:
        """The threads that come to an access; see :class:`Comers`."""
        key = step.node, step.statement if step.guarded else None, loop
        if key not in self._known:
            self._known[key] = Comers(self._paths, self._threads, step, loop)
        return self._known[key]


class Encounter(NamedTuple):
    """Two accesses of the same bytes: the same for all pairs of accesses that are as far apart."""

    one: ThreadPlaces
    size: int
    other: ThreadPlaces
    other_size: int
    apart: int
    """The distance from the first thread of one to that of the other."""

    def threads(self) -> Iterable[int]:
        """The threads of the other access that may access the same bytes as one of another warp, ascending."""
        return self.one.meeting(self.size, self.other, self.other_size, self.apart)


class ThreadConflicts:
    """The pairs of threads of one function whose accesses are of the same bytes.

    Args:
        places: the places of all accesses that are compared, with the bytes that each accesses.

    """

    def __init__(self, places: Iterable[tuple[AccessPlaces, int]]) -> None:
        self._unit = gcd(*(gcd(one.first, one.threads.unit, size) for one, size in places))
        """The bytes of a cell: each access is of whole cells."""
        self._owners: dict[tuple[ThreadPlaces, int, Comers], dict[int, list[int]]] = {}
        self._known: dict[tuple[Encounter, Comers, Comers], tuple[int, int] | None] = {}
        self._left = _MOST_SEARCHES

    def encounter(self, one: AccessPlaces, size: int, other: AccessPlaces, other_size: int) -> Encounter | None:
        """The encounter of two accesses; None if no thread accesses what one of another warp does."""
        if one.variable != other.variable:
            return None
        first, second, apart = one.threads, other.threads, other.first - one.first
        if apart + second.least - first.most >= size or first.least - apart - second.most >= other_size:
            return None
        found = Encounter(first, size, second, other_size, apart)
        return found if found.threads() else None

    def between(self, encounter: Encounter, come: Comers, others_come: Comers) -> tuple[int, int] | None:
        """Two threads of different warps that execute the accesses for sure, of the same bytes."""
        key = encounter, come, others_come
        if key not in self._known:
            self._known[key] = self._found(encounter, come, others_come)
        return self._known[key]

    def _found(self, encounter: Encounter, come: Comers, others_come: Comers) -> tuple[int, int] | None:
        one, size, other, other_size, apart = encounter
        if not self._left:
            return None
        is_line = one.step is not None and one.step == other.step
        if not is_line and one.cells(size, self._unit).isdisjoint(
            cell + apart for cell in other.cells(other_size, self._unit)
        ):
            return None
        self._left -= 1
        users = one.users(size, self._unit)
        owners = self._owners.setdefault((one, size, come), {})
        for thread in encounter.threads():
            if not come.may_come or not others_come.may_come:
                return None
            place = apart + other.distances[thread]
            for cell in range(place, place + other_size, self._unit):
                own_users = users.get(cell)
                if not own_users or own_users[0] // _WARP == own_users[-1] // _WARP == thread // _WARP:
                    continue
                if cell not in owners:
                    owners[cell] = _two_of_them(own_users, come)
                for own in owners[cell]:
                    if own // _WARP != thread // _WARP and others_come.comes(thread):
                        return own, thread
        return None


def _two_of_them(threads: Iterable[int], come: Comers) -> list[int]:
    """Threads of two warps, if there are so many, that execute an access: the first or the last lane of each."""
    warps = ([*lanes] for _, lanes in groupby(threads, lambda thread: thread // _WARP))
    found = (next(filter(come.comes, (lanes[0], lanes[-1])), None) for lanes in warps)
    return [*islice((thread for thread in found if thread is not None), 2)]
