"""Tracking of statements across an edit that replaced their chunks."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate

from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.text import Span


class StatementTracker:
    """Maps statements from before an edit to their chunk and index after it.

    Args:
        document: the document after the edit.
        change: the result of :meth:`Document.edit`.
        span: the replaced span, in offsets before the edit.
        length: the length of the new text.

    """

    def __init__(self, document: Document, change: Change, span: Span, length: int) -> None:
        self._document = document
        self._change = change
        self._span = span
        self._shift = length - (span.end - span.start)

    @cached_property
    def _starts(self) -> dict[Chunk, int]:
        """The offsets of the removed chunks before the edit."""
        removed = self._change.removed
        first = self._document.chunk_start(self._change.first)
        return dict(zip(removed, accumulate((chunk.length for chunk in removed), initial=first), strict=False))

    def find(self, chunk: Chunk, index: int) -> tuple[Chunk, int] | None:
        """The current chunk and index of a statement; None if the edit touched it."""
        base = self._starts.get(chunk)
        if base is None:
            return chunk, index
        start = base + chunk.starts()[index]
        end = base + chunk.starts()[index + 1]
        if start >= self._span.end:
            start += self._shift
        elif end > self._span.start:
            return None
        place = self._document.locate(start)
        found = self._document.chunks[place.chunk] if self._document.chunks else None
        if found is None or place.offset or found.part(place.statement) != chunk.part(index):
            return None
        return found, place.statement
