"""``workspace/textDocumentContent``: the reference pages of the server as virtual documents."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.features import flow_pages
from ptx_lsp.features.linked_pages import INDEX, page_at
from ptx_lsp.server.convert import offset_of, while_unchanged
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
        return in_slices(_late(flow_page(document, address), address))
    page = page_at(params.uri)
    if page is None:
        raise _missing(params.uri)
    return types.TextDocumentContentResult(page)


def _late(
    making: Generator[None, None, str | None], address: flow_pages.FlowPageAddress
) -> Generator[None, None, types.TextDocumentContentResult]:
    page = yield from making
    if page is None:
        raise _missing(str(address))
    return types.TextDocumentContentResult(page)


def flow_page(document: OpenDocument, address: flow_pages.FlowPageAddress) -> Generator[None, None, str | None]:
    """Make the page of a function or value of a document in steps; None if there is nothing to show at its place."""
    semantics = document.checker.semantics
    offset = offset_of(types.Position(address.line, address.character), document)

    def steps() -> Generator[None, None, str | None]:
        yield from flow_pages.preparing(semantics, address.kind, offset)
        return (yield from flow_pages.making(semantics, address.kind, offset, document.uri))

    return while_unchanged(steps(), document)


def _missing(uri: str) -> JsonRpcException:
    return JsonRpcException(f"there is no page '{uri}'; see {INDEX}", types.LSPErrorCodes.RequestFailed)
