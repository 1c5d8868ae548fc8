"""Chunks whose text became part of a comment, kept until the comment ends before them again.

Whoever types ``/*`` at the top of a file turns all of it into one comment, and with ``*/`` back into statements. The
chunks that were there are kept as a *run*, adjacent chunks with the place of their text in the comment, and given back.

A run holds only chunks without a mark of a comment or of raw text. How such chunks are split depends only on their text
and on the start of what follows: the statements that follow them in the run, so that the last ones are not given back.
A run lives as long as the chunk of the comment, and its text is part of it: that bounds the memory.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax import raw
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

_MARKS = ("/*", "*/", raw.BEGIN, raw.END)


class Run(NamedTuple):
    """Adjacent chunks that a statement swallowed."""

    start: int
    """The offset of the first one: in the document, or in the chunk that swallowed them."""
    chunks: Sequence[Chunk]

    def pieces(self) -> Iterator[tuple[int, Chunk]]:
        """The chunks with their offsets."""
        return zip(accumulate((chunk.length for chunk in self.chunks), initial=self.start), self.chunks, strict=False)

    def within(self, start: int, end: int) -> Run:
        """The chunks that lie within ``[start, end)``."""
        offsets = list(accumulate((chunk.length for chunk in self.chunks), initial=self.start))
        first, last = bisect_left(offsets, start), bisect_right(offsets, end) - 1
        return Run(offsets[min(first, len(self.chunks))], self.chunks[first : max(first, last)])

    def last(self, statements: int) -> Run:
        """The last chunks, as few as have so many statements."""
        count = len(self.chunks)
        start = self.start + sum(chunk.length for chunk in self.chunks)
        while count and statements > 0:
            count -= 1
            start -= self.chunks[count].length
            statements -= len(self.chunks[count])
        return Run(start, self.chunks[count:])

    def around(self, span: Span, length: int) -> tuple[Run, Run]:
        """The remaining chunks before and after ``span``, once a text of this length replaces it."""
        end = self.start + sum(chunk.length for chunk in self.chunks)
        after = self.within(span.end, max(span.end, end))
        return self.within(self.start, span.start), after.shifted(length - (span.end - span.start))

    def shifted(self, by: int) -> Run:
        """The run with its chunks at other offsets."""
        return Run(self.start + by, self.chunks)


class SwallowedChunks:
    """The runs of the statements of a document that swallowed some, by their chunk."""

    def __init__(self) -> None:
        self._runs: dict[Chunk, Run] = {}

    def run(self, holder: Chunk) -> Run | None:
        """The chunks that a statement of ``holder`` swallowed, with offsets in it."""
        return self._runs.get(holder)

    def chunks(self) -> frozenset[Chunk]:
        """All chunks that are kept."""
        return frozenset(chunk for run in self._runs.values() for chunk in run.chunks)

    def take(self, removed: Sequence[Chunk], start: int) -> list[Run]:
        """Forget the runs of chunks that an edit removes, the first of them at ``start``.

        Returns:
            These runs, and runs of the removed chunks, with offsets in the document before the edit.

        """
        runs = []
        for begin, chunk in Run(start, removed).pieces():
            held = self._runs.pop(chunk, None)
            if held is not None:
                runs.append(held.shifted(begin))
        plain = [not any(mark in chunk.text for mark in _MARKS) for chunk in removed]
        for is_plain, group in groupby(zip(plain, Run(start, removed).pieces(), strict=True), itemgetter(0)):
            if is_plain:
                pieces = [piece for _, piece in group]
                runs.append(Run(pieces[0][0], [chunk for _, chunk in pieces]))
        return runs

    def keep(self, runs: Iterable[Run], added: Sequence[Chunk], start: int) -> None:
        """Keep the chunks whose text lies within a comment now; of each added chunk the longest run.

        Args:
            runs: runs of chunks, with offsets in the document, which still has their text there.
            added: the chunks that an edit added.
            start: the offset of the first of them.

        """
        wanted = [run for run in runs if run.chunks]
        shortest = min((chunk.length for run in wanted for chunk in run.chunks), default=0)
        for begin, holder in Run(start, added).pieces() if wanted else ():
            if not holder.closes or holder.length < shortest:
                continue
            found = [
                run.shifted(-begin).within(left, right)
                for left, right in pairwise(holder.starts())
                if right - left >= shortest
                for run in wanted
            ]
            longest = max(found, key=lambda run: len(run.chunks), default=None)
            if longest is not None and longest.chunks:
                self._runs[holder] = longest
