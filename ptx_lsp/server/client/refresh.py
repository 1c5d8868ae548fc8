"""Refresh requests: the client fetches diagnostics, inlay hints, code lenses … again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ptx_lsp.server.client.client import Client
    from ptx_lsp.settings import Settings

_REQUESTS = {
    "inlayHint": types.WORKSPACE_INLAY_HINT_REFRESH,
    "codeLens": types.WORKSPACE_CODE_LENS_REFRESH,
    "semanticTokens": types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
    "foldingRange": types.WORKSPACE_FOLDING_RANGE_REFRESH,
}
"""By the name of the client's capability."""

VIEWS = frozenset(_REQUESTS)
"""The views of a document that a client can refresh, apart from diagnostics."""

SETTINGS_OF_VIEWS: dict[str, Callable[[Settings], object]] = {
    "inlayHint": lambda settings: settings.inlay_hints,
    "codeLens": lambda settings: (settings.code_lenses, settings.names),
}
"""The settings of a view, in addition to those of the checks, on which all views depend."""


class RefreshRequests:
    """Sends refresh requests that the client supports.

    Args:
        client: the client.
        send: sends a request without parameters.

    """

    def __init__(self, client: Client, send: Callable[[str], object]) -> None:
        self._client = client
        self._send = send

    def diagnostics(self) -> None:
        """Have the client request diagnostics again."""
        if self._client.supports("workspace", "diagnostics", "refreshSupport"):
            self._send(types.WORKSPACE_DIAGNOSTIC_REFRESH)

    def views(self, names: Collection[str]) -> None:
        """Have the client request these views again."""
        for name, method in _REQUESTS.items():
            if name in names and self._client.supports("workspace", name, "refreshSupport"):
                self._send(method)
