"""Positions in the document of places, which are relative to their chunk and so stay true when other text is edited.

Each chunk has a *rank*: ranks ascend through the document, with gaps. Chunks that an edit adds get ranks in the gap
between their neighbours, so that all others keep theirs, and the number of a chunk is found by a binary search.
"""

from __future__ import annotations

from bisect import bisect_left

from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.text import Span

_GAP = 1 << 40
"""Between the ranks of adjacent chunks of a document that was just read."""


class Positions:
    """The order of the chunks of a document, and the offsets of what stands in them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ranks: list[int] = []
        self._rank_of: dict[Chunk, int] = {}

    def read(self) -> None:
        """Rank all chunks."""
        self._ranks = list(range(0, len(self._document.chunks) * _GAP, _GAP))
        self._rank_of = dict(zip(self._document.chunks, self._ranks, strict=True))

    def follow(self, change: Change) -> None:
        """Chunks of the document were removed or added."""
        first, stop = change.first, change.first + len(change.removed)
        ranks = self._ranks
        low = ranks[first - 1] if first else (ranks[stop] if stop < len(ranks) else 0) - (change.added + 1) * _GAP
        high = ranks[stop] if stop < len(ranks) else low + (change.added + 1) * _GAP
        step = (high - low) // (change.added + 1)
        if not step:
            self.read()
            return
        added = [low + step * number for number in range(1, change.added + 1)]
        ranks[first:stop] = added
        for chunk in change.removed:
            self._rank_of.pop(chunk, None)
        self._rank_of.update(zip(self._document.chunks[first : first + change.added], added, strict=True))

    def rank(self, chunk: Chunk) -> int:
        """A number that compares the place of a chunk with those of others, until the next edit."""
        return self._rank_of[chunk]

    def chunk_number(self, chunk: Chunk) -> int:
        """The place of a chunk among those of the document."""
        return bisect_left(self._ranks, self._rank_of[chunk])

    def chunk_start(self, chunk: Chunk) -> int:
        """Offset in the document where a chunk begins."""
        return self._document.chunk_start(self.chunk_number(chunk))

    def holds(self, place: Place) -> bool:
        """Whether a place is still part of the document."""
        return place.chunk in self._rank_of

    def is_before(self, chunk: Chunk, statement: int, place: Place) -> bool:
        """Whether a statement stands before ``place``."""
        other = self._rank_of.get(place.chunk)
        return other is not None and (self._rank_of[chunk], statement) < (other, place.statement)

    def span_of(self, place: Place) -> Span:
        """The span of a token in the document; of a statement without tokens its end."""
        chunk = place.chunk
        base = self.chunk_start(chunk) + chunk.starts()[place.statement]
        statement = chunk.statement(place.statement)
        if statement.lead == len(statement.text):
            end = base + len(statement.text)
            return Span(end, end)
        return statement.span(place.token).shifted(base)

    def line_of(self, place: Place) -> int:
        """The line of a token, counted from 1 as people do."""
        return self.line_at(self.span_of(place).start)

    def line_at(self, offset: int) -> int:
        """The line of an offset in the document, counted from 1."""
        return self._document.position(offset)[0] + 1

    def statement_start(self, chunk: Chunk, statement: int) -> int:
        """Offset in the document where a statement with its leading blanks begins."""
        return self.chunk_start(chunk) + chunk.starts()[statement]
