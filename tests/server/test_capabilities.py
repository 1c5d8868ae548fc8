"""What is announced before pygls is imported is what pygls would announce, and what is there."""

from __future__ import annotations

from typing import Any

import pytest

from ptx_lsp.server.capabilities import PROVIDERS, capabilities
from ptx_lsp.server.client.client import Client
from ptx_lsp.server.client_requests import registration
from ptx_lsp.server.handlers import HANDLERS
from ptx_lsp.server.startup.loop import build

CLIENTS: list[dict[str, Any]] = [
    {},
    {"general": {"positionEncodings": ["utf-8", "utf-16"]}},
    {"textDocument": {"publishDiagnostics": {}}, "workspace": {"configuration": True}},
    {"textDocument": {"diagnostic": {"dynamicRegistration": False}}},
    {"workspace": {"textDocumentContent": {"dynamicRegistration": False}, "applyEdit": True}},
    {"textDocument": {"rename": {"prepareSupport": True}, "codeAction": {"isPreferredSupport": True}}},
]


@pytest.mark.parametrize("client", CLIENTS)
def test_both_answers_to_initialize_agree(client: dict[str, Any]) -> None:
    params = {"processId": None, "rootUri": None, "capabilities": client}
    protocol = build({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).protocol
    built = protocol._converter.unstructure(protocol.server_capabilities)
    assert without_what_is_off(built) == without_what_is_off(capabilities(Client(client)))


def test_every_request_with_a_handler_is_announced() -> None:
    requests = {method for method in HANDLERS if method.startswith("textDocument/") or method == "workspace/symbol"}
    assert requests == set(PROVIDERS)


def without_what_is_off(tree: Any) -> Any:
    """The tree without what is false, empty or missing: all the same to a client."""
    if isinstance(tree, dict):
        found = {key: without_what_is_off(value) for key, value in tree.items()}
        return {key: value for key, value in found.items() if value not in (None, False, [], {})}
    return tree


def test_a_client_with_other_servers_has_features_of_ptx_only_for_ptx() -> None:
    """A second formatter for a document brings a prompt, and only the first server is asked for semantic tokens."""
    names = ("formatting", "semanticTokens", "foldingRange", "documentSymbol", "rename")
    client = Client({"textDocument": {name: {"dynamicRegistration": True} for name in names}}, {"registerForPtx": True})
    announced = set(capabilities(client))
    assert not announced & {"documentFormattingProvider", "semanticTokensProvider", "renameProvider"}
    assert {"hoverProvider", "completionProvider", "documentRangeFormattingProvider"} <= announced
    request = registration(client)
    assert request is not None
    found = {one["method"]: one["registerOptions"] for one in request.params["registrations"]}
    assert found.keys() == {f"textDocument/{name}" for name in names}
    assert all({"language": "ptx"} in options["documentSelector"] for options in found.values())
    assert found["textDocument/semanticTokens"]["legend"]["tokenTypes"]
