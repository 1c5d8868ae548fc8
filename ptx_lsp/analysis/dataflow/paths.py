"""Paths through a graph: nodes that every path passes, and nodes that lead to others."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from ptx_lsp.stepwise import run_to_completion

_NODES_IN_A_STEP = 500
_MOST_ROUNDS = 16
"""A graph from a compiler needs a few: one more than the number of jumps back on a path, and one to see the end."""
_FEW_VISITS = 4096
"""Small graphs may have more rounds."""


class Dominance:
    """Of each node the last one before it that no path from the root avoids: its immediate dominator.

    In almost linear time: where a thousand jumps go far back, each walk up the tree of dominators would be long.
    Source: Lengauer, Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", the simple version.
    """

    def __init__(self, root: int, successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]) -> None:
        for _ in self._solving(run_to_completion(Walk.making(root, successors)), predecessors):
            pass

    @classmethod
    def solving(cls, walk: Walk, predecessors: Sequence[Sequence[int]]) -> Generator[None, None, Dominance]:
        """Find the dominators in steps of about a millisecond; they are the value that is returned at the end."""
        found = cls.__new__(cls)
        yield from cls._solving(found, walk, predecessors)
        return found

    def _solving(self, walk: Walk, predecessors: Sequence[Sequence[int]]) -> Iterator[None]:
        above = yield from _dominators(walk, predecessors)
        self.order = walk.left[::-1]
        """The nodes that the root leads to in reverse postorder: each comes after its dominators."""
        entered = walk.entered
        self._above = {number: walk.order[above[at]] for number, at in entered.items()}
        sizes = [1] * len(above)
        for at in range(len(above) - 1, 0, -1):
            sizes[above[at]] += sizes[at]
        yield
        # Those below a node in the tree of dominators are numbered right after it.
        first, following = [0] * len(above), [1] * len(above)
        for at in range(1, len(above)):
            first[at] = following[above[at]]
            following[above[at]] += sizes[at]
            following[at] = first[at] + 1
        self._below = {number: (first[at], first[at] + sizes[at]) for number, at in entered.items()}
        """Of each node its number in this order, and the end of those below it."""

    def immediate(self, number: int) -> int | None:
        """The immediate dominator; None of the root, and where no path from the root leads."""
        above = self._above.get(number, number)
        return above if above != number else None

    def dominates(self, number: int, other: int) -> bool:
        """Whether every path from the root to ``other`` passes ``number``; each node dominates itself."""
        upper, lower = self._below.get(number), self._below.get(other)
        return upper is not None and lower is not None and upper[0] <= lower[0] < upper[1]


class Walk:
    """A depth-first walk from a node to all that it leads to."""

    def __init__(self, root: int) -> None:
        self.order = [root]
        """The nodes in the order in which the walk comes to them."""
        self.entered = {root: 0}
        """The place of each node in this order."""
        self.parents = [0]
        """By this place: the place of the node from which the walk came."""
        self.left: list[int] = []
        """The nodes in the order in which the walk leaves them."""

    @classmethod
    def making(cls, root: int, successors: Sequence[Sequence[int]]) -> Generator[None, None, Walk]:
        """The walk from a node, in steps; it is the generator's value."""
        walk = cls(root)
        order, entered = walk.order, walk.entered
        path = [(root, iter(successors[root]))]
        turns = 0
        while path:
            turns += 1
            if not turns % _NODES_IN_A_STEP:
                yield
            number, rest = path[-1]
            for following in rest:
                if following not in entered:
                    walk.parents.append(entered[number])
                    entered[following] = len(order)
                    order.append(following)
                    path.append((following, iter(successors[following])))
                    break
            else:
                walk.left.append(number)
                path.pop()
        return walk


def _dominators(walk: Walk, predecessors: Sequence[Sequence[int]]) -> Generator[None, None, list[int]]:
    """The immediate dominators in a walk, all as places in its order, in steps; 0 for the root."""
    count = len(walk.order)
    parents, entered = walk.parents, walk.entered
    semi = list(range(count))
    best = list(range(count))
    """The place with the smallest ``semi`` on the compressed way up to, and without, the root of a finished tree."""
    up = [-1] * count
    found = [0] * count
    waiting: dict[int, list[int]] = {}

    def lowest(at: int) -> int:
        if up[at] < 0:
            return at
        way = []
        one = at
        while up[up[one]] >= 0:
            way.append(one)
            one = up[one]
        for one in reversed(way):
            over = up[one]
            if semi[best[over]] < semi[best[one]]:
                best[one] = best[over]
            up[one] = up[over]
        return best[at]

    for at in range(count - 1, 0, -1):
        if not at % _NODES_IN_A_STEP:
            yield
        least = parent = parents[at]
        for earlier in predecessors[walk.order[at]]:
            place = entered.get(earlier, parent)
            low = place if place < at else semi[lowest(place)]
            if low < least:
                least = low
        semi[at], up[at] = least, parent
        if least == parent:
            found[at] = parent
        else:
            waiting.setdefault(least, []).append(at)
        for one in waiting.pop(parent, ()):
            other = lowest(one)
            found[one] = other if semi[other] < semi[one] else parent
    for at in range(1, count):
        if found[at] != semi[at]:
            found[at] = found[found[at]]
    return found


