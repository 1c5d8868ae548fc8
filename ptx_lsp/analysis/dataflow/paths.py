"""Paths through a graph: nodes that every path passes, and nodes that lead to others."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

_NODES_IN_A_STEP = 500


class Dominance:
    """Of each node the last one before it that no path from the root avoids: its immediate dominator.

    Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
    """

    def __init__(self, root: int, successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]) -> None:
        for _ in self._solving(root, successors, predecessors):
            pass

    @classmethod
    def solving(
        cls, root: int, successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]
    ) -> Generator[None, None, Dominance]:
        """Find the dominators in steps of about a millisecond; they are the value that is returned at the end."""
        found = cls.__new__(cls)
        yield from cls._solving(found, root, successors, predecessors)
        return found

    def _solving(
        self, root: int, successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]
    ) -> Iterator[None]:
        order = postorder(root, successors)
        order.reverse()
        # From here on nodes are numbered by their place in this order: a dominator has a smaller number.
        place = {number: at for at, number in enumerate(order)}
        before = [[place[one] for one in predecessors[number] if one in place] for number in order]
        above = [-1] * len(order)
        above[0] = 0
        changed = True
        while changed:
            changed = False
            for at in range(1, len(order)):
                if not at % _NODES_IN_A_STEP:
                    yield
                found = -1
                for earlier in before[at]:
                    if above[earlier] < 0:
                        continue
                    if found < 0:
                        found = earlier
                        continue
                    while earlier != found:
                        while earlier > found:
                            earlier = above[earlier]
                        while found > earlier:
                            found = above[found]
                if above[at] != found:
                    above[at] = found
                    changed = True
        self.order = order
        """The nodes that the root leads to in reverse postorder: each comes after its dominators."""
        self._place = place
        self._above = above

    def immediate(self, number: int) -> int | None:
        """The immediate dominator; None of the root, and where no path from the root leads."""
        at = self._place.get(number, 0)
        return self.order[self._above[at]] if at else None

    def dominates(self, number: int, other: int) -> bool:
        """Whether every path from the root to ``other`` passes ``number``; each node dominates itself."""
        upper, lower = self._place.get(number), self._place.get(other)
        if upper is None or lower is None:
            return False
        while lower > upper:
            lower = self._above[lower]
        return lower == upper


def postorder(root: int, successors: Sequence[Sequence[int]]) -> list[int]:
    """The nodes that ``root`` leads to, each after those that it leads to; ``root`` is the last."""
    order: list[int] = []
    seen = {root}
    path = [(root, iter(successors[root]))]
    while path:
        number, rest = path[-1]
        for following in rest:
            if following not in seen:
                seen.add(following)
                path.append((following, iter(successors[following])))
                break
        else:
            order.append(number)
            path.pop()
    return order


class Reachability:
    """The nodes of a graph that lead to others over one edge or more, for many questions about one graph.

    A search from node to node for each question would take time in proportion to the function, and a kernel with
    thousands of barriers asks thousands of them. Two facts of one depth-first walk answer most at once: a node leads to
    those below it in the tree of the walk, and never to a cycle that the walk left later. Only the rest is searched.
    """

    def __init__(self, successors: Sequence[Sequence[int]]) -> None:
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
        self._places = 0
        self._cycles = 0
        for number in range(count):
            if self._entered[number] < 0:
                self._walk(number)

    def _walk(self, root: int) -> None:
        """Enter all nodes that a node leads to. Source: Tarjan, "Depth-First Search and Linear Graph Algorithms"."""
        entered, below, cycle = self._entered, self._below, self._cycle
        lowest: dict[int, int] = {}
        """Of nodes whose component is not known yet: the earliest place that they lead back to."""
        unfinished: list[int] = []
        path = [(root, iter(self._successors[root]))]
        entered[root] = lowest[root] = self._enter()
        unfinished.append(root)
        while path:
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
        place = self._entered[second]
        waiting = [first]
        seen = {first}
        while waiting:
            number = waiting.pop()
            if self._entered[number] <= place < self._below[number]:
                return True
            for following in self._successors[number]:
                if cycle[following] >= cycle[second] and following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return False
