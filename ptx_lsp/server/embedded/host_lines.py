"""Positions of a fragment of PTX in the document of another language that contains it."""

from __future__ import annotations

from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.text import Span


class FragmentLines:
    """As :class:`~ptx_lsp.server.documents.lines.DocumentLines`: offsets of the fragment, positions of the document.

    Args:
        fragment: the fragment.
        start: the offset of its statement in the document.
        lines: the lines of the document.

    """

    def __init__(self, fragment: AsmFragment, start: int, lines: DocumentLines) -> None:
        self._map = fragment.map
        self._start = start
        self._lines = lines

    def position(self, offset: int) -> Position:
        """The position of a character of the fragment."""
        return self._lines.position(self._start + self._map.to_host(offset))

    def range(self, span: Span) -> tuple[Position, Position]:
        """The positions of a span, up to the end of its first literal."""
        start, end = self._map.span_to_host(span)
        return self._lines.position(self._start + start), self._lines.position(self._start + end)

    def name_range(self, span: Span) -> tuple[Position, Position]:
        """The positions of a name, up to the end of its first literal."""
        return self.range(span)

    def offset(self, position: Position) -> int:
        """The offset in the fragment of a position; 0 outside of the literals."""
        return self._map.to_ptx(self._lines.offset(position) - self._start) or 0
