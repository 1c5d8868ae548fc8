"""``textDocument/definition``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.features.definition import definition as find_definition
from ptx_lsp.server.convert import offset_of, range_of

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


def definition(server: Server, params: types.DefinitionParams) -> types.Location | None:
    """Where the name under the cursor is declared."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    target = find_definition(document.checker.module, offset_of(params.position, document))
    return types.Location(document.uri, range_of(target, document)) if target is not None else None
