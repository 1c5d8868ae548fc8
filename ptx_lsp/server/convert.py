"""Between the protocol's positions and the core's code points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.diagnostic import Edit
from ptx_lsp.server.capabilities import lookup
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


def offset_of(position: types.Position, document: OpenDocument) -> int:
    """The code point at a position of the client."""
    return document.lines.offset(Position(position.line, position.character))


def range_of(span: Span, document: OpenDocument) -> types.Range:
    """A span as the client's range."""
    start, end = document.lines.position(span.start), document.lines.position(span.end)
    return types.Range(types.Position(start.line, start.character), types.Position(end.line, end.character))


def edits_of(edits: Iterable[Edit], document: OpenDocument, server: Server) -> types.WorkspaceEdit:
    """Edits of one document; for clients that can, of the version that they are meant for."""
    changes = [types.TextEdit(range_of(edit.span, document), edit.text) for edit in edits]
    if lookup(server.client, "workspace", "workspaceEdit", "documentChanges") is True:
        identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])
    return types.WorkspaceEdit({document.uri: changes})


class State(NamedTuple):
    """A document as it was when somebody asked about it; to be taken before anything is waited for."""

    document: OpenDocument
    revision: int

    @classmethod
    def of(cls, document: OpenDocument) -> State:
        """The present state."""
        return cls(document, document.revision)

    def check(self) -> None:
        """Refuse to answer for a text that changed while the answer was made.

        Raises:
            JsonRpcException: it did; the client asks again.

        """
        if self.document.revision != self.revision:
            raise JsonRpcException("the text has changed meanwhile", types.LSPErrorCodes.ContentModified)
