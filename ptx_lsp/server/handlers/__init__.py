"""Request handlers, one function each: they convert positions, call a feature, and convert its result.

``HANDLERS`` lists all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.server.capabilities import provider
from ptx_lsp.server.handlers import code_lenses, inlay_hints, workspace
from ptx_lsp.server.handlers.call_hierarchy import incoming_calls, outgoing_calls, prepare_call_hierarchy
from ptx_lsp.server.handlers.code_actions import actions, resolve_action
from ptx_lsp.server.handlers.commands import COMMANDS
from ptx_lsp.server.handlers.completion import complete, resolve_item
from ptx_lsp.server.handlers.content import content
from ptx_lsp.server.handlers.diagnostics import pull
from ptx_lsp.server.handlers.document_symbols import document_symbols
from ptx_lsp.server.handlers.formatting import formatting, on_type_formatting, range_formatting, ranges_formatting
from ptx_lsp.server.handlers.hover import hover
from ptx_lsp.server.handlers.links import document_links, resolve_link
from ptx_lsp.server.handlers.navigation import (
    declaration,
    definition,
    highlight,
    implementation,
    references,
    type_definition,
)
from ptx_lsp.server.handlers.rename import prepare_rename, rename
from ptx_lsp.server.handlers.semantic_tokens import semantic_tokens, semantic_tokens_delta, semantic_tokens_range
from ptx_lsp.server.handlers.signature import signature
from ptx_lsp.server.handlers.structure import folding_ranges, selection_ranges
from ptx_lsp.server.handlers.type_hierarchy import prepare_type_hierarchy, subtypes, supertypes
from ptx_lsp.server.handlers.workspace_diagnostics import pull_workspace
from ptx_lsp.server.handlers.workspace_symbols import resolve_symbol, workspace_symbols

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

HANDLERS: dict[str, Callable[..., Any]] = {
    types.INITIALIZED: workspace.initialized,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: workspace.configuration_changed,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: workspace.files_changed,
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: content,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: workspace.folders_changed,
    types.WORKSPACE_DIAGNOSTIC: pull_workspace,
    types.WORKSPACE_SYMBOL: workspace_symbols,
    types.WORKSPACE_SYMBOL_RESOLVE: resolve_symbol,
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: prepare_call_hierarchy,
    types.CALL_HIERARCHY_INCOMING_CALLS: incoming_calls,
    types.CALL_HIERARCHY_OUTGOING_CALLS: outgoing_calls,
    types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY: prepare_type_hierarchy,
    types.TYPE_HIERARCHY_SUPERTYPES: supertypes,
    types.TYPE_HIERARCHY_SUBTYPES: subtypes,
    types.TEXT_DOCUMENT_DIAGNOSTIC: pull,
    types.TEXT_DOCUMENT_COMPLETION: complete,
    types.COMPLETION_ITEM_RESOLVE: resolve_item,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_SIGNATURE_HELP: signature,
    types.TEXT_DOCUMENT_DECLARATION: declaration,
    types.TEXT_DOCUMENT_DEFINITION: definition,
    types.TEXT_DOCUMENT_IMPLEMENTATION: implementation,
    types.TEXT_DOCUMENT_TYPE_DEFINITION: type_definition,
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: highlight,
    types.TEXT_DOCUMENT_CODE_ACTION: actions,
    types.CODE_ACTION_RESOLVE: resolve_action,
    types.TEXT_DOCUMENT_PREPARE_RENAME: prepare_rename,
    types.TEXT_DOCUMENT_RENAME: rename,
    types.TEXT_DOCUMENT_FOLDING_RANGE: folding_ranges,
    types.TEXT_DOCUMENT_SELECTION_RANGE: selection_ranges,
    types.TEXT_DOCUMENT_DOCUMENT_LINK: document_links,
    types.DOCUMENT_LINK_RESOLVE: resolve_link,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbols,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: semantic_tokens,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: semantic_tokens_delta,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: semantic_tokens_range,
    types.TEXT_DOCUMENT_CODE_LENS: code_lenses.lenses,
    types.CODE_LENS_RESOLVE: code_lenses.resolve,
    types.TEXT_DOCUMENT_INLAY_HINT: inlay_hints.hints,
    types.INLAY_HINT_RESOLVE: inlay_hints.resolve,
    types.TEXT_DOCUMENT_FORMATTING: formatting,
    types.TEXT_DOCUMENT_RANGE_FORMATTING: range_formatting,
    types.TEXT_DOCUMENT_RANGES_FORMATTING: ranges_formatting,
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: on_type_formatting,
}


def register_all(server: Server) -> None:
    """Register all :data:`HANDLERS` and commands with ``server``."""
    for method, handler in HANDLERS.items():
        _, value = provider(method, server.client)
        server.feature(method, server.protocol.options(method, value))(partial(handler, server))
    for name, command in COMMANDS.items():
        server.command(name)(partial(command, server))
