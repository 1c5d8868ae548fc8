"""``textDocument/hover``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.features.hover import hover as describe
from ptx_lsp.features.hover.parts.render import markdown, plain
from ptx_lsp.server.convert import offset_of, range_of
from ptx_lsp.server.documents.source_lines import folder_of, read_line
from ptx_lsp.server.handlers.links import find_file

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """The hover at the cursor, in the client's markup format."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    folders = server.files.table.folders
    read = partial(read_line, document.uri, folders)
    locate = partial(find_file, folder_of(document.uri), folders)
    info = describe(document.checker.semantics, offset_of(params.position, document), read, locate)
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
