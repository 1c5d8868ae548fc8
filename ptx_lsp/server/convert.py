"""Between the protocol's positions and the core's code points."""

from __future__ import annotations

from lsprotocol import types

from ptx_lsp.server.document import OpenDocument
from ptx_lsp.server.lines import Position
from ptx_lsp.text import Span


def offset_of(position: types.Position, document: OpenDocument) -> int:
    """The code point at a position of the client."""
    return document.lines.offset(Position(position.line, position.character))


def range_of(span: Span, document: OpenDocument) -> types.Range:
    """A span as the client's range."""
    start, end = document.lines.position(span.start), document.lines.position(span.end)
    return types.Range(types.Position(start.line, start.character), types.Position(end.line, end.character))
