"""Ask the client to fetch again what it shows beside the text: other settings, other answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.capabilities import lookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_lsp.server.server import Server
    from ptx_lsp.settings import Settings

_REQUESTS = {
    "inlayHint": types.WORKSPACE_INLAY_HINT_REFRESH,
    "codeLens": types.WORKSPACE_CODE_LENS_REFRESH,
    "semanticTokens": types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
    "foldingRange": types.WORKSPACE_FOLDING_RANGE_REFRESH,
}
"""By the name of the client's capability."""

SHOWN: dict[str, Callable[[Settings], object]] = {
    "inlayHint": lambda settings: settings.inlay_hints,
    "codeLens": lambda settings: settings.code_lenses,
}
"""The settings that each of them depends on, beside those of the checks, which all depend on."""


def refresh_diagnostics(server: Server) -> None:
    """Ask for findings again, where the client fetches them and says that it can do so anew."""
    if lookup(server.client, "workspace", "diagnostics", "refreshSupport") is True:
        server.protocol.send_request(types.WORKSPACE_DIAGNOSTIC_REFRESH)


def refresh(server: Server, *what: str) -> None:
    """Ask for new answers to ``what``, or to everything; only what the client says it can fetch again."""
    for name, method in _REQUESTS.items():
        if (not what or name in what) and lookup(server.client, "workspace", name, "refreshSupport") is True:
            server.protocol.send_request(method)
