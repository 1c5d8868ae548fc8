"""Documents: text as a list of chunks of statements, with incremental edits.

An edit re-splits the chunks it touches until a new statement boundary coincides with an
old chunk boundary. All other chunks are unchanged: no chunk stores its offset in the
document. Invariant: after any sequence of edits a Document equals one built from the text.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from ptx_lsp.syntax import raw
from ptx_lsp.syntax.chunk import Chunk, chunks
from ptx_lsp.syntax.split import LOOK_AHEAD, split
from ptx_lsp.syntax.trivia import open_comment
from ptx_lsp.text import Span


class Change(NamedTuple):
    """The effect of an edit: the chunks ``[first, first + len(removed))`` became ``[first, first + added)``."""

    first: int
    removed: tuple[Chunk, ...]
    added: int


class DocumentPlace(NamedTuple):
    """A chunk, a statement in it, an offset in that statement."""

    chunk: int
    statement: int
    offset: int


class Document:
    r"""A text as chunks of statements. Offsets are in code points; lines (ended by ``\n``) and columns start at 0."""

    def __init__(self, text: str) -> None:
        self.chunks: list[Chunk] = list(chunks(split(text)))
        self._measure()

    @classmethod
    def of(cls, made: list[Chunk]) -> Document:
        """Build a document from existing chunks."""
        document = cls("")
        document.chunks = made
        document._measure()
        return document

    def _measure(self) -> None:
        self._lengths: list[int] = []
        self._newlines: list[int] = []
        self._closing, self._raw = bytearray(), bytearray()
        self._measure_again(0, 0, self.chunks)

    def _measure_again(self, first: int, stop: int, added: list[Chunk]) -> None:
        """The chunks ``[first, stop)`` became ``added``: only these are looked at."""
        self._lengths[first:stop] = [chunk.length for chunk in added]
        self._newlines[first:stop] = [chunk.newlines for chunk in added]
        self._closing[first:stop] = bytes(chunk.closes for chunk in added)
        self._raw[first:stop] = bytes(chunk.opens_raw or chunk.ends_raw for chunk in added)
        self._offsets = list(accumulate(self._lengths, initial=0))
        self._lines = list(accumulate(self._newlines, initial=0))

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join([chunk.text for chunk in self.chunks])

    @property
    def length(self) -> int:
        """The number of code points."""
        return self._offsets[-1]

    @property
    def line_count(self) -> int:
        """The number of lines; an empty document has one."""
        return self._lines[-1] + 1

    def chunk_start(self, index: int) -> int:
        """The offset of a chunk."""
        return self._offsets[index]

    def chunk_at(self, offset: int) -> int:
        """The chunk that holds the character at ``offset``; the last one at the end."""
        return max(0, min(bisect_right(self._offsets, offset) - 1, len(self.chunks) - 1))

    def chunk_line(self, index: int) -> int:
        """The line on which a chunk starts."""
        return self._lines[index]

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of ``offset``, clamped to the text."""
        offset = max(0, min(offset, self.length))
        if not self.chunks:
            return 0, 0
        index = self.chunk_at(offset)
        inside = offset - self._offsets[index]
        text = self.chunks[index].text
        line = self._lines[index] + text.count("\n", 0, inside)
        newline = text.rfind("\n", 0, inside)
        while newline < 0 and index:
            # the line started in an earlier chunk
            inside += self.chunks[index - 1].length
            index -= 1
            newline = self.chunks[index].text.rfind("\n")
        return line, inside - newline - 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column; a column past the end of the line is clamped to it."""
        if line < 0:
            return 0
        if line >= self.line_count:
            return self.length
        start = self._line_start(line)
        return min(start + max(0, column), self._line_end(start))

    def _line_start(self, line: int) -> int:
        if line <= 0 or not self.chunks:
            return 0
        index = min(bisect_right(self._lines, line - 1) - 1, len(self.chunks) - 1)
        text = self.chunks[index].text
        rest = text.split("\n", line - self._lines[index])[-1]
        return self._offsets[index] + len(text) - len(rest)

    def _line_end(self, start: int) -> int:
        if start >= self.length:
            return self.length
        index = self.chunk_at(start)
        newline = self.chunks[index].text.find("\n", start - self._offsets[index])
        while newline < 0 and index + 1 < len(self.chunks):
            index += 1
            newline = self.chunks[index].text.find("\n")
        return self.length if newline < 0 else self._offsets[index] + newline

    def line_text(self, line: int) -> str:
        """A line without its line terminator."""
        start = self.offset(line, 0)
        return self.slice(Span(start, self._line_end(start))).removesuffix("\r")

    def slice(self, span: Span) -> str:
        """The text of a span."""
        start, end = max(0, span.start), min(span.end, self.length)
        if start >= end:
            return ""
        first, last = self.chunk_at(start), self.chunk_at(end - 1)
        text = self.chunks[first].text if first == last else "".join([c.text for c in self.chunks[first : last + 1]])
        base = self._offsets[first]
        return text[start - base : end - base]

    def locate(self, offset: int) -> DocumentPlace:
        """The statement that holds the character at ``offset``; the last one at the end of the text."""
        index = self.chunk_at(offset)
        if not self.chunks:
            return DocumentPlace(0, 0, 0)
        inside = max(0, min(offset - self._offsets[index], self.chunks[index].length))
        starts = self.chunks[index].starts()
        statement = min(bisect_right(starts, inside) - 1, len(starts) - 2)
        return DocumentPlace(index, statement, inside - starts[statement])

    def edit(self, span: Span, text: str) -> Change:
        """Replace ``span`` by ``text``."""
        start = max(0, min(span.start, self.length))
        end = max(start, min(span.end, self.length))
        if not self.chunks:
            self.chunks = list(chunks(split(text)))
            self._measure()
            return Change(0, (), len(self.chunks))
        first = self._first_touched(start)
        last = self.chunk_at(end)
        first = self._reopened(first, last, start, end, text)
        window = self._edited(first, last, start, end, text)
        stop = last + 1
        if self._has_raw(window):
            first, stop = 0, len(self.chunks)
            window = self._edited(0, stop - 1, start, end, text)
        step = 1
        while True:
            parts, complete = self._resplit(window, stop)
            if complete:
                break
            further = min(stop + step, len(self.chunks))
            window += "".join([chunk.text for chunk in self.chunks[stop:further]])
            stop = further
            step *= 4
        removed = tuple(self.chunks[first:stop])
        begin = start - self._offsets[first]
        added = list(chunks(parts, _touched(parts, begin, begin + len(text))))
        self.chunks[first:stop] = added
        self._measure_again(first, stop, added)
        return Change(first, removed, len(added))

    def _first_touched(self, offset: int) -> int:
        """The first chunk whose statements an edit at ``offset`` may change."""
        index = self.chunk_at(offset)
        starts = self.chunks[index].starts()
        before = bisect_right(starts, offset - self._offsets[index]) - 1
        while index and before < LOOK_AHEAD:
            index -= 1
            before += len(self.chunks[index])
        return index

    def _reopened(self, first: int, last: int, start: int, end: int, text: str) -> int:
        """The first chunk to split again, if the edit closes a comment that an earlier chunk opened."""
        return self._comment_reopened(first, last, self._edited(first, last, start, end, text))

    def _has_raw(self, window: str) -> bool:
        """Whether the document has raw text: its end depends on all of the text, so all is split again."""
        return raw.BEGIN in window or raw.END in window or 1 in self._raw

    def _edited(self, first: int, last: int, start: int, end: int, text: str) -> str:
        """The text of a range of chunks after an edit."""
        base = self._offsets[first]
        old = "".join([chunk.text for chunk in self.chunks[first : last + 1]])
        return old[: start - base] + text + old[end - base :]

    def _some_before(self, index: int) -> int:
        """The last chunk that starts at least ``LOOK_AHEAD`` statements before chunk ``index``."""
        before = 0
        while index and before < LOOK_AHEAD:
            index -= 1
            before += len(self.chunks[index])
        return index

    def _comment_reopened(self, first: int, last: int, edited: str) -> int:
        if self._closing.find(1, last + 1) >= 0:
            return first  # the comment would have been closed before the edit
        if "*/" not in edited:
            return first
        index = first
        for earlier in range(first - 1, -1, -1):
            if self.chunks[earlier].opens:
                index = earlier
            if self.chunks[earlier].closes:
                break
        return self._some_before(index) if index < first else first

    def _resplit(self, window: str, stop: int) -> tuple[list[str], bool]:
        """The statements of ``window``, and whether they end where chunk ``stop`` begins."""
        ahead = []
        statements = 0
        follower = stop
        is_closed_in_rest = False
        while follower < len(self.chunks) and statements <= LOOK_AHEAD:
            chunk = self.chunks[follower]
            end = chunk.starts()[min(2 * LOOK_AHEAD, len(chunk))]
            ahead.append(chunk.text[:end])
            is_closed_in_rest = chunk.closes and chunk.text.find("*/", max(end - 1, 0)) >= 0
            statements += len(chunk)
            follower += 1
            if end < chunk.length:
                break
        closed_later = is_closed_in_rest or self._closing.find(1, follower) >= 0
        parts = split(window + "".join(ahead), closed_later)
        if closed_later and any(open_comment(part) >= 0 for part in parts):
            return parts, False  # the window must grow until it contains the end of the comment
        if stop == len(self.chunks):
            return parts, True
        length = len(window)
        total = 0
        for index, part in enumerate(parts):
            if total == length:
                return parts[:index], True
            if total > length:
                break
            total += len(part)
        return parts, False


def _touched(parts: list[str], begin: int, end: int) -> range:
    """The statements that the characters ``[begin, end)`` of their joined text are in."""
    ends = list(accumulate(map(len, parts)))
    return range(bisect_right(ends, begin), bisect_right(ends, end) + 1)
