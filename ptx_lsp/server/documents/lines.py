r"""Lines as the protocol counts them, over the chunks of a document.

A line ends at ``\n``, ``\r\n`` or a lone ``\r``; other packages count lines differently. Nothing
here takes time in proportion to the file: an edit counts the lines of the chunks that it adds, a query is a
binary search among the chunks and one in a chunk.

Source: LSP specification, "Text Documents".
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Generator, Iterable, Sequence
from copy import copy
from itertools import accumulate, count
from operator import add
from typing import Protocol

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.running_totals import RunningTotals
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.text import Span

_CHUNKS_IN_A_STEP = 256
_COUNTED = 1024
_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """An LSP position: line and column from 0, the column in units of the position encoding."""

    line: int
    character: int


class Text(Protocol):
    """The part of a chunk that is used here: its immutable text."""

    @property
    def text(self) -> str:
        """The chunk's part of the document."""


class DocumentLines:
    """Positions and offsets of one state of a document.

    Args:
        chunks: the parts whose texts joined are the document.
        encoding: the unit of columns.

    """

    def __init__(self, chunks: Sequence[Text], encoding: Encoding) -> None:
        self._encoding = encoding
        self._chunks: list[Text] = []
        self._parts: list[_Part] = []
        self._starts, self._first_lines = RunningTotals(), RunningTotals()
        self._columns: dict[int, int] = {}
        """The columns at which chunks begin, those of chunks after a line end aside."""
        self._replace(0, 0, chunks)

    @classmethod
    def reading(cls, chunks: Sequence[Text], encoding: Encoding) -> Generator[None, None, DocumentLines]:
        """``DocumentLines(chunks, encoding)`` in steps."""
        lines = cls((), encoding)
        for first in range(0, len(chunks), _CHUNKS_IN_A_STEP):
            lines._replace(first, first, chunks[first : first + _CHUNKS_IN_A_STEP])
            yield
        return lines

    def edited(self, first: int, removed: int, added: Sequence[Text]) -> DocumentLines:
        """The lines after ``removed`` chunks from ``first`` on were replaced; only the new ones are counted."""
        other = copy(self)
        for name in ("_chunks", "_parts", "_starts", "_first_lines"):
            setattr(other, name, getattr(self, name).copy())
        other._replace(first, first + removed, added)
        return other

    def _replace(self, first: int, stop: int, added: Sequence[Text]) -> None:
        parts = [_Part(chunk) for chunk in added]
        self._columns = {}
        self._chunks[first:stop] = added
        self._parts[first:stop] = parts
        self._starts.replace(first, stop, [part.length for part in parts])
        before = max(first - 1, 0)  # its last line end may go on in the first of the new ones
        self._first_lines.replace(before, stop, [self._line_ends(at) for at in range(before, first + len(added))])

    def _line_ends(self, index: int) -> int:
        """The number of lines that end in a chunk; a line end across two chunks is counted in the second."""
        part = self._parts[index]
        return part.line_ends - (part.ends_in_return and self._starts_with_newline(index + 1))

    def _starts_with_newline(self, index: int) -> bool:
        return index < len(self._parts) and self._parts[index].starts_with_newline

    @property
    def length(self) -> int:
        """Code points in the document."""
        return self._starts.total

    @property
    def count(self) -> int:
        """Number of lines; an empty document has one."""
        return self._first_lines.total + 1

    def chunk_line(self, index: int) -> int:
        """The line on which a chunk begins."""
        return self._first_lines.before(index)

    def position(self, offset: int) -> Position:
        """The position of a code point; one past the end means the end.

        A code point inside a line end of two characters is at the end of its line: columns after that do not exist.
        """
        offset = min(max(offset, 0), self.length)
        if not self._chunks:
            return Position(0, 0)
        index = min(self._starts.count_up_to(offset), len(self._chunks)) - 1
        inside = offset - self._starts.before(index)
        if self._is_inside_line_end(index, inside):
            return self.position(offset - 1)
        breaks = self._breaks(index)
        passed = bisect_right(breaks, inside)
        line = self._first_lines.before(index) + passed
        if passed:
            return Position(line, self._units(index, breaks[passed - 1], inside))
        return Position(line, self._column(index) + self._units(index, 0, inside))

    def range(self, span: Span) -> tuple[Position, Position]:
        """The positions of a span."""
        return self.position(span.start), self.position(span.end)

    def name_range(self, span: Span) -> tuple[Position, Position]:
        """The positions of a name, which is on one line and plain ASCII."""
        line, start = self.position(span.start)
        return Position(line, start), Position(line, start + span.end - span.start)

    def positions(self, offsets: Iterable[int]) -> dict[int, Position]:
        """The positions of many code points, in one pass."""
        found: dict[int, Position] = {}
        stop = -1
        for offset in sorted(set(offsets)):
            if offset >= stop:
                index = min(max(self._starts.count_up_to(offset) - 1, 0), len(self._chunks) - 1)
                start, stop = (self._starts.before(index), self._starts.before(index + 1)) if index >= 0 else (0, 0)
                first = self._first_lines.before(index)
                is_plain = index >= 0 and (self._parts[index].is_ascii or self._encoding is Encoding.UTF_32)
                breaks = self._breaks(index) if is_plain else array("L")
            passed = bisect_right(breaks, offset - start)
            if is_plain and passed and offset < stop:
                at_end = self._is_inside_line_end(index, offset - start)
                found[offset] = Position(first + passed, offset - start - breaks[passed - 1] - at_end)
            else:
                found[offset] = self.position(offset)
        return found

    def offset(self, position: Position) -> int:
        """The code point at a position; past the end of its line means the line's end, as the protocol requires."""
        line, character = position
        if line < 0:
            return 0
        if line >= self.count:
            return self.length
        start = self._line_start(line)
        return start + self._encoding.code_points(self._line_text(start, max(character, 0)), character)

    def span(self, start: Position, end: Position) -> Span:
        """The code points between two positions, which may be in either order."""
        first = self.offset(start)
        last = self.offset(end) if end != start else first
        return Span(min(first, last), max(first, last))

    def _is_inside_line_end(self, index: int, inside: int) -> bool:
        """Whether a code point of a chunk is inside a line end of two characters."""
        part = self._parts[index]
        if inside == 0:
            return part.starts_with_newline and index > 0 and self._parts[index - 1].ends_in_return
        return part.has_returns and part.chunk.text[inside - 1 : inside + 1] == "\r\n"

    def _line_start(self, line: int) -> int:
        """Offset of the first code point of an existing line."""
        if line == 0:
            return 0
        index = self._first_lines.count_up_to(line - 1) - 1  # the chunk that holds the line end before it
        return self._starts.before(index) + self._breaks(index)[line - 1 - self._first_lines.before(index)]

    def _breaks(self, index: int) -> array[int]:
        """Offsets in a chunk after each of its line ends."""
        part = self._parts[index]
        breaks = part.breaks()
        if part.ends_in_return and self._starts_with_newline(index + 1):
            return breaks[:-1]
        return breaks

    def _column(self, index: int) -> int:
        """The column at which a chunk begins; the columns of all chunks before it on its line are kept with it."""
        first = index
        while first > 0 and first not in self._columns and not self._breaks(first - 1):
            first -= 1
        if first not in self._columns:
            self._columns[first] = 0
            if first > 0:
                before = first - 1
                self._columns[first] = self._units(before, self._breaks(before)[-1], self._parts[before].length)
        for at in range(first, index):
            self._columns[at + 1] = self._columns[at] + self._units(at, 0, self._parts[at].length)
        return self._columns[index]

    def _line_text(self, start: int, limit: int) -> str:
        """The line that begins at ``start``, without its end and limited to ``limit`` code points."""
        index = min(self._starts.count_up_to(start), len(self._chunks)) - 1
        if index < 0:
            return ""
        inside, pieces = start - self._starts.before(index), []
        while index < len(self._chunks) and limit > 0:
            text = self._chunks[index].text
            piece = text[inside : inside + limit]
            end = _LINE_END.search(piece)
            if end is not None:
                pieces.append(piece[: end.start()])
                break
            pieces.append(piece)
            limit -= len(piece)
            index, inside = index + 1, 0
        return "".join(pieces)

    def _units(self, index: int, start: int, end: int) -> int:
        part = self._parts[index]
        if part.is_ascii or self._encoding is Encoding.UTF_32:
            return end - start
        return part.units(end, self._encoding) - part.units(start, self._encoding)


