"""The nodes between a branch and where its ways meet again, that lie on one of its ways only.

Code from a compiler is nested: the region of a branch is then an interval of the nodes in reverse postorder, and two
numbers stand for it, however many branches are around each other. Whether it is one follows from the least and the
greatest neighbours of the nodes in the interval. Other regions are searched node by node.

Also the nodes on which the ways from one node to another meet.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple

_BLOCK = 64
_MOST_VISITS, _FEW_VISITS = 16, 4096
"""For all regions that are no intervals so many nodes are visited for each node of the function, and so many more."""


class BranchRegion(NamedTuple):
    """The nodes of a region."""

    first: int = 0
    """If it is an interval: the place of its first node in reverse postorder."""
    stop: int = 0
    nodes: frozenset[int] = frozenset()
    """The nodes of any other region."""

    @property
    def size(self) -> int:
        """The number of nodes."""
        return self.stop - self.first + len(self.nodes)


class BranchRegions:
    """Finds them in one graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._order = list(graph.reachable)
        self._left = _MOST_VISITS * len(graph.nodes) + _FEW_VISITS

    @once
    def _place(self) -> dict[int, int]:
        return {number: at for at, number in enumerate(self._order)}

    @once
    def _before(self) -> _Extremes:
        """The places of the nodes before each place."""
        place, nodes = self._place, self._graph.nodes
        return _Extremes([[place[one] for one in nodes[number].predecessors if one in place] for number in self._order])

    @once
    def _after(self) -> _Extremes:
        """The places of the nodes after each place."""
        place, nodes = self._place, self._graph.nodes
        return _Extremes([[place[one] for one in nodes[number].successors] for number in self._order])

    def of(self, branch: int) -> BranchRegion:
        """The region of a branch that can be reached; empty if its ways never meet, or if it takes too long to find."""
        graph = self._graph
        meeting = graph.postdominance.immediate(branch)
        while meeting is not None and meeting < len(graph.nodes) and graph.nodes[meeting].is_table:
            meeting = graph.postdominance.immediate(meeting)  # branches by one table do not meet at the table
        if meeting is None:
            return BranchRegion()
        starts = graph.ways(branch)
        leaves = graph.nodes[branch].piece.control is Control.LEAVE
        if len(starts) + leaves < 2:
            return BranchRegion()
        return self._interval(branch, starts, meeting) or self._searched(starts, meeting, leaves=leaves)

    def innermost(self, regions: Sequence[BranchRegion], nodes: Iterable[int]) -> dict[int, int]:
        """The smallest region around each of some nodes, by its index; the first of several."""
        if not regions:
            return {}
        places = sorted(self._place[number] for number in nodes if number in self._place)
        left = dict.fromkeys(self._order[at] for at in places)
        following = _Following(places)
        found: dict[int, int] = {}
        for index in sorted(range(len(regions)), key=lambda one: regions[one].size):
            region = regions[index]
            inside = left.keys() & region.nodes
            for number in [*inside, *(self._order[at] for at in following.taken(region.first, region.stop))]:
                if number in left:
                    found[number] = index
                    del left[number]
        return found

    def _interval(self, branch: int, starts: list[int], meeting: int) -> BranchRegion | None:
        """The region as an interval, if it is one: control enters it from the branch and leaves it to the meeting."""
        if self._graph.has_tables:
            return None
        here, stop = self._place[branch], self._place.get(meeting, len(self._order))
        first = here + 1
        ways = sorted(self._place[one] for one in starts if one != meeting)
        is_entered = all(first <= one < stop for one in ways) and ways[:1] == [first]
        if not is_entered or len(ways) > 2 or not self._before.are_within(first, stop, here, stop - 1):
            return None
        if not self._after.are_within(first, stop, first, stop):
            return None
        if len(ways) == 2:
            # Two ways: none of them may lead to the other.
            second = ways[1]
            others = [one for one in self._before.of(second) if one != here]
            if not self._before.are_within(first, second, here, second - 1) or any(one < second for one in others):
                return None
            if not self._before.are_within(second + 1, stop, second, stop):
                return None
        return BranchRegion(first, stop)

    def _searched(self, starts: list[int], meeting: int, *, leaves: bool) -> BranchRegion:
        ways = [self._until(number, meeting) for number in starts]
        if self._left < 0:
            return BranchRegion()
        if leaves:
            ways.append(frozenset())
        found = frozenset().union(*ways) - frozenset.intersection(*ways)
        if self._graph.has_tables:
            found = frozenset(number for number in found if not self._graph.nodes[number].is_table)
        return BranchRegion(nodes=found)

    def _until(self, start: int, end: int) -> frozenset[int]:
        """The nodes from ``start`` on before ``end``."""
        if start == end:
            return frozenset()
        found = {start}
        waiting = [start]
        while waiting and self._left >= 0:
            self._left -= 1
            for number in self._graph.nodes[waiting.pop()].successors:
                if number != end and number not in found:
                    found.add(number)
                    waiting.append(number)
        return frozenset(found)


