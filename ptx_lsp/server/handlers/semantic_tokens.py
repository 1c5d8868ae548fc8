"""``textDocument/semanticTokens``: ``full``, ``full/delta`` and ``range``."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.server.convert import while_unchanged
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.token_changes import TokensEdit, TokenSnapshot
from ptx_lsp.server.documents.tokens import DocumentTokens
from ptx_lsp.server.handlers.inline.fragment_tokens import between, changes, host_tokens
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slices import at_once_or_later, in_slices

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

TokensAnswer = RawJson | Coroutine[Any, Any, RawJson] | None
"""The answer; a coroutine makes it in slices."""


def semantic_tokens(server: Server, params: types.SemanticTokensParams) -> TokensAnswer:
    """All tokens of a document; of other languages those in inline assembly."""
    document = server.find(params.text_document.uri)
    if document is None:
        return _in_fragments(server, params.text_document.uri, "")
    return _in_slices(server, document, "")


def semantic_tokens_delta(server: Server, params: types.SemanticTokensDeltaParams) -> TokensAnswer:
    """The edits since an earlier result; all tokens if that was not the last one."""
    document = server.find(params.text_document.uri)
    if document is None:
        return _in_fragments(server, params.text_document.uri, params.previous_result_id)
    return _in_slices(server, document, params.previous_result_id)


def semantic_tokens_range(server: Server, params: types.SemanticTokensRangeParams) -> TokensAnswer:
    """The tokens of the statements in a range."""
    document = server.find(params.text_document.uri)
    start, end = params.range.start, params.range.end
    first, last = Position(start.line, start.character), Position(end.line, end.character)
    if document is None:
        return _in_fragments_between(server, params.text_document.uri, first, last)
    server.documents.ahead.show(document, document.lines.offset(Position((start.line + end.line) // 2, 0)))
    return RawJson(f'{{"data":[{_tokens(server, document).between(first, last, document.lines)}]}}')


def _in_slices(server: Server, document: OpenDocument, before: str) -> TokensAnswer:
    def steps() -> Generator[None, None, RawJson]:
        return _changes(*(yield from _tokens(server, document).making_changes(before)))

    return at_once_or_later(while_unchanged(steps(), document))


def _in_fragments(server: Server, uri: str, before: str) -> TokensAnswer:
    document = server.documents.find_any(uri)
    tokens = host_tokens(document, server.client.legend)
    if document is None or tokens is None:
        return None

    def steps() -> Generator[None, None, RawJson]:
        return _changes(*(yield from changes(tokens, before)))

    return in_slices(while_unchanged(steps(), document))


def _in_fragments_between(server: Server, uri: str, start: Position, end: Position) -> TokensAnswer:
    document = server.documents.find_any(uri)
    tokens = host_tokens(document, server.client.legend)
    if document is None or tokens is None:
        return None

    def steps() -> Generator[None, None, RawJson]:
        return RawJson(f'{{"data":[{(yield from between(document, tokens, start, end))}]}}')

    return in_slices(while_unchanged(steps(), document))


def _changes(answer: TokenSnapshot, found: list[TokensEdit] | None) -> RawJson:
    if found is None:
        return _all(answer)
    edits = ",".join(f'{{"start":{start},"deleteCount":{deleted},"data":[{data}]}}' for start, deleted, data in found)
    return RawJson(f'{{"resultId":"{answer.id}","edits":[{edits}]}}')


def _all(answer: TokenSnapshot) -> RawJson:
    return RawJson(f'{{"resultId":"{answer.id}","data":[{answer.data}]}}')


def _tokens(server: Server, document: OpenDocument) -> DocumentTokens:
    """The token cache of a document; a new one if its text was read again."""
    module = document.checker.module
    if document.tokens is None or document.tokens.module is not module:
        document.tokens = DocumentTokens(module, server.client.encoding, server.client.legend)
    return document.tokens
