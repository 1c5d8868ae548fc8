"""Lines whose statements are to stay together: those that a comment silences findings in."""

from __future__ import annotations

from bisect import bisect_right

from ptx_lsp import suppressions


class SuppressedLines:
    """Lines in which something is silenced. A statement that goes beyond one, or shares it, is left as it is."""

    def __init__(self, text: str) -> None:
        found = suppressions.find(text) if suppressions.MARK in text else suppressions.Suppressions()
        self._text = text
        self._starts = found.starts
        self._ends = [end for end, _ in found.lines]

    def __bool__(self) -> bool:
        return bool(self._starts)

    def touches(self, body: int, stop: int) -> bool:
        """Whether the statement ``[body, stop)`` stands in such a line, but is not the only one there."""
        first = bisect_right(self._starts, body) - 1
        for at in (first, first + 1):
            if 0 <= at < len(self._starts) and self._starts[at] < stop and body < self._ends[at]:
                start, end = self._starts[at], self._ends[at]
                if body < start or stop > end or self._text[start:body].strip():
                    return True
                after = self._text[stop:end].strip()
                if after and not after.startswith("//"):
                    return True
        return False
