"""``textDocument/foldingRange`` and ``selectionRange``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.features.folding import What, folding
from ptx_lsp.features.selection import selection
from ptx_lsp.server.capabilities import lookup
from ptx_lsp.server.convert import offset_of, range_of
from ptx_lsp.server.raw import Raw

if TYPE_CHECKING:
    from ptx_lsp.server.document import OpenDocument
    from ptx_lsp.server.server import Server

_KINDS = {What.COMMENT: "comment", What.BLOCK: "region", What.DECLARATIONS: "region"}


def folding_ranges(server: Server, params: types.FoldingRangeParams) -> Raw | None:
    """What can be collapsed; as many as the client takes."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    found = folding(document.checker.module)
    limit = lookup(server.client, "textDocument", "foldingRange", "rangeLimit")
    if isinstance(limit, int) and len(found) > limit:
        found = sorted(sorted(found, key=lambda fold: fold.first - fold.last)[:limit])  # the largest
    ranges: list[dict[str, Any]] = [
        {"startLine": fold.first, "endLine": fold.last, "kind": _KINDS[fold.what]} for fold in found
    ]
    return Raw(json.dumps(ranges))


def selection_ranges(server: Server, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """For each cursor what is around it, from the inside out."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    return [_nested(document, position) for position in params.positions]


def _nested(document: OpenDocument, position: types.Position) -> types.SelectionRange:
    found: types.SelectionRange | None = None
    for span in reversed(selection(document.checker.module, offset_of(position, document))):
        found = types.SelectionRange(range_of(span, document), found)
    assert found is not None  # the whole document is always there
    return found
