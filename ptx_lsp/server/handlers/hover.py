"""``textDocument/hover``."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.analysis.statements.requirements import least_requirements
from ptx_lsp.features.hover import hover as describe
from ptx_lsp.features.hover import preparing
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, with_lines
from ptx_lsp.features.hover.parts.render import markdown, plain
from ptx_lsp.server.convert import offset_of, range_of, while_unchanged
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.source_lines import folder_of, read_line
from ptx_lsp.server.handlers.links import find_file
from ptx_lsp.server.transport.slices import in_slices

if TYPE_CHECKING:
    from ptx_lsp.server.embedded.fragment_view import FragmentView
    from ptx_lsp.server.server import Server


def hover(server: Server, params: types.HoverParams) -> types.Hover | Coroutine[Any, Any, types.Hover | None] | None:
    """The hover at the cursor, in the client's markup format; late if the barriers of a long function are needed."""
    document = server.find_at(params.text_document.uri, params.position)
    if document is None:
        return None
    offset = offset_of(params.position, document)
    if not isinstance(document, OpenDocument):
        return _shown(server, document, _in_fragment(document, offset))
    steps = preparing(document.checker.semantics, offset)
    if steps is None:
        return _hover(server, document, offset)
    return in_slices(while_unchanged(_late(server, document, offset, steps), document))


def _late(
    server: Server, document: OpenDocument, offset: int, steps: Iterator[None]
) -> Generator[None, None, types.Hover | None]:
    yield from steps
    return _hover(server, document, offset)


def _hover(server: Server, document: OpenDocument, offset: int) -> types.Hover | None:
    folders = server.files.table.folders
    read = partial(read_line, document.uri, folders)
    locate = partial(find_file, folder_of(document.uri), folders)
    return _shown(server, document, describe(document.checker.semantics, offset, read, locate))


def _shown(server: Server, document: OpenDocument | FragmentView, info: HoverInfo | None) -> types.Hover | None:
    if info is None:
        return None
    if _takes_markdown(server):
        base = document.uri if document.uri.startswith("file:") else ""
        opens_pages = server.client.capability("workspace", "textDocumentContent") is not None
        contents = types.MarkupContent(types.MarkupKind.Markdown, markdown(info, base, opens_pages))
    else:
        contents = types.MarkupContent(types.MarkupKind.PlainText, plain(info))
    return types.Hover(contents, range_of(info.span, document))


def _in_fragment(view: FragmentView, offset: int) -> HoverInfo | None:
    """The hover in a fragment; it names lines of the document."""
    from ptx_lsp.features.hover.asm_operands import describe_operand

    info = describe_operand(view.fragment, offset)
    if info is not None:
        return info
    info = describe(view.checker.semantics, offset)
    if info is None:
        return None
    info = with_lines(info, view.host_line)
    return replace(info, notes=(*info.notes, _targets(view))) if info.code else info


def _targets(view: FragmentView) -> str:
    """The least version and target of the statement, and the targets for which it is compiled."""
    needed = least_requirements(view.checker.module, view.checker.module.functions)
    targets = view.targets
    names = f"; compiled for {', '.join(f'`{one}`' for one in targets.targets)}" if targets.is_named else ""
    return f"The whole statement requires PTX {needed.version}, `{needed.target}`{names}."


def _takes_markdown(server: Server) -> bool:
    """Whether Markdown is the client's preferred format; plain text is the default."""
    formats = server.client.capability("textDocument", "hover", "contentFormat")
    return isinstance(formats, list) and bool(formats) and formats[0] == types.MarkupKind.Markdown.value