class _Part:
    """Cached counts of one chunk."""

    __slots__ = (
        "_breaks",
        "_units",
        "chunk",
        "ends_in_return",
        "has_returns",
        "is_ascii",
        "length",
        "line_ends",
        "starts_with_newline",
    )

    def __init__(self, chunk: Text) -> None:
        text = chunk.text
        self.chunk = chunk
        self.length = len(text)
        self.is_ascii = text.isascii()
        self.line_ends = text.count("\n")
        self.has_returns = "\r" in text
        if self.has_returns:
            self.line_ends += text.count("\r") - text.count("\r\n")
        self.ends_in_return = text.endswith("\r")
        self.starts_with_newline = text.startswith("\n")
        self._breaks: array[int] | None = None
        self._units: array[int] | None = None

    def units(self, offset: int, encoding: Encoding) -> int:
        """The units before a code point; counted once at every few of them."""
        text = self.chunk.text
        if self._units is None:
            pieces = (text[at : at + _COUNTED] for at in range(0, self.length, _COUNTED))
            self._units = array("L", accumulate(map(encoding.units, pieces), initial=0))
        number = offset // _COUNTED
        return self._units[number] + encoding.units(text[number * _COUNTED : offset])

    def breaks(self) -> array[int]:
        """Offsets after each line end; computed once."""
        if self._breaks is None and not self.has_returns:
            lengths = map(len, self.chunk.text.split("\n"))
            self._breaks = array("L", map(add, accumulate(lengths), count(1)))
            self._breaks.pop()  # there is no line end after the last line
        elif self._breaks is None:
            self._breaks = array("L", (found.end() for found in _LINE_END.finditer(self.chunk.text)))
        return self._breaks
