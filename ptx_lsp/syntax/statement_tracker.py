"""Where the statements of chunks that an edit replaced are now."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate

from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.text import Span


class StatementTracker:
    """Finds statements again after an edit.

    Args:
        document: the document after the edit.
        change: what :meth:`Document.edit` answered.
        span: what was replaced, in offsets before the edit.
        length: how long the new text is.

    """

    def __init__(self, document: Document, change: Change, span: Span, length: int) -> None:
        self._document = document
        self._change = change
        self._span = span
        self._shift = length - (span.end - span.start)

    @cached_property
    def _starts(self) -> dict[Chunk, int]:
        """The offsets that the removed chunks had."""
        removed = self._change.removed
        first = self._document.chunk_start(self._change.first)
        return dict(zip(removed, accumulate((chunk.length for chunk in removed), initial=first), strict=False))

    def find(self, chunk: Chunk, index: int) -> tuple[Chunk, int] | None:
        """The chunk and number that a statement has now; None if the edit touched it."""
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
