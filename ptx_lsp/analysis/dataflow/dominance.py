"""Dominators of the nodes of a graph.

Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
"""

from __future__ import annotations

from collections.abc import Sequence


class Dominance:
    """Of each node the last one before it that no path from the root avoids: its immediate dominator."""

    def __init__(self, root: int, successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]) -> None:
        order = _postorder(root, successors)
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
        self._order = order
        self._place = place
        self._above = above

    def immediate(self, number: int) -> int | None:
        """The immediate dominator; None of the root, and where no path from the root leads."""
        at = self._place.get(number, 0)
        return self._order[self._above[at]] if at else None

    def dominates(self, number: int, other: int) -> bool:
        """Whether every path from the root to ``other`` passes ``number``; each node dominates itself."""
        upper, lower = self._place.get(number), self._place.get(other)
        if upper is None or lower is None:
            return False
        while lower > upper:
            lower = self._above[lower]
        return lower == upper


def _postorder(root: int, successors: Sequence[Sequence[int]]) -> list[int]:
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