def settling(
    order: Sequence[int], affected: Sequence[Sequence[int]], update: Callable[[int], bool]
) -> Generator[None, None, bool]:
    """Update the facts of the nodes of a graph until they do not change any more, in steps of a few milliseconds.

    Args:
        order: the nodes, each mostly after those on which its facts depend; then few rounds are needed.
        affected: of each node those whose facts depend on its facts.
        update: computes the facts of a node from those of others; whether they have changed.

    Returns:
        Whether they have settled; False after many rounds, so that the work is proportional to the graph.

    """
    count, visited = len(order), 0
    places = [count] * len(affected)
    for place, number in enumerate(order):
        places[number] = place
    is_waiting = bytearray(count + 1)  # the last place is that of all other nodes
    for visited, number in enumerate(order, 1):
        if update(number):
            for one in affected[number]:
                if places[one] < visited:  # the others follow anyway
                    is_waiting[places[one]] = 1
        if not visited % _NODES_IN_A_STEP:
            yield
    for _ in range(max(_MOST_ROUNDS, _FEW_VISITS // max(count, 1)) - 1):
        has_changed = False
        at = is_waiting.find(1, 0, count)
        while at >= 0:
            is_waiting[at] = 0
            number = order[at]
            if update(number):
                has_changed = True
                for one in affected[number]:
                    is_waiting[places[one]] = 1
            visited += 1
            if not visited % _NODES_IN_A_STEP:
                yield
            at = is_waiting.find(1, at + 1, count)
        if not has_changed:
            return True
    return False


_MOST_REACHED = 256
"""Of so many nodes it is kept which nodes they lead to."""


class Reachability:
    """The nodes of a graph that lead to others over one edge or more, for many questions about one graph.

    A search from node to node for each question would take time in proportion to the function, and a kernel with
    thousands of barriers asks thousands of them. Two facts of one depth-first walk answer most at once: a node leads to
    those below it in the tree of the walk, and never to a cycle that the walk left later. Only the rest is searched.
    """

    def __init__(self, successors: Sequence[Sequence[int]]) -> None:
        for _ in self._solving(successors):
            pass

    @classmethod
    def solving(cls, successors: Sequence[Sequence[int]]) -> Generator[None, None, Reachability]:
        """Make the walk in steps of about a millisecond; what is found is the generator's value."""
        found = cls.__new__(cls)
        yield from cls._solving(found, successors)
        return found

    def _solving(self, successors: Sequence[Sequence[int]]) -> Iterator[None]:
        count = len(successors)
        self._successors = successors
        self._entered = [-1] * count
        """The place of each node in the order in which the walk comes to them."""
        self._below = [0] * count
        """The end of the places of those below it in the tree."""
        self._cycle = [0] * count
        """The strongly connected component of each node: nodes only lead to components with a smaller number."""
        self._loops = [number in following for number, following in enumerate(successors)]
        """Whether a node leads to itself."""
        self._searched: dict[int, int] = {}
        """The nodes that were searched for each start."""
        self._reached: dict[int, bytearray] = {}
        self._places = 0
        self._cycles = 0
        for number in range(count):
            if not number % _NODES_IN_A_STEP:
                yield
            if self._entered[number] < 0:
                yield from self._walking(number)

    def _walking(self, root: int) -> Iterator[None]:
        """Enter all nodes that a node leads to. Source: Tarjan, "Depth-First Search and Linear Graph Algorithms"."""
        entered, below, cycle = self._entered, self._below, self._cycle
        lowest: dict[int, int] = {}
        """Of nodes whose component is not known yet: the earliest place that they lead back to."""
        unfinished: list[int] = []
        path = [(root, iter(self._successors[root]))]
        entered[root] = lowest[root] = self._enter()
        unfinished.append(root)
        turns = 0
        while path:
            turns += 1
            if not turns % _NODES_IN_A_STEP:
                yield
            number, rest = path[-1]
            for following in rest:
                if entered[following] < 0:
                    entered[following] = lowest[following] = self._enter()
                    unfinished.append(following)
                    path.append((following, iter(self._successors[following])))
                    break
                if following in lowest:
                    lowest[number] = min(lowest[number], entered[following])
            else:
                path.pop()
                below[number] = self._places
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[number])
                if lowest[number] == entered[number]:
                    is_loop = unfinished[-1] != number
                    while number in lowest:
                        one = unfinished.pop()
                        cycle[one] = self._cycles
                        self._loops[one] |= is_loop
                        del lowest[one]
                    self._cycles += 1

    def _enter(self) -> int:
        self._places += 1
        return self._places - 1

    def cycle(self, number: int) -> int:
        """The strongly connected component of a node, as a number."""
        return self._cycle[number]

    def leads(self, first: int, second: int) -> bool:
        """Whether some path of one edge or more goes from one node to another, or back to the same."""
        cycle = self._cycle
        if cycle[first] == cycle[second]:
            return self._loops[first]
        if first in self._reached:
            return bool(self._reached[first][second])
        place = self._entered[second]
        if self._entered[first] <= place < self._below[first]:
            return True
        if cycle[second] > cycle[first]:
            return False
        if self._searched.get(first, 0) > len(self._entered):
            return bool(self._reached_from(first)[second])
        found, count = self._search(first, second)
        self._searched[first] = self._searched.get(first, 0) + count
        return found

    def _reached_from(self, first: int) -> bytearray:
        """The nodes that a node leads to, as flags; kept for the last nodes whose searches cost as much as this."""
        found = bytearray(len(self._entered))
        waiting = [first]
        while waiting:
            for following in self._successors[waiting.pop()]:
                if not found[following]:
                    found[following] = 1
                    waiting.append(following)
        if len(self._reached) >= _MOST_REACHED:
            del self._reached[next(iter(self._reached))]
        self._reached[first] = found
        return found

    def _search(self, first: int, second: int) -> tuple[bool, int]:
        """Whether one node leads to another one of another cycle, and how many nodes were searched."""
        cycle, place = self._cycle, self._entered[second]
        waiting = [first]
        seen = {first}
        while waiting:
            number = waiting.pop()
            if self._entered[number] <= place < self._below[number]:
                return True, len(seen)
            for following in self._successors[number]:
                if cycle[following] >= cycle[second] and following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return False, len(seen)
