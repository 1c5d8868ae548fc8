"""``references``, ``documentHighlight``, ``declaration``, ``definition`` and ``implementation``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.occurrences import Access
from ptx_lsp.features import definition as find
from ptx_lsp.features.references import references as find_references
from ptx_lsp.server.convert import offset_of, range_of
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

_HIGHLIGHTS = {
    Access.READ: types.DocumentHighlightKind.Read,
    Access.WRITE: types.DocumentHighlightKind.Write,
    Access.BOTH: types.DocumentHighlightKind.Write,
    Access.DECLARE: types.DocumentHighlightKind.Text,
    Access.MENTION: types.DocumentHighlightKind.Text,
}


def definition(server: Server, params: types.DefinitionParams) -> types.Location | None:
    """Where the name under the cursor is declared."""
    return _location(server, params, find.definition)


def declaration(server: Server, params: types.DeclarationParams) -> types.Location | None:
    """The same: of several declarations of one function the first."""
    return _location(server, params, find.definition)


def implementation(server: Server, params: types.ImplementationParams) -> types.Location | None:
    """Where the function under the cursor has its body."""
    return _location(server, params, find.implementation)


def references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    """Every place of the name under the cursor."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    module, offset = document.checker.module, offset_of(params.position, document)
    found = find_references(module, offset, with_declaration=params.context.include_declaration)
    return [types.Location(document.uri, range_of(one.span, document)) for one in found]


def highlight(server: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """The same for the text on the screen, with what is done to the thing."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    found = find_references(document.checker.module, offset_of(params.position, document))
    return [types.DocumentHighlight(range_of(one.span, document), _HIGHLIGHTS[one.access]) for one in found]


def _location(
    server: Server,
    params: types.DefinitionParams | types.DeclarationParams | types.ImplementationParams,
    look: Callable[[Module, int], Span | None],
) -> types.Location | None:
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    target = look(document.checker.module, offset_of(params.position, document))
    return types.Location(document.uri, range_of(target, document)) if target is not None else None
