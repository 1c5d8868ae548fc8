"""Lines with a suppression comment, whose statements are kept on one line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ptx_lsp import suppressions


class SuppressedLines:
    """The lines in which a finding is suppressed. A statement that shares or crosses such a line is left unchanged."""

    def __init__(self, text: str) -> None:
        found = suppressions.find(text) if suppressions.MARK in text else suppressions.Suppressions()
        self._text = text
        self._starts = found.starts
        self._ends = [end for end, _ in found.lines]

    def __bool__(self) -> bool:
        return bool(self._starts)

    def has(self, body: int, stop: int) -> bool:
        """Whether the statement ``[body, stop)`` is on such a line, or crosses one."""
        return next(self._lines(body, stop), None) is not None

    def _lines(self, body: int, stop: int) -> Iterator[int]:
        first = bisect_right(self._starts, body) - 1
        for at in (first, first + 1):
            if 0 <= at < len(self._starts) and self._starts[at] < stop and body < self._ends[at]:
                yield at

    def touches(self, body: int, stop: int) -> bool:
        """Whether the statement ``[body, stop)`` is on such a line, and not alone on it."""
        for at in self._lines(body, stop):
            start, end = self._starts[at], self._ends[at]
            if body < start or stop > end or self._text[start:body].strip():
                return True
            after = self._text[stop:end].strip()
            if after and not after.startswith("//"):
                return True
        return False
