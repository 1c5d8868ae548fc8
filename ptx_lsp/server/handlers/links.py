"""``textDocument/documentLink`` and ``documentLink/resolve``."""

from __future__ import annotations

import os
from collections.abc import Coroutine, Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.uris import from_fs_path

from ptx_lsp.codes import manual_link
from ptx_lsp.features.document_links import Link, finding_links, manual_of
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.convert import range_of, while_unchanged
from ptx_lsp.server.documents.source_lines import folder_of, readable_path
from ptx_lsp.server.transport.slices import at_once_or_later
from ptx_lsp.stepwise import collected

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server


_Links = list[types.DocumentLink]


def document_links(server: Server, params: types.DocumentLinkParams) -> _Links | Coroutine[Any, Any, _Links] | None:
    """The links in a document; ``documentLink/resolve`` adds the sections of the manual."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    return at_once_or_later(while_unchanged(_links(server, document), document))


def _links(server: Server, document: OpenDocument) -> Generator[None, None, _Links]:
    has_tooltips = server.client.supports("textDocument", "documentLink", "tooltipSupport")
    find = partial(find_file, folder_of(document.uri), server.files.table.folders)
    found = yield from finding_links(document.checker.module, find)
    shown = (link for link in found if not link.code or manual_link(link.code))
    return (yield from collected(_link(link, document, has_tooltips) for link in shown))


def resolve_link(_server: Server, link: types.DocumentLink) -> types.DocumentLink:
    """A link with its target, the section of the manual for an instruction."""
    name = lookup(link.data, "instruction")
    if link.target is None and isinstance(name, str):
        link.target = manual_of(name)
    return link


def _link(link: Link, document: OpenDocument, has_tooltips: bool) -> types.DocumentLink:
    found = types.DocumentLink(range_of(link.span, document))
    if link.instruction:
        found.data = {"instruction": link.instruction}
    else:
        found.target = link.target or manual_link(link.code)
    if has_tooltips:
        found.tooltip = link.words
    return found


def find_file(folder: str | None, folders: Sequence[str], path: str, line: int) -> str | None:
    """The URI of a file that a document in ``folder`` names; None if it does not exist or must not be opened."""
    whole = readable_path(folder, folders, path)
    if whole is None or not os.path.isfile(whole):
        return None
    uri = from_fs_path(whole)
    return f"{uri}#L{line}" if uri and line else uri
