"""Conversion of code points to lines and columns, which count from 1."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, count
from operator import add

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

_AROUND = 160
"""Code points of a very long line that an excerpt keeps before and after the place."""


class LineRange(NamedTuple):
    """Lines and columns from 1; columns count code points, and the end is the first column after it."""

    line: int
    column: int
    end_line: int
    end_column: int


class SourceExcerpt(NamedTuple):
    """A source line, or the part of a very long one around a place."""

    text: str
    start: int
    """Code points of ``text`` before the place."""
    end: int
    """Code points of ``text`` up to the end of the place, or of the line if the place is longer."""
    cut_before: bool
    cut_after: bool


class Lines:
    """The lines of a text. A line ends at a line feed, a carriage return, or both together."""

    def __init__(self, text: str) -> None:
        self._text = text
        if "\r" in text:
            # One line feed for each line end, at unchanged offsets: the first half of a pair becomes a blank.
            text = text.replace("\r\n", " \n").replace("\r", "\n")
        ends = accumulate(map(len, text.split("\n")))  # without the line feeds: one for each line before
        self._starts = [0, *map(add, ends, count(1))]
        self._starts.pop()

    def place(self, span: Span) -> LineRange:
        """The lines and columns of a span."""
        line, column = self._position(span.start)
        end_line, end_column = self._position(max(span.start, span.end))
        return LineRange(line, column, end_line, end_column)

    def excerpt(self, span: Span) -> SourceExcerpt:
        """The line in which a span begins, as an excerpt."""
        line, _ = self._position(span.start)
        begin = self._starts[line - 1]
        stop = self._starts[line] if line < len(self._starts) else len(self._text)
        while stop > begin and self._text[stop - 1] in "\r\n":
            stop -= 1
        start, end = min(span.start, stop), min(max(span.start, span.end), stop)
        first = begin if start - begin <= _AROUND else start - _AROUND
        last = stop if stop - start <= 2 * _AROUND else min(stop, start + 2 * _AROUND)
        end = min(end, last)
        return SourceExcerpt(self._text[first:last], start - first, end - first, first > begin, last < stop)

    def _position(self, offset: int) -> tuple[int, int]:
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
