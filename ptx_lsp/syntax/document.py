"""Documents: text as a list of chunks of statements, with incremental edits.

An edit re-splits the chunks it touches until a new statement boundary coincides with an
old chunk boundary. All other chunks are unchanged: no chunk stores its offset in the
document. Invariant: after any sequence of edits a Document equals one built from the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Sequence
from functools import reduce
from itertools import accumulate
from operator import or_

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.running_totals import RunningTotals
from ptx_lsp.stepwise import collected, run_to_completion
from ptx_lsp.syntax import raw
from ptx_lsp.syntax.chunk import Chunk, chunks, is_border
from ptx_lsp.syntax.resplit import Following, resplitting
from ptx_lsp.syntax.shape import shaping
from ptx_lsp.syntax.split import LOOK_AHEAD, MOST_PIECES, is_piece, split, splitting
from ptx_lsp.syntax.swallowed import SwallowedChunks
from ptx_lsp.syntax.trivia import open_comment
from ptx_lsp.text import Span

_LONG = 1 << 14
"""Longer statements are shaped in steps."""
_MANY = 4096
"""Of so many statements each pass takes long enough for a pause."""


class Change(NamedTuple):
    """The effect of an edit: the chunks ``[first, first + len(removed))`` became ``[first, first + added)``."""

    first: int
    removed: tuple[Chunk, ...]
    added: int
    swallowed: frozenset[Chunk] = frozenset()
    """The removed chunks that the document keeps, since their text is part of a comment now."""
    given_back: frozenset[Chunk] = frozenset()
    """The added chunks that it had kept."""
    dropped: frozenset[Chunk] = frozenset()
    """The chunks that the document had before, as part of its text or kept, and has no longer."""


class DocumentPlace(NamedTuple):
    """A chunk, a statement in it, an offset in that statement."""

    chunk: int
    statement: int
    offset: int


class _Made(NamedTuple):
    """The result of an edit: the chunks that replace ``[first, stop)``."""

    first: int
    stop: int
    chunks: list[Chunk]
    given_back: Sequence[Chunk] = ()
    """Those of the chunks that the document had kept."""


class Document:
    r"""A text as chunks of statements. Offsets are in code points; lines (ended by ``\n``) and columns start at 0."""

    def __init__(self, text: str) -> None:
        self.chunks: list[Chunk] = list(chunks(split(text)))
        self.swallowed = SwallowedChunks()
        self._measure()

    @classmethod
    def of(cls, made: list[Chunk]) -> Document:
        """Build a document from existing chunks."""
        document = cls("")
        document.chunks = made
        document._measure()
        return document

    def _measure(self) -> None:
        self._offsets = RunningTotals([chunk.length for chunk in self.chunks])
        self._lines = RunningTotals([chunk.newlines for chunk in self.chunks])
        self._closing, self._raw = bytearray(), bytearray()
        self._mark(0, 0, self.chunks)

    def _measure_again(self, first: int, stop: int, added: list[Chunk]) -> None:
        """The chunks ``[first, stop)`` became ``added``: only these are looked at."""
        self._offsets.replace(first, stop, [chunk.length for chunk in added])
        self._lines.replace(first, stop, [chunk.newlines for chunk in added])
        self._mark(first, stop, added)

    def _mark(self, first: int, stop: int, added: list[Chunk]) -> None:
        self._closing[first:stop] = bytes([chunk.closes for chunk in added])
        self._raw[first:stop] = bytes([raw.marks(chunk.text) for chunk in added])

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join([chunk.text for chunk in self.chunks])

    @property
    def length(self) -> int:
        """The number of code points."""
        return self._offsets.total

    @property
    def line_count(self) -> int:
        """The number of lines; an empty document has one."""
        return self._lines.total + 1

    def chunk_start(self, index: int) -> int:
        """The offset of a chunk."""
        return self._offsets.before(index)

    def chunk_at(self, offset: int) -> int:
        """The chunk that holds the character at ``offset``; the last one at the end."""
        return max(0, min(self._offsets.count_up_to(offset) - 1, len(self.chunks) - 1))

    def chunk_line(self, index: int) -> int:
        """The line on which a chunk starts."""
        return self._lines.before(index)

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of ``offset``, clamped to the text."""
        offset = max(0, min(offset, self.length))
        if not self.chunks:
            return 0, 0
        index = self.chunk_at(offset)
        inside = offset - self._offsets.before(index)
        text = self.chunks[index].text
        line = self._lines.before(index) + text.count("\n", 0, inside)
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
        index = min(self._lines.count_up_to(line - 1) - 1, len(self.chunks) - 1)
        text = self.chunks[index].text
        rest = text.split("\n", line - self._lines.before(index))[-1]
        return self._offsets.before(index) + len(text) - len(rest)

    def _line_end(self, start: int) -> int:
        if start >= self.length:
            return self.length
        index = self.chunk_at(start)
        newline = self.chunks[index].text.find("\n", start - self._offsets.before(index))
        while newline < 0 and index + 1 < len(self.chunks):
            index += 1
            newline = self.chunks[index].text.find("\n")
        return self.length if newline < 0 else self._offsets.before(index) + newline

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
        base = self._offsets.before(first)
        return text[start - base : end - base]

    def locate(self, offset: int) -> DocumentPlace:
        """The statement that holds the character at ``offset``; the last one at the end of the text."""
        index = self.chunk_at(offset)
        if not self.chunks:
            return DocumentPlace(0, 0, 0)
        inside = max(0, min(offset - self._offsets.before(index), self.chunks[index].length))
        starts = self.chunks[index].starts()
        statement = min(bisect_right(starts, inside) - 1, len(starts) - 2)
        return DocumentPlace(index, statement, inside - starts[statement])

    def edit(self, span: Span, text: str) -> Change:
        """Replace ``span`` by ``text``."""
        return run_to_completion(self.editing(span, text))

    def editing(self, span: Span, text: str) -> Generator[None, None, Change]:
        """:meth:`edit` in steps of a few milliseconds; the text is the former one until the last of them."""
        start = max(0, min(span.start, self.length))
        span = Span(start, max(start, min(span.end, self.length)))
        if not self.chunks:
            self.chunks = list(chunks(split(text)))
            self._measure()
            return Change(0, (), len(self.chunks))
        first = self._first_touched(start)
        last = self.chunk_at(span.end)
        made = yield from self._giving_back(first, last, span, text)
        if made is None:
            made = yield from self._splitting_again(first, last, span, text)
        first, removed = made.first, tuple(self.chunks[made.first : made.stop])
        base = self._offsets.before(first)
        held = self.swallowed.take(removed, base)
        moved = [part for run in held for part in run.around(span, len(text))]
        self.chunks[first : made.stop] = made.chunks
        self._measure_again(first, made.stop, made.chunks)
        self.swallowed.keep(moved, made.chunks, base)
        kept = self.swallowed.chunks()
        dropped = {*removed, *(chunk for run in held for chunk in run.chunks)} - kept - set(made.chunks)
        return Change(
            first, removed, len(made.chunks), kept.intersection(removed), frozenset(made.given_back), frozenset(dropped)
        )

    def _splitting_again(self, first: int, last: int, span: Span, text: str) -> Generator[None, None, _Made]:
        """The chunks that an edit makes if it touches the chunks ``[first, last]``."""
        first = self._comment_reopened(first, last, self._edited(first, last, span, text))
        parts, stop = yield from self._split_again(self._edited(first, last, span, text), last + 1)
        if len(parts) > _MANY:
            yield
        marks = {*self._raw[first:stop], raw.marks("\0".join(parts))}
        if any(marks) and reduce(or_, marks.union(self._raw)) == raw.BOTH:
            # Which begins and ends belong together depends on all of the text.
            first, stop = 0, len(self.chunks)
            parts = yield from splitting(self._edited(0, stop - 1, span, text), closed_later=False)
        is_long = sum(map(len, parts)) > _LONG
        if is_long:
            yield
        begin = span.start - self._offsets.before(first)
        shapes = None
        if is_long:
            shapes = yield from shaping(parts)
            yield
        touched = _touched(parts, begin, begin + len(text))
        if len(parts) > _MANY:
            yield
        made = yield from collected(chunks(parts, touched, shapes))
        return _Made(first, stop, made)

    def _split_again(self, window: str, stop: int) -> Generator[None, None, tuple[list[str], int]]:
        """The statements of the edited text before chunk ``stop`` and of the chunks it grows into; the next chunk."""
        parts, stop = yield from resplitting(window, Following(self.chunks, self._closing), stop)
        while stop < len(self.chunks) and not is_border(parts[-2:], self.chunks[stop].part(0)):
            parts += self.chunks[stop].parts()
            stop += 1
        return parts, stop

    def _giving_back(self, first: int, last: int, span: Span, text: str) -> Generator[None, None, _Made | None]:
        """The chunks that an edit makes if it ends a comment before chunks that this swallowed; None if it does not."""
        holder, start = self.chunks[last], self._offsets.before(last)
        run = self.swallowed.run(holder)
        if run is None or self._stays_in_comment(last, span, text):
            return None
        run = run.within(span.end - start, holder.length)
        unsettled = run.last(LOOK_AHEAD + 1)
        edited = self._edited(first, last, span, text)
        following = Following(run.chunks, bytes(len(run.chunks)) + b"\1")
        if raw.marks(edited):
            return None
        lead, given = yield from resplitting(edited[: len(edited) - (holder.length - run.start)], following, 0)
        settled = len(run.chunks) - len(unsettled.chunks)
        if given >= settled:
            return None  # it is still a comment
        rest, stop = yield from resplitting(
            holder.text[unsettled.start :], Following(self.chunks, self._closing), last + 1
        )
        begin = span.start - self._offsets.before(first)
        before = chunks(lead, _touched(lead, begin, begin + len(text)))
        kept = run.chunks[given:settled]
        if not (is_border(lead[-2:], kept[0].part(0)) and is_border(kept[-1].parts()[-2:], rest[0] if rest else "\n")):
            return None
        return _Made(first, stop, [*before, *kept, *chunks(rest)], kept)

    def _first_touched(self, offset: int) -> int:
        """The first chunk whose statements an edit at ``offset`` may change."""
        index = self.chunk_at(offset)
        starts = self.chunks[index].starts()
        before = bisect_right(starts, offset - self._offsets.before(index)) - 1
        for _ in range(MOST_PIECES):
            if not before and index:
                index -= 1
                before = len(self.chunks[index])
            if not before or not is_piece(self.chunks[index].part(before - 1)):
                break
            before -= 1
        while index and before < LOOK_AHEAD:
            index -= 1
            before += len(self.chunks[index])
        return index

    def _stays_in_comment(self, index: int, span: Span, text: str) -> bool:
        """Whether the edit is within a comment of a chunk and does not end it."""
        chunk, base = self.chunks[index], self._offsets.before(index)
        begin, end = span.start - base, span.end - base
        if begin <= 0 or "*/" in chunk.text[begin - 1 : begin] + text + chunk.text[end : end + 1]:
            return False
        start = chunk.starts()[bisect_right(chunk.starts(), begin) - 1]
        return open_comment(chunk.text[start:begin]) >= 0 and "*/" not in chunk.text[begin:end]

    def _edited(self, first: int, last: int, span: Span, text: str) -> str:
        """The text of a range of chunks after an edit."""
        base = self._offsets.before(first)
        old = "".join([chunk.text for chunk in self.chunks[first : last + 1]])
        return old[: span.start - base] + text + old[span.end - base :]

    def _some_before(self, index: int) -> int:
        """The last chunk that starts at least ``LOOK_AHEAD`` statements before chunk ``index``."""
        before = 0
        while index and before < LOOK_AHEAD:
            index -= 1
            before += len(self.chunks[index])
        return index

    def _comment_reopened(self, first: int, last: int, edited: str) -> int:
        """The first chunk to split again, if the edit closes a comment that an earlier chunk opened."""
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


def _touched(parts: list[str], begin: int, end: int) -> range:
    """The statements that the characters ``[begin, end)`` of their joined text are in."""
    ends = list(accumulate(map(len, parts)))
    return range(bisect_right(ends, begin), bisect_right(ends, end) + 1)
