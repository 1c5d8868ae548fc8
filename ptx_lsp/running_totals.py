"""Running totals of a list of numbers that changes in places, such as the lengths of the chunks of a text.

The numbers are added up in blocks of about a hundred. A change adds up its block again, and the totals of all blocks;
a question is a binary search for the block and another one in it. So an edit of a text with thousands of chunks does
not add up thousands of numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

_SIZE = 64
"""The usual size of a block; it has at most twice as many numbers."""


class RunningTotals:
    """A list of numbers, none below 0, and the totals of those before each.

    >>> lengths = RunningTotals([5, 0, 7])
    >>> lengths.before(2), lengths.total, lengths.count_up_to(5)
    (5, 12, 3)
    >>> lengths.replace(0, 2, [1])
    >>> lengths.before(1), lengths.total
    (1, 8)
    """

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self._numbers = list(numbers)
        few = [] if len(self._numbers) > 2 * _SIZE else self._numbers
        self._blocks: list[list[int]] = [list(accumulate(few, initial=0))]
        """Of each block the totals within it before each number, and after the last one."""
        self._firsts: list[int] = [0, len(few)]
        """The index of the first number of each block, and of the end."""
        self._totals: list[int] = [0, self._blocks[0][-1]]
        """The total of all numbers before each block, and before the end."""
        if few is not self._numbers:
            listed, self._numbers = self._numbers, []
            self.replace(0, 0, listed)

    def copy(self) -> RunningTotals:
        """Another object with the same numbers."""
        other = RunningTotals()
        other._numbers = self._numbers.copy()
        other._blocks = self._blocks.copy()
        other._firsts, other._totals = self._firsts, self._totals
        return other

    @property
    def total(self) -> int:
        """The total of all numbers."""
        return self._totals[-1]

    def replace(self, first: int, stop: int, numbers: list[int]) -> None:
        """The numbers ``[first, stop)`` became others."""
        self._numbers[first:stop] = numbers
        count = len(self._blocks)
        left = bisect_right(self._firsts, first, 1, count) - 1
        right = max(bisect_left(self._firsts, stop, 1, count), left + 1)
        grown = len(numbers) - (stop - first)
        begin, end = self._firsts[left], self._firsts[right] + grown
        if end - begin < _SIZE // 2 and right < count:
            right += 1
            end = self._firsts[right] + grown
        step = _SIZE if end - begin > 2 * _SIZE else max(end - begin, 1)
        cuts = range(begin, max(end, begin + 1), step)
        self._blocks[left:right] = [
            list(accumulate(self._numbers[cut : min(cut + step, end)], initial=0)) for cut in cuts
        ]
        self._firsts = list(accumulate([len(block) - 1 for block in self._blocks], initial=0))
        self._totals = list(accumulate([block[-1] for block in self._blocks], initial=0))

    def before(self, index: int) -> int:
        """The total of the numbers before an index."""
        block = bisect_right(self._firsts, index, 1, len(self._blocks)) - 1
        return self._totals[block] + self._blocks[block][index - self._firsts[block]]

    def count_up_to(self, total: int) -> int:
        """The number of indices, that of the end included, with a total before them of at most ``total``."""
        block = bisect_right(self._totals, total, 1, len(self._blocks)) - 1
        return self._firsts[block] + bisect_right(self._blocks[block], total - self._totals[block])
