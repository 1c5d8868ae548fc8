"""``textDocument/documentSymbol``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.analysis.symbols import SymbolKind
from ptx_lsp.features.outline import Entry, outline
from ptx_lsp.server.capabilities import lookup
from ptx_lsp.server.raw import Raw

if TYPE_CHECKING:
    from ptx_lsp.server.document import OpenDocument
    from ptx_lsp.server.server import Server
    from ptx_lsp.text import Span

_KINDS = {
    SymbolKind.FUNCTION: types.SymbolKind.Function,
    SymbolKind.PARAMETER: types.SymbolKind.TypeParameter,
    SymbolKind.REGISTER: types.SymbolKind.Variable,
    SymbolKind.VARIABLE: types.SymbolKind.Variable,
    SymbolKind.LABEL: types.SymbolKind.Key,
    SymbolKind.PROTOTYPE: types.SymbolKind.Interface,
    SymbolKind.TARGETS: types.SymbolKind.Array,
}


def document_symbols(server: Server, params: types.DocumentSymbolParams) -> Raw | None:
    """The document's outline: a tree for clients that take one, else a flat list."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    entries = outline(document.checker.module)
    tree = lookup(server.client, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport") is True
    found = [_nested(entry, document) for entry in entries] if tree else list(_flat(entries, "", document))
    return Raw(json.dumps(found))


def _nested(entry: Entry, document: OpenDocument) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": entry.name,
        "detail": entry.detail,
        "kind": _KINDS[entry.kind].value,
        "range": _range(entry.span, document),
        "selectionRange": _range(entry.name_span, document),
    }
    if entry.children:
        found["children"] = [_nested(child, document) for child in entry.children]
    return found


def _flat(entries: Iterable[Entry], container: str, document: OpenDocument) -> Iterator[dict[str, Any]]:
    for entry in entries:
        location = {"uri": document.uri, "range": _range(entry.span, document)}
        yield {"name": entry.name, "kind": _KINDS[entry.kind].value, "location": location, "containerName": container}
        yield from _flat(entry.children, entry.name, document)


def _range(span: Span, document: OpenDocument) -> dict[str, Any]:
    start, end = document.lines.position(span.start), document.lines.position(span.end)
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }
