"""``textDocument/diagnostic``: findings for clients that pull them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_lsp.server.documents.diagnostic_json import result_id
from ptx_lsp.server.transport.raw_json import RawJson

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_lsp.server.server import Server


def pull(server: Server, params: types.DocumentDiagnosticParams) -> RawJson:
    """All findings, or "unchanged" since the previous result. A document that is not open has none."""
    document = server.documents.find_any(params.text_document.uri)
    findings = document.findings if document is not None else "[]"
    result = document.result_id if document is not None else result_id(findings)
    if params.previous_result_id == result:
        return RawJson(f'{{"kind":"unchanged","resultId":"{result}"}}')
    return RawJson(f'{{"kind":"full","resultId":"{result}","items":{findings}}}')
