"""Dominators of the nodes of a graph.

Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
"""

from __future__ import annotations

from collections.abc import Sequence


class Dominance:
    """Of each node the last one before it that no path from the root avoids: its immediate dominator."""

    def __init__(self, root: int, successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]) -> None:
        order = _postorder(root, successors)
        self._root = root
        self._rank = {number: rank for rank, number in enumerate(order)}
        self._above: dict[int, int] = {root: root}
        rank, above = self._rank, self._above
        order.pop()
        changed = True
        while changed:
            changed = False
            for number in reversed(order):
                found = -1
                for earlier in predecessors[number]:
                    if earlier not in above:
                        continue
                    if found < 0:
                        found = earlier
                        continue
                    other = earlier
                    while other != found:
                        while rank[other] < rank[found]:
                            other = above[other]
                        while rank[found] < rank[other]:
                            found = above[found]
                if above.get(number) != found:
                    above[number] = found
                    changed = True

    def immediate(self, number: int) -> int | None:
        """The immediate dominator; None of the root, and where no path from the root leads."""
        return self._above.get(number) if number != self._root else None

    def dominates(self, number: int, other: int) -> bool:
        """Whether every path from the root to ``other`` passes ``number``; each node dominates itself."""
        rank, above = self._rank, self._above
        if number not in rank or other not in rank:
            return False
        while rank[other] < rank[number]:
            other = above[other]
        return other == number


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
