"""Semantic tokens of inline assembly: made in slices, since a header can have hundreds of statements."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.token_changes import TokensEdit, TokenSnapshot
from ptx_lsp.server.embedded.host_document import HostDocument
from ptx_lsp.server.embedded.host_tokens import HostTokens

if TYPE_CHECKING:
    from ptx_lsp.server.client.legend import Legend


def host_tokens(document: CheckedDocument | None, legend: Legend) -> HostTokens | None:
    """The tokens of a document of another language; None for all other documents."""
    if not isinstance(document, HostDocument):
        return None
    if document.tokens is None:
        document.tokens = HostTokens(document, legend)
    return document.tokens


def changes(tokens: HostTokens, before: str) -> Generator[None, None, tuple[TokenSnapshot, list[TokensEdit] | None]]:
    """All tokens, and the edits since the result ``before``; None if that is not the last one. In steps."""
    yield from tokens.preparing()
    return tokens.changes(before)


def between(
    document: CheckedDocument, tokens: HostTokens, start: Position, end: Position
) -> Generator[None, None, str]:
    """The numbers of the tokens in the statements between two positions, in steps."""
    assert isinstance(document, HostDocument)
    span = document.lines.span(start, end)
    yield from tokens.preparing(span.start, span.end)
    return tokens.between(span.start, span.end)
