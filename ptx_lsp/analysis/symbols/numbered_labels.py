"""The labels that an entry ``name<n>`` of a list of targets denotes, found once for all entries of one name."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from ptx_lsp.analysis.symbols.symbols import Scope

MOST_LABELS = 1 << 12
"""Of an entry for more labels only so many are followed."""


class NumberedLabels:
    """The nodes of the labels ``name0``, ``name1`` …, as far as entries of lists denote them."""

    def __init__(self) -> None:
        self._series: dict[tuple[Scope, str], _Series] = {}

    def below(
        self, scope: Scope, name: str, count: int, node_of: Callable[[Scope, str], int | None]
    ) -> tuple[list[int], bool]:
        """The nodes of ``name<count>`` in the order of their numbers, and whether each of the labels has one.

        ``node_of`` gives the node of the label with a name that is visible in a scope; None without one.
        """
        count = min(count, MOST_LABELS)
        if not _may_be_declared(scope, name):
            return [], count == 0
        series = self._series.get((scope, name))
        if series is None:
            series = self._series[scope, name] = _Series()
        for number in range(series.read, count):
            node = node_of(scope, f"{name}{number}")
            if node is not None:
                series.numbers.append(number)
                series.nodes.append(node)
        series.read = max(series.read, count)
        found = bisect_left(series.numbers, count)
        return series.nodes[:found], found == count


def _may_be_declared(scope: Scope, name: str) -> bool:
    """Whether some scope declares a name that is this one and a number."""
    if name[-1:].isdecimal():
        return True  # its digits belong to the number
    return any(name in one.numbered or name in one.groups for one in scope.chain())


class _Series:
    """The known labels of one name."""

    def __init__(self) -> None:
        self.read = 0
        """The number of labels that were looked up."""
        self.numbers: list[int] = []
        """Those of labels with a node, in ascending order."""
        self.nodes: list[int] = []
        """Their nodes."""


def number_of_labels(word: str) -> int:
    """The number of labels that an entry with a count denotes; 0 if it is not known."""
    try:
        return int(word, 0)
    except ValueError:
        return 0
