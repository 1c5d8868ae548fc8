"""One thin function per request: positions in, a feature's plain record through, the protocol's types out.

``HANDLERS`` is the contents page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.server.capabilities import PROVIDERS
from ptx_lsp.server.handlers import workspace
from ptx_lsp.server.handlers.code_actions import actions, resolve
from ptx_lsp.server.handlers.diagnostics import pull
from ptx_lsp.server.handlers.document_symbols import document_symbols
from ptx_lsp.server.handlers.hover import hover
from ptx_lsp.server.handlers.navigation import declaration, definition, highlight, implementation, references
from ptx_lsp.server.handlers.rename import prepare_rename, rename
from ptx_lsp.server.handlers.structure import folding_ranges, selection_ranges

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

HANDLERS: dict[str, Callable[..., Any]] = {
    types.INITIALIZED: workspace.initialized,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: workspace.configuration_changed,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: workspace.files_changed,
    types.TEXT_DOCUMENT_DIAGNOSTIC: pull,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_DECLARATION: declaration,
    types.TEXT_DOCUMENT_DEFINITION: definition,
    types.TEXT_DOCUMENT_IMPLEMENTATION: implementation,
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: highlight,
    types.TEXT_DOCUMENT_CODE_ACTION: actions,
    types.CODE_ACTION_RESOLVE: resolve,
    types.TEXT_DOCUMENT_PREPARE_RENAME: prepare_rename,
    types.TEXT_DOCUMENT_RENAME: rename,
    types.TEXT_DOCUMENT_FOLDING_RANGE: folding_ranges,
    types.TEXT_DOCUMENT_SELECTION_RANGE: selection_ranges,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbols,
}


def register_all(server: Server) -> None:
    """Make ``server`` answer everything in :data:`HANDLERS`."""
    for method, handler in HANDLERS.items():
        _, value = PROVIDERS.get(method, ("", True))
        server.feature(method, server.protocol.options(method, value))(partial(handler, server))
