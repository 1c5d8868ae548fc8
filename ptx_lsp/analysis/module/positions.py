"""Positions in the document of places, which are relative to their chunk and so stay true when other text is edited."""

from __future__ import annotations

from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.text import Span


class Positions:
    """The order of the chunks of a document, and the offsets of what stands in them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._order: dict[Chunk, int] = {}

    def follow(self, change: Change) -> None:
        """Chunks of the document were removed or added; if they are as many, the numbers of the others stay."""
        if not self._order or len(change.removed) != change.added:
            self._order = {}
            return
        added = self._document.chunks[change.first : change.first + change.added]
        for number, (before, after) in enumerate(zip(change.removed, added, strict=True), change.first):
            del self._order[before]
            self._order[after] = number

    @property
    def order(self) -> dict[Chunk, int]:
        """The number of each chunk among those of the document."""
        if not self._order:
            self._order = {chunk: number for number, chunk in enumerate(self._document.chunks)}
        return self._order

    def chunk_number(self, chunk: Chunk) -> int:
        """The place of a chunk among those of the document."""
        return self.order[chunk]

    def holds(self, place: Place) -> bool:
        """Whether a place is still part of the document."""
        return place.chunk in self.order

    def is_before(self, chunk: Chunk, statement: int, place: Place) -> bool:
        """Whether a statement stands before ``place``."""
        order = self.order
        return (order[chunk], statement) < (order.get(place.chunk, -1), place.statement)

    def span_of(self, place: Place) -> Span:
        """The span of a token in the document; of a statement without tokens its end."""
        chunk = place.chunk
        base = self._document.chunk_start(self.order[chunk]) + chunk.starts()[place.statement]
        statement = chunk.statement(place.statement)
        if not statement.tokens:
            end = base + len(statement.text)
            return Span(end, end)
        return statement.span(place.token).shifted(base)

    def line_of(self, place: Place) -> int:
        """The line of a token, counted from 1 as people do."""
        return self._document.position(self.span_of(place).start)[0] + 1

    def statement_start(self, chunk: Chunk, statement: int) -> int:
        """Offset in the document where a statement with its leading blanks begins."""
        return self._document.chunk_start(self.order[chunk]) + chunk.starts()[statement]