class _Extremes:
    """The least and greatest of some numbers at each place, and of all in a range of places."""

    def __init__(self, numbers: list[list[int]]) -> None:
        self._numbers = numbers
        self._least = [min(one, default=len(numbers)) for one in numbers]
        self._greatest = [max(one, default=-1) for one in numbers]
        blocks = range(0, len(numbers), _BLOCK)
        self._least_of_blocks = [min(self._least[at : at + _BLOCK]) for at in blocks]
        self._greatest_of_blocks = [max(self._greatest[at : at + _BLOCK]) for at in blocks]

    def of(self, place: int) -> list[int]:
        """The numbers at a place."""
        return self._numbers[place]

    def are_within(self, first: int, stop: int, least: int, greatest: int) -> bool:
        """Whether all numbers at the places of a range are between two others."""
        if first >= stop:
            return True
        return (
            _extreme(self._least, self._least_of_blocks, first, stop, min) >= least
            and _extreme(self._greatest, self._greatest_of_blocks, first, stop, max) <= greatest
        )


def _extreme(
    values: list[int], of_blocks: list[int], first: int, stop: int, choose: Callable[[Collection[int]], int]
) -> int:
    """The least or greatest of a range of values, from those of whole blocks where it has some."""
    begin, end = -(-first // _BLOCK), stop // _BLOCK
    if begin >= end:
        return choose(values[first:stop])
    return choose((*values[first : begin * _BLOCK], *of_blocks[begin:end], *values[end * _BLOCK : stop]))


class _Following:
    """Some places in ascending order, each taken once."""

    def __init__(self, places: list[int]) -> None:
        self._places = places
        self._next = list(range(len(places) + 1))
        """The index of the next place that is not taken, perhaps by way of several."""

    def taken(self, first: int, stop: int) -> Iterator[int]:
        """Take those of a range."""
        at = self._free(bisect_left(self._places, first))
        while at < len(self._places) and self._places[at] < stop:
            yield self._places[at]
            self._next[at] = at + 1
            at = self._free(at)

    def _free(self, at: int) -> int:
        passed = []
        while self._next[at] != at:
            passed.append(at)
            at = self._next[at]
        for one in passed:
            self._next[one] = at
        return at


def on_all_ways(start: int, end: int, following: Mapping[int, Sequence[int]]) -> frozenset[int]:
    """The nodes on all ways from one node to another; those two are among them. Empty if no way leads there.

    A node of some way is on all of them if nothing before it leads past it.
    """
    came_from = {start: start}
    waiting = [start]
    while waiting and end not in came_from:
        number = waiting.pop()
        for one in following.get(number, ()):
            if one not in came_from:
                came_from[one] = number
                waiting.append(one)
    if end not in came_from:
        return frozenset()
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    way.reverse()
    places = {number: at for at, number in enumerate(way)}
    found, beside, furthest = [], set[int](), 0
    for at, number in enumerate(way):
        if furthest <= at:
            found.append(number)
        waiting = [number]
        while waiting:
            for one in following.get(waiting.pop(), ()):
                if one in places:
                    furthest = max(furthest, places[one])
                elif one not in beside:
                    beside.add(one)
                    waiting.append(one)
    return frozenset(found)
