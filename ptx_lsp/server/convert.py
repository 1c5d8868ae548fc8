"""Conversion between positions of the protocol and code points; edits; changes of a document during a request."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.diagnostic import Edit
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.client.client import Client
    from ptx_lsp.server.embedded.fragment_view import FragmentView
    from ptx_lsp.server.embedded.host_document import HostDocument

ComputedT = TypeVar("ComputedT")


def offset_of(position: types.Position, document: OpenDocument | FragmentView | HostDocument) -> int:
    """The code point at a position."""
    return document.lines.offset(Position(position.line, position.character))


def range_of(span: Span, document: OpenDocument | FragmentView | HostDocument) -> types.Range:
    """A span as a range."""
    start, end = document.lines.range(span)
    return types.Range(types.Position(start.line, start.character), types.Position(end.line, end.character))


def edits_of(edits: Iterable[Edit], document: OpenDocument | HostDocument, client: Client) -> types.WorkspaceEdit:
    """Edits of one document, with its version if the client supports that."""
    changes = [types.TextEdit(range_of(edit.span, document), edit.text) for edit in edits]
    if client.supports("workspace", "workspaceEdit", "documentChanges"):
        identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])
    return types.WorkspaceEdit({document.uri: changes})


class DocumentRevision(NamedTuple):
    """The revision of a document when a request arrived.

    The handler takes it. A coroutine that the handler returns begins to run after other messages that have arrived:
    by then one may have changed the text, or be halfway through a change.
    """

    document: CheckedDocument
    revision: int

    @classmethod
    def of(cls, document: CheckedDocument) -> DocumentRevision:
        """The present revision."""
        return cls(document, document.revision)

    def check(self) -> None:
        """Refuse to answer if the text has changed since.

        Raises:
            JsonRpcException: the text has changed; the client sends the request again.

        """
        if self.document.revision != self.revision:
            raise text_has_changed()


def text_has_changed() -> JsonRpcException:
    """The refusal of a request whose text has changed; the client sends it again."""
    return JsonRpcException("the text has changed", types.LSPErrorCodes.ContentModified)


def while_unchanged(
    steps: Generator[None, None, ComputedT], document: CheckedDocument
) -> Generator[None, None, ComputedT]:
    """A computation about the present text of a document, which is refused as soon as the text has changed.

    The present text is that at the call, whenever the first step is taken.
    """
    return _while_unchanged(steps, DocumentRevision.of(document))


def _while_unchanged(
    steps: Generator[None, None, ComputedT], revision: DocumentRevision
) -> Generator[None, None, ComputedT]:
    while True:
        revision.check()
        try:
            next(steps)
        except StopIteration as end:
            value: ComputedT = end.value
            return value
        yield
