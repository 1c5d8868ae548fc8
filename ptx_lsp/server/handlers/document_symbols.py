"""``textDocument/documentSymbol``."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.outline import MOST_LINES, OutlineItem, outline_with_loops
from ptx_lsp.names.demangle import brief_names, name_within, parameter_name
from ptx_lsp.server.convert import while_unchanged
from ptx_lsp.server.handlers.sections import AnswerInSlices, with_sections_in_steps
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slices import at_once_or_later
from ptx_lsp.stepwise import collected

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

_KINDS = {
    SymbolKind.FUNCTION: types.SymbolKind.Function,
    SymbolKind.PARAMETER: types.SymbolKind.Variable,
    SymbolKind.REGISTER: types.SymbolKind.Variable,
    SymbolKind.VARIABLE: types.SymbolKind.Variable,
    SymbolKind.LABEL: types.SymbolKind.Key,
    SymbolKind.PROTOTYPE: types.SymbolKind.Interface,
    SymbolKind.TARGETS: types.SymbolKind.Array,
}


_NUMBERS: dict[SymbolKind | None, int] = {
    None: types.SymbolKind.Namespace.value,
    **{kind: shown.value for kind, shown in _KINDS.items()},
}
"""LSP's ``SymbolKind`` of each kind of entry; that of a block is a namespace."""
_quoted = json.encoder.encode_basestring_ascii


def document_symbols(server: Server, params: types.DocumentSymbolParams) -> AnswerInSlices | RawJson | None:
    """The outline of a document: a tree if the client supports it, else a flat list."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    if document.checker.document.line_count > MOST_LINES:
        return at_once_or_later(while_unchanged(_symbols(server, document), document))
    return with_sections_in_steps(document, lambda: _symbols(server, document))


def _symbols(server: Server, document: OpenDocument) -> Generator[None, None, RawJson]:
    entries = yield from outline_with_loops(document.checker.semantics)
    if document.settings.names.demangle:
        entries = _demangled(entries)
    yield
    offsets = sorted(set(_offsets(entries, [])))
    places: dict[int, str] = {}
    for first in range(0, len(offsets), _STEP):
        yield
        found = document.lines.positions(offsets[first : first + _STEP])
        places |= {offset: f'{{"line":{line},"character":{column}}}' for offset, (line, column) in found.items()}
    tree = server.client.supports("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
    if tree:
        return RawJson(f"[{(yield from _nested(entries, places))}]")
    flat = yield from collected(_flat(entries, "", _quoted(document.uri), places))
    return RawJson(f"[{','.join(flat)}]")


def _demangled(entries: Iterable[OutlineItem]) -> list[OutlineItem]:
    """The entries with demangled names: different functions have different ones."""
    found = list(entries)
    shown = brief_names([one.name for one in found if one.name.startswith(_MANGLED)])
    result = []
    for one in found:
        inner = one.children
        if any(child.kind in _OWN for child in inner):
            inner = tuple([_own(child) if child.kind in _OWN else child for child in inner])
        result.append(one._replace(name=shown.get(one.name, one.name), children=inner))
    return result


_STEP = 2000
"""So many entries take some milliseconds."""
_MANGLED = ("_Z", "_R")


_OWN = frozenset({SymbolKind.PARAMETER, SymbolKind.VARIABLE})


def _own(entry: OutlineItem) -> OutlineItem:
    """A parameter or variable without the name of its function, which nvcc puts before it."""
    if entry.kind is SymbolKind.VARIABLE:
        return entry._replace(name=name_within(entry.name)) if entry.name.startswith(_MANGLED) else entry
    found = parameter_name(entry.name)
    return entry._replace(name=found) if found else entry


def _offsets(entries: Iterable[OutlineItem], found: list[int]) -> list[int]:
    for _, _, _, span, name_span, children in entries:
        found += span
        if name_span is not span:
            found += name_span
        if children:
            _offsets(children, found)
    return found


def _nested(entries: Iterable[OutlineItem], places: dict[int, str]) -> Generator[None, None, str]:
    found: list[str] = []
    for name, kind, detail, span, name_span, children in entries:
        if len(found) % _STEP == _STEP - 1:
            yield
        whole = f'{{"start":{places[span.start]},"end":{places[span.end]}}}'
        own = whole
        if name_span is not span:
            own = f'{{"start":{places[name_span.start]},"end":{places[name_span.end]}}}'
        inner = f',"children":[{(yield from _nested(children, places))}]' if children else ""
        found.append(
            f'{{"name":{_quoted(name)},"detail":{_quoted(detail)},"kind":{_NUMBERS[kind]},'
            f'"range":{whole},"selectionRange":{own}{inner}}}'
        )
    return ",".join(found)


def _flat(entries: Iterable[OutlineItem], container: str, uri: str, places: dict[int, str]) -> Iterator[str]:
    for entry in entries:
        start, end = entry.span
        yield (
            f'{{"name":{_quoted(entry.name)},"kind":{_NUMBERS[entry.kind]},"location":{{"uri":{uri},'
            f'"range":{{"start":{places[start]},"end":{places[end]}}}}},"containerName":{_quoted(container)}}}'
        )
        yield from _flat(entry.children, entry.name, uri, places)
