"""The capabilities of this server as plain data: the one source of both responses to ``initialize``.

``boot`` sends them before pygls is imported; ``protocol`` passes them to pygls. A
test compares them with those that pygls derives from the registered handlers.
"""

from __future__ import annotations

from typing import Any

from ptx_lsp import __version__
from ptx_lsp.server.client.client import Client

SERVER_NAME = "ptx-lsp"

_TOKENS = ("semanticTokensProvider", {"full": {"delta": True}, "range": True})
"""The legend depends on the client, see :func:`provider`."""

STATUS = "ptx-lsp.status"
"""The one command that is executed before its document is read."""

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
"""The kinds of code actions, repeated here because features are imported after the first answer; a test compares."""

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
    "textDocument/typeDefinition": ("typeDefinitionProvider", True),
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
    "textDocument/prepareTypeHierarchy": ("typeHierarchyProvider", True),
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
"""The capability that announces each request with a handler, and its value."""

_OF_PTX = (
    ("textDocument/semanticTokens", "semanticTokens", "textDocument/semanticTokens/full"),
    ("textDocument/documentSymbol", "documentSymbol", "textDocument/documentSymbol"),
    ("textDocument/foldingRange", "foldingRange", "textDocument/foldingRange"),
    ("textDocument/selectionRange", "selectionRange", "textDocument/selectionRange"),
    ("textDocument/documentLink", "documentLink", "textDocument/documentLink"),
    ("textDocument/rename", "rename", "textDocument/rename"),
    ("textDocument/formatting", "formatting", "textDocument/formatting"),
    ("textDocument/rangeFormatting", "rangeFormatting", "textDocument/rangeFormatting"),
    ("textDocument/onTypeFormatting", "onTypeFormatting", "textDocument/onTypeFormatting"),
    ("textDocument/prepareCallHierarchy", "callHierarchy", "textDocument/prepareCallHierarchy"),
)
"""The features of documents that those of other languages have from their own servers: the method that is registered,
the client's capability, and the method in :data:`PROVIDERS`. A client with several servers takes the first one for
these, or asks the user."""

PTX_DOCUMENTS = ({"language": "ptx"}, {"pattern": "**/*.ptx"})
"""The document selector of PTX."""

COMMANDS = (
    "ptx-lsp.explain",
    "ptx-lsp.decode",
    "ptx-lsp.decodeAt",
    "ptx-lsp.flowAt",
    "ptx-lsp.originAt",
    "ptx-lsp.usesAt",
    "ptx-lsp.ptxOfSource",
    "ptx-lsp.barriersAt",
    "ptx-lsp.choices",
    "ptx-lsp.fixAll",
    "ptx-lsp.setTarget",
    "ptx-lsp.setVersion",
    STATUS,
    "ptx-lsp.reload",
)
"""The commands of ``workspace/executeCommand``."""

INCREMENTAL = 2
"""LSP's ``TextDocumentSyncKind.Incremental``."""


def provider(method: str, client: Client) -> tuple[str, Any]:
    """The capability that announces a method to a client, and its value."""
    name, value = PROVIDERS.get(method, ("", True))
    if name == _TOKENS[0]:
        value = {"legend": client.legend.options, **value}
    return name, value


def capabilities(client: Client) -> dict[str, Any]:
    """The ``ServerCapabilities`` for a client."""
    found: dict[str, Any] = {
        "positionEncoding": client.encoding.value,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        "executeCommandProvider": {"commands": list(COMMANDS)},
    }
    if client.capability("workspace", "textDocumentContent") is not None:
        found["workspace"]["textDocumentContent"] = {"schemes": [SERVER_NAME]}
    for method in PROVIDERS:
        name, value = provider(method, client)
        if method != "textDocument/diagnostic" or client.announces_pull:
            found[name] = value
    if not client.supports("textDocument", "rename", "prepareSupport"):
        found["renameProvider"] = True
    for method, _ in registered_for_ptx(client):
        announced = next(third for first, _, third in _OF_PTX if first == method)
        found.pop(provider(announced, client)[0], None)
    return found


def registered_for_ptx(client: Client) -> list[tuple[str, dict[str, Any]]]:
    """The methods that are registered for documents of PTX only instead of being announced, with their options.

    A client asks for that with ``"registerForPtx": true`` in its ``initializationOptions``: one that has other servers
    for the other languages, and chooses servers by what they announce.
    """
    found = []
    for method, capability, announced in _OF_PTX if client.registers_for_ptx else ():
        if client.supports("textDocument", capability, "dynamicRegistration"):
            value = provider(announced, client)[1]
            options = value if isinstance(value, dict) else {}
            found.append((method, {"documentSelector": list(PTX_DOCUMENTS), **options}))
    return found


def initialize_result(params: object) -> dict[str, Any]:
    """The ``InitializeResult`` for the parameters of an ``initialize`` request."""
    return {
        "capabilities": capabilities(Client.of(params)),
        "serverInfo": {"name": SERVER_NAME, "version": __version__},
    }
