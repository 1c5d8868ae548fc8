"""``textDocument/prepareRename`` and ``rename``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.features.rename import RenameError
from ptx_lsp.features.rename import prepare as find_name
from ptx_lsp.features.rename import rename as find_edits
from ptx_lsp.server.convert import edits_of, offset_of, range_of

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


def prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The name under the cursor; a refusal says why it cannot be renamed."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    try:
        found = find_name(document.checker.module, offset_of(params.position, document))
    except RenameError as error:
        raise _refusal(error) from error
    return types.PrepareRenamePlaceholder(range_of(found.span, document), found.word)


def rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits that rename what is under the cursor."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    try:
        edits = find_edits(document.checker.module, offset_of(params.position, document), params.new_name)
    except RenameError as error:
        raise _refusal(error) from error
    return edits_of(edits, document, server)


def _refusal(error: RenameError) -> JsonRpcException:
    return JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed)
