"""The findings in heads, declarations and braces that stand before a function.

They are made first. If there are so many of them before a function that none of its own is shown or counted, the
function need not be examined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.positions import Positions
from ptx_lsp.diagnostic import Diagnostic, Severity


class EarlierFindings:
    """Findings by their places, counted up to one function after the other."""

    def __init__(self, positions: Positions, found: Iterable[Diagnostic]) -> None:
        self._positions = positions
        self._left = sorted(((one.span.start, one.severity) for one in found), reverse=True)

    def count_before(self, function: Function, known: Counter[Severity]) -> bool:
        """Add those before a function to the ``known`` ones, but for what was added before; whether there are any.

        The functions must be asked about in their order.
        """
        left = self._left
        if not left:
            return False
        start, count = self._positions.chunk_start(function.first), len(left)
        while left and left[-1][0] < start:
            known[left.pop()[1]] += 1
        return len(left) < count
