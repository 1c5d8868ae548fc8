"""``textDocument/prepareTypeHierarchy``, ``typeHierarchy/supertypes`` and ``subtypes``."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features import type_hierarchy
from ptx_lsp.features.definition import preparing
from ptx_lsp.server.convert import offset_of, range_of, while_unchanged
from ptx_lsp.server.transport.slices import in_slices

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

_Items = list[types.TypeHierarchyItem]
_Answer = _Items | Coroutine[Any, Any, _Items | None] | None
_Find = Callable[[Semantics, int], list[type_hierarchy.HierarchyItem] | None]


def prepare_type_hierarchy(server: Server, params: types.TypeHierarchyPrepareParams) -> _Answer:
    """The writes that reach the register at the cursor."""
    document = server.find(params.text_document.uri)
    return _answer(document, params.position, type_hierarchy.prepare) if document is not None else None


def supertypes(server: Server, params: types.TypeHierarchySupertypesParams) -> _Answer:
    """The writes, parameters and variables that an instruction depends on."""
    document = server.find(params.item.uri)
    place = params.item.selection_range.start
    return _answer(document, place, type_hierarchy.supertypes) if document is not None else None


def subtypes(server: Server, params: types.TypeHierarchySubtypesParams) -> _Answer:
    """The instructions that depend on the result of one."""
    document = server.find(params.item.uri)
    place = params.item.selection_range.start
    return _answer(document, place, type_hierarchy.subtypes) if document is not None else None


def _answer(document: OpenDocument, position: types.Position, find: _Find) -> _Answer:
    offset = offset_of(position, document)
    found = find(document.checker.semantics, offset)
    if found is not None:
        return _items(document, found)
    return in_slices(while_unchanged(_late(document, offset, find), document))


def _late(document: OpenDocument, offset: int, find: _Find) -> Generator[None, None, _Items | None]:
    semantics = document.checker.semantics
    yield from preparing(semantics, offset)
    found = find(semantics, offset)
    return _items(document, found) if found is not None else None


def _items(document: OpenDocument, found: list[type_hierarchy.HierarchyItem]) -> _Items:
    return [
        types.TypeHierarchyItem(
            one.name,
            types.SymbolKind.Constant if one.is_declaration else types.SymbolKind.Variable,
            document.uri,
            range_of(one.extent, document),
            range_of(one.span, document),
            detail=one.detail,
        )
        for one in found
    ]
