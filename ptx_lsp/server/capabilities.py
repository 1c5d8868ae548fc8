"""What this server can do, as plain data: the one source for both answers to ``initialize``.

``boot`` sends it before pygls is imported; ``protocol`` gives the same to pygls. A
test compares it with what pygls would derive from the handlers that are registered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ptx_lsp import __version__
from ptx_lsp.server.documents.columns import Encoding, choose
from ptx_lsp.server.documents.legend import legend

SERVER_NAME = "ptx-lsp"

_TOKENS = ("semanticTokensProvider", {"full": {"delta": True}, "range": True})
"""The legend depends on the client, see :func:`provider`."""

STATUS = "ptx-lsp.status"
"""The one command that does not wait until its document is read."""

COMPLETION = {
    "triggerCharacters": list('.% [{@",:'),
    "resolveProvider": True,
    "completionItem": {"labelDetailsSupport": True},
}

CODE_ACTIONS = [
    "quickfix",
    "refactor.rewrite",
    "source.fixAll.ptx-lsp",
    "source.raiseHeader.ptx-lsp",
    "source.lowerHeader.ptx-lsp",
    "source.sortQualifiers.ptx-lsp",
]
"""The kinds of code actions. Written out: the features are imported after the first answer; a test compares."""

PROVIDERS: dict[str, tuple[str, Any]] = {
    "textDocument/completion": ("completionProvider", COMPLETION),
    "textDocument/hover": ("hoverProvider", True),
    "textDocument/signatureHelp": (
        "signatureHelpProvider",
        {"triggerCharacters": [" ", ",", "(", "{", "["], "retriggerCharacters": [")", "}", "]"]},
    ),
    "textDocument/declaration": ("declarationProvider", True),
    "textDocument/definition": ("definitionProvider", True),
    "textDocument/implementation": ("implementationProvider", True),
    "textDocument/references": ("referencesProvider", {"workDoneProgress": True}),
    "textDocument/documentHighlight": ("documentHighlightProvider", True),
    "textDocument/codeAction": ("codeActionProvider", {"codeActionKinds": CODE_ACTIONS, "resolveProvider": True}),
    "textDocument/prepareRename": ("renameProvider", {"prepareProvider": True}),
    "textDocument/rename": ("renameProvider", {"prepareProvider": True}),
    "textDocument/foldingRange": ("foldingRangeProvider", True),
    "textDocument/selectionRange": ("selectionRangeProvider", True),
    "textDocument/documentLink": ("documentLinkProvider", {"resolveProvider": True}),
    "textDocument/semanticTokens/full": _TOKENS,
    "textDocument/semanticTokens/full/delta": _TOKENS,
    "textDocument/semanticTokens/range": _TOKENS,
    "textDocument/documentSymbol": ("documentSymbolProvider", True),
    "textDocument/inlayHint": ("inlayHintProvider", {"resolveProvider": True}),
    "textDocument/codeLens": ("codeLensProvider", {"resolveProvider": True}),
    "textDocument/formatting": ("documentFormattingProvider", True),
    "textDocument/rangeFormatting": ("documentRangeFormattingProvider", {"rangesSupport": True}),
    "textDocument/rangesFormatting": ("documentRangeFormattingProvider", {"rangesSupport": True}),
    "textDocument/onTypeFormatting": (
        "documentOnTypeFormattingProvider",
        {"firstTriggerCharacter": ";", "moreTriggerCharacter": ["}", "\n"]},
    ),
    "textDocument/prepareCallHierarchy": ("callHierarchyProvider", True),
    "workspace/symbol": ("workspaceSymbolProvider", {"resolveProvider": True}),
    "textDocument/diagnostic": (
        "diagnosticProvider",
        {
            "identifier": SERVER_NAME,
            "interFileDependencies": False,
            "workspaceDiagnostics": True,
            "workDoneProgress": True,
        },
    ),
}
"""Per request that has a handler: the capability that announces it, and its value."""

COMMANDS = (
    "ptx-lsp.explain",
    "ptx-lsp.decode",
    "ptx-lsp.decodeAt",
    "ptx-lsp.choices",
    "ptx-lsp.fixAll",
    "ptx-lsp.setTarget",
    "ptx-lsp.setVersion",
    STATUS,
    "ptx-lsp.reload",
)
"""What ``workspace/executeCommand`` can carry out."""

INCREMENTAL = 2
"""LSP's ``TextDocumentSyncKind.Incremental``."""


def lookup(tree: object, *path: str) -> object:
    """The value at ``path`` in nested mappings; None where anything on the way is missing or no mapping."""
    for name in path:
        if not isinstance(tree, Mapping):
            return None
        tree = tree.get(name)
    return tree


def position_encoding(client: object) -> Encoding:
    """The column unit for a client with the capabilities ``client``."""
    offered = lookup(client, "general", "positionEncodings")
    return choose(offered if isinstance(offered, list) else ())


def uses_pull(client: object, options: object) -> bool:
    """Whether this client fetches diagnostics itself, so that none are pushed.

    Editors that can do both show everything twice when a server does both. So a
    client is pushed to, which is the quicker way, unless it cannot take that or asks
    for the other with ``"pullDiagnostics": true`` in its ``initializationOptions``.
    """
    if not isinstance(lookup(client, "textDocument", "diagnostic"), Mapping):
        return False
    if lookup(options, "pullDiagnostics") is True:
        return True
    return not isinstance(lookup(client, "textDocument", "publishDiagnostics"), Mapping)


def announces_pull(client: object, options: object) -> bool:
    """Whether ``diagnosticProvider`` is announced: to all but those that would show everything twice."""
    can_pull = isinstance(lookup(client, "textDocument", "diagnostic"), Mapping)
    return not can_pull or uses_pull(client, options)


def provider(method: str, client: object, options: object) -> tuple[str, Any]:
    """The capability that announces a method to a client, and its value."""
    name, value = PROVIDERS.get(method, ("", True))
    if name == _TOKENS[0]:
        value = {"legend": legend(client, options).options, **value}
    return name, value


def capabilities(client: object, options: object = None) -> dict[str, Any]:
    """The ``ServerCapabilities`` for a client.

    Args:
        client: its ``ClientCapabilities``, as it sent them.
        options: its ``initializationOptions``.

    """
    found: dict[str, Any] = {
        "positionEncoding": position_encoding(client).value,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        "executeCommandProvider": {"commands": list(COMMANDS)},
    }
    if lookup(client, "workspace", "textDocumentContent") is not None:
        found["workspace"]["textDocumentContent"] = {"schemes": [SERVER_NAME]}
    for method in PROVIDERS:
        name, value = provider(method, client, options)
        if method != "textDocument/diagnostic" or announces_pull(client, options):
            found[name] = value
    if lookup(client, "textDocument", "rename", "prepareSupport") is not True:
        found["renameProvider"] = True
    return found


def initialize_result(params: object) -> dict[str, Any]:
    """The whole ``InitializeResult`` for the ``params`` of an ``initialize`` request."""
    client, options = lookup(params, "capabilities"), lookup(params, "initializationOptions")
    return {
        "capabilities": capabilities(client, options),
        "serverInfo": {"name": SERVER_NAME, "version": __version__},
    }
