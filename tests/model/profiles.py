"""Clients: what an editor announces in ``initialize``, drawn at random."""

from __future__ import annotations

import random
from typing import Any

from .forks import Plan
from .places import ENCODINGS
from .state import FOLDERS, uri_of

_MARKDOWN = ["markdown", "plaintext"]
_FLAGS: tuple[tuple[str, Any], ...] = (
    ("textDocument.publishDiagnostics", {}),
    ("textDocument.diagnostic", {}),
    ("textDocument.rename.prepareSupport", True),
    ("textDocument.codeAction.codeActionLiteralSupport", {"codeActionKind": {"valueSet": []}}),
    ("textDocument.codeAction.disabledSupport", True),
    ("textDocument.codeAction.dataSupport", True),
    ("textDocument.codeAction.resolveSupport", {"properties": ["edit"]}),
    ("textDocument.codeLens.resolveSupport", {"properties": []}),
    ("textDocument.inlayHint.resolveSupport", {"properties": ["tooltip", "label.location"]}),
    ("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport", True),
    ("textDocument.documentLink.tooltipSupport", True),
    ("textDocument.definition.linkSupport", True),
    ("textDocument.declaration.linkSupport", True),
    ("textDocument.foldingRange.lineFoldingOnly", True),
    ("textDocument.foldingRange.rangeLimit", 5),
    ("textDocument.hover.contentFormat", _MARKDOWN),
    ("textDocument.signatureHelp.signatureInformation.documentationFormat", _MARKDOWN),
    ("textDocument.signatureHelp.signatureInformation.noActiveParameterSupport", True),
    ("textDocument.signatureHelp.signatureInformation.activeParameterSupport", True),
    ("textDocument.signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport", True),
    ("textDocument.completion.completionItem.snippetSupport", True),
    ("textDocument.completion.completionItem.insertReplaceSupport", True),
    ("textDocument.completion.completionItem.labelDetailsSupport", True),
    ("textDocument.completion.completionItem.deprecatedSupport", True),
    ("textDocument.completion.completionItem.documentationFormat", _MARKDOWN),
    ("textDocument.completion.completionList.itemDefaults", ["editRange", "insertTextFormat", "commitCharacters"]),
    (
        "textDocument.semanticTokens",
        {
            "requests": {},
            "tokenTypes": ["keyword", "variable", "function", "number", "macro"],
            "tokenModifiers": ["declaration"],
            "formats": ["relative"],
        },
    ),
    ("workspace.applyEdit", True),
    ("workspace.workspaceEdit.documentChanges", True),
    ("workspace.configuration", True),
    ("workspace.didChangeConfiguration.dynamicRegistration", True),
    ("workspace.symbol.resolveSupport", {"properties": ["location.range"]}),
    ("workspace.textDocumentContent", {}),
    ("workspace.diagnostics.refreshSupport", True),
    ("workspace.inlayHint.refreshSupport", True),
    ("workspace.codeLens.refreshSupport", True),
    ("workspace.semanticTokens.refreshSupport", True),
    ("workspace.foldingRange.refreshSupport", True),
    ("window.workDoneProgress", True),
)
"""Capabilities that a client has or has not."""

SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"target": "sm_100"},
    {"target": "sm_70", "ptxVersion": "7.0"},
    {"ignore": ["E1"]},
    {"ignore": ["W62", "H9"]},
    {"select": ["E"]},
    {"maxDiagnostics": 2},
    {"severity": {"E201": "hint", "W611": "error"}},
    {"inlayHints": {"registerTypes": "all", "branches": False}},
    {"inlayHints": {"registerTypes": "never"}, "codeLenses": {"registers": False}},
    {"format": {"style": "nvcc"}},
    {"format": {"indent": 2, "tabs": "always", "width": 40, "align": False}},
    {"completion": {"snippets": False, "unavailable": False}},
    {"nonsense": 1},
    {"target": 5, "format": 1},
)
"""Settings of an editor; some are wrong."""
PROJECT_SETTINGS = (
    "",
    'target = "sm_100a"\n',
    'ignore = ["E2", "W"]\nmax-diagnostics = 3\n',
    '[inlay-hints]\nregister-types = "all"\n[format]\nindent = 8\n',
    "nonsense = 1\n",
    "target = \n",
)
"""Texts of ``ptx-lsp.toml``."""


def times(draw: random.Random) -> dict[str, float]:
    """Times of a forked server: short ones, so that much happens, and all kinds of orders."""
    found = {"quiet": draw.choice((0.0, 0.01, 0.05)), "pause": 0.002, "longest pause": 0.01, "start delay": 0.01}
    found |= {"walk age": 0.0, "walk share": 0.0, "background pause": 0.002}
    if draw.random() < 0.9:
        found["warm up"] = 1e6  # only completion needs it, and makes up for it
    if draw.random() < 0.4:
        found["flow slice"] = 0.0
    if draw.random() < 0.4:
        found["reader slice"] = draw.choice((0.0001, 0.001))
    if draw.random() < 0.3:
        found["work slice"] = 0.0
    if draw.random() < 0.4:
        found["first slice"] = 0.0001
        found["first longest"] = draw.choice((0.0, 0.002, 0.02))
    return found


def plan(draw: random.Random) -> Plan:
    """The course of a forked server; most look at a few messages before they are complete."""
    early = sorted(draw.randrange(12) for _ in range(6)) if draw.random() < 0.8 else ()
    return Plan(tuple(early), times(draw))


def initialize_params(draw: random.Random, *, watches: bool) -> dict[str, Any]:
    """The parameters of ``initialize``."""
    capabilities: dict[str, Any] = {}
    for path, value in _FLAGS:
        if draw.random() < 0.6:
            _set(capabilities, path.split("."), value)
    _set(capabilities, ["workspace", "didChangeWatchedFiles", "dynamicRegistration"], watches)
    encoding = draw.choice(ENCODINGS)
    _set(capabilities, ["general", "positionEncodings"], [encoding, "utf-16"])
    folders = draw.choice(([""], ["one"], ["one", "two"], ["two"], []))
    options: dict[str, Any] = {}
    if draw.random() < 0.3:
        options = dict(draw.choice(SETTINGS))
    if draw.random() < 0.3:
        options |= draw.choice(
            ({"pullDiagnostics": True}, {"ownTokenTypes": True}, {"commands": ["ptx-lsp.showReferences"]})
        )
    return {
        "processId": None,
        "rootUri": None,
        "capabilities": capabilities,
        "initializationOptions": options or None,
        "workspaceFolders": [{"uri": uri_of(name), "name": name} for name in folders],
    }


def folder(draw: random.Random) -> dict[str, Any]:
    """A workspace folder."""
    name = draw.choice(FOLDERS)
    return {"uri": uri_of(name), "name": name}


def _set(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    tree[path[-1]] = value
