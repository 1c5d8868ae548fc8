"""``textDocument/hover``."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.features.hover import hover as describe
from ptx_lsp.features.hover import preparing
from ptx_lsp.features.hover.parts.render import markdown, plain
from ptx_lsp.server.convert import DocumentRevision, offset_of, range_of
from ptx_lsp.server.documents.source_lines import read_line
from ptx_lsp.server.handlers.sections import checked
from ptx_lsp.server.transport.slices import in_slices

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server


def hover(server: Server, params: types.HoverParams) -> types.Hover | Coroutine[Any, Any, types.Hover | None] | None:
    """The hover at the cursor, in the client's markup format; late if the barriers of a long function are needed."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    steps = preparing(document.checker.semantics, offset_of(params.position, document))
    return _hover(server, document, params) if steps is None else _late(server, document, params, steps)


async def _late(
    server: Server, document: OpenDocument, params: types.HoverParams, steps: Iterator[None]
) -> types.Hover | None:
    revision = DocumentRevision.of(document)
    await in_slices(checked(steps, revision))
    revision.check()
    return _hover(server, document, params)


def _hover(server: Server, document: OpenDocument, params: types.HoverParams) -> types.Hover | None:
    read = partial(read_line, document.uri, server.files.table.folders)
    info = describe(document.checker.semantics, offset_of(params.position, document), read)
    if info is None:
        return None
    if _takes_markdown(server):
        base = document.uri if document.uri.startswith("file:") else ""
        opens_pages = server.client.capability("workspace", "textDocumentContent") is not None
        contents = types.MarkupContent(types.MarkupKind.Markdown, markdown(info, base, opens_pages))
    else:
        contents = types.MarkupContent(types.MarkupKind.PlainText, plain(info))
    return types.Hover(contents, range_of(info.span, document))


def _takes_markdown(server: Server) -> bool:
    """Whether Markdown is the client's preferred format; plain text is the default."""
    formats = server.client.capability("textDocument", "hover", "contentFormat")
    return isinstance(formats, list) and bool(formats) and formats[0] == types.MarkupKind.Markdown.value
