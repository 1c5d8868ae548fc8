"""``workspace/textDocumentContent``: the reference pages of the server as virtual documents."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.features import flow_pages
from ptx_lsp.features.linked_pages import INDEX, page_at
from ptx_lsp.server.convert import DocumentRevision, checked, offset_of, while_unchanged
from ptx_lsp.server.transport.slices import in_slices

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server


def content(
    server: Server, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult | Coroutine[Any, Any, types.TextDocumentContentResult]:
    """The page at a URI; that of a function of an open document is late."""
    address = flow_pages.address(params.uri)
    document = server.find(address.uri) if address is not None else None
    if address is not None and document is not None:
        return _late(document, address)
    page = page_at(params.uri)
    if page is None:
        raise _missing(params.uri)
    return types.TextDocumentContentResult(page)


async def _late(document: OpenDocument, address: flow_pages.FlowPageAddress) -> types.TextDocumentContentResult:
    page = await flow_page(document, address)
    if page is None:
        raise _missing(str(address))
    return types.TextDocumentContentResult(page)


async def flow_page(document: OpenDocument, address: flow_pages.FlowPageAddress) -> str | None:
    """The page of a function or value of a document; None if there is nothing to show at its place."""
    revision = DocumentRevision.of(document)
    semantics = document.checker.semantics
    offset = offset_of(types.Position(address.line, address.character), document)
    await in_slices(checked(flow_pages.preparing(semantics, address.kind, offset), revision))
    revision.check()
    return await in_slices(while_unchanged(flow_pages.making(semantics, address.kind, offset, document.uri), document))


def _missing(uri: str) -> JsonRpcException:
    return JsonRpcException(f"there is no page '{uri}'; see {INDEX}", types.LSPErrorCodes.RequestFailed)
