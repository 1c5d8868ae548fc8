"""``workspace/textDocumentContent``: the reference pages of the server as virtual documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.features.linked_pages import INDEX, page_at

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


def content(_: Server, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
    """The page at a URI."""
    page = page_at(params.uri)
    if page is None:
        raise JsonRpcException(f"there is no page '{params.uri}'; see {INDEX}", types.LSPErrorCodes.RequestFailed)
    return types.TextDocumentContentResult(page)
