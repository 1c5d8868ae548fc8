"""Whether one node of a graph leads to another, for many questions about one graph.

A search from node to node for each question would take time in proportion to the function, and a kernel with
thousands of barriers asks thousands of them. Two facts of one depth-first walk answer most at once: a node leads to
those below it in the tree of the walk, and never to a cycle that the walk left later. Only what is left is searched.
"""

from __future__ import annotations

from collections.abc import Sequence


class Reachability:
    """Which nodes of a graph lead to which, over one edge or more."""

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
