"""``textDocument/semanticTokens``: ``full``, ``full/delta`` and ``range``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.token_changes import TokenSnapshot
from ptx_lsp.server.documents.tokens import DocumentTokens
from ptx_lsp.server.transport.raw_json import RawJson

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server


def semantic_tokens(server: Server, params: types.SemanticTokensParams) -> RawJson | None:
    """All tokens of a document."""
    document = server.find(params.text_document.uri)
    return None if document is None else _all(_tokens(server, document).full())


def semantic_tokens_delta(server: Server, params: types.SemanticTokensDeltaParams) -> RawJson | None:
    """The edits since an earlier result; all tokens if that was not the last one."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    answer, changes = _tokens(server, document).changes(params.previous_result_id)
    if changes is None:
        return _all(answer)
    edits = ",".join(f'{{"start":{start},"deleteCount":{deleted},"data":[{data}]}}' for start, deleted, data in changes)
    return RawJson(f'{{"resultId":"{answer.id}","edits":[{edits}]}}')


def semantic_tokens_range(server: Server, params: types.SemanticTokensRangeParams) -> RawJson | None:
    """The tokens of the statements in a range."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    start, end = params.range.start, params.range.end
    first, last = Position(start.line, start.character), Position(end.line, end.character)
    return RawJson(f'{{"data":[{_tokens(server, document).between(first, last, document.lines)}]}}')


def _all(answer: TokenSnapshot) -> RawJson:
    return RawJson(f'{{"resultId":"{answer.id}","data":[{answer.data}]}}')


def _tokens(server: Server, document: OpenDocument) -> DocumentTokens:
    """The token cache of a document; a new one if its text was read again."""
    module = document.checker.module
    if document.tokens is None or document.tokens.module is not module:
        document.tokens = DocumentTokens(module, document.encoding, server.client.legend)
    return document.tokens
