"""``textDocument/diagnostic``: findings for clients that pull them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from ptx_lsp.server.documents.diagnostic_json import result_id
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slices import SLICE

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_lsp.server.documents.checked_document import CheckedDocument
    from ptx_lsp.server.server import Server


def pull(server: Server, params: types.DocumentDiagnosticParams) -> RawJson | Coroutine[Any, Any, RawJson]:
    """All findings, or "unchanged" since the previous result. A document that is not open has none."""
    document = server.documents.find_any(params.text_document.uri)
    if document is None or document.list_findings(SLICE):
        return _answer(document, params)
    return _later(server, params)


async def _later(server: Server, params: types.DocumentDiagnosticParams) -> RawJson:
    """The findings of the text as it is when they are listed."""
    while (document := server.documents.find_any(params.text_document.uri)) is not None:
        if not document.is_ready:
            await asyncio.sleep(0.005)
        elif document.list_findings(SLICE):
            break
        else:
            await asyncio.sleep(0)
    return _answer(document, params)


def _answer(document: CheckedDocument | None, params: types.DocumentDiagnosticParams) -> RawJson:
    findings = document.findings if document is not None else "[]"
    result = result_id(findings)
    if params.previous_result_id == result:
        return RawJson(f'{{"kind":"unchanged","resultId":"{result}"}}')
    return RawJson(f'{{"kind":"full","resultId":"{result}","items":{findings}}}')
