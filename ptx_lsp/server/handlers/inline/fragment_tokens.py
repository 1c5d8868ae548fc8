"""Semantic tokens of inline assembly: made in slices, since a header can have hundreds of statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_lsp.server.convert import DocumentRevision
from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.token_changes import TokensEdit, TokenSnapshot
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.embedded.host_tokens import HostTokens
from ptx_lsp.server.handlers.sections import checked
from ptx_lsp.server.transport.slices import in_slices

if TYPE_CHECKING:
    from ptx_lsp.server.client.legend import Legend


def host_tokens(document: CheckedDocument | None, legend: Legend) -> HostTokens | None:
    """The tokens of a document of another language; None for all other documents."""
    if not isinstance(document, HostDocument):
        return None
    if document.tokens is None:
        document.tokens = HostTokens(document, legend)
    return document.tokens


async def changes(
    document: CheckedDocument, tokens: HostTokens, before: str
) -> tuple[TokenSnapshot, list[TokensEdit] | None]:
    """All tokens, and the edits since the result ``before``; None if that is not the last one."""
    revision = DocumentRevision.of(document)
    await in_slices(checked(tokens.preparing(), revision))
    revision.check()
    return tokens.changes(before)


async def between(document: CheckedDocument, tokens: HostTokens, start: Position, end: Position) -> str:
    """The numbers of the tokens in the statements between two positions."""
    assert isinstance(document, HostDocument)
    revision = DocumentRevision.of(document)
    span = document.lines.span(start, end)
    await in_slices(checked(tokens.preparing(span.start, span.end), revision))
    revision.check()
    return tokens.between(span.start, span.end)
