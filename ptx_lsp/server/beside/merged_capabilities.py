"""The capabilities of two servers as those of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIRST_OURS = frozenset(
    f"textDocument/{name}"
    for name in ("hover", "completion", "signatureHelp", "definition", "declaration", "references", "documentHighlight")
)
"""Requests about a place: this server answers within templates, the other one everywhere else."""
OF_BOTH = frozenset({"textDocument/codeAction", "textDocument/inlayHint"})
"""Requests whose answers are lists, which are joined."""
RESOLVED = {"completionItem/resolve", "codeAction/resolve", "inlayHint/resolve"}
"""Requests about an item of an earlier answer."""

_SHARED = (
    "hoverProvider",
    "completionProvider",
    "signatureHelpProvider",
    "definitionProvider",
    "declarationProvider",
    "referencesProvider",
    "documentHighlightProvider",
    "codeActionProvider",
    "inlayHintProvider",
)
_LISTS = ("triggerCharacters", "retriggerCharacters", "allCommitCharacters", "codeActionKinds")


def offered(params: Any) -> Any:
    """The parameters of ``initialize`` for both servers.

    Positions are in UTF-16, the only unit that all servers have. Semantic tokens are announced in the answer, with one
    legend for both, rather than registered later.
    """
    if not isinstance(params, Mapping) or not isinstance(params.get("capabilities"), Mapping):
        return params
    capabilities = dict(params["capabilities"])
    capabilities.pop("offsetEncoding", None)
    if isinstance(capabilities.get("general"), Mapping):
        capabilities["general"] = {**capabilities["general"], "positionEncodings": ["utf-16"]}
    document = capabilities.get("textDocument")
    if isinstance(document, Mapping) and isinstance(document.get("semanticTokens"), Mapping):
        tokens = {**document["semanticTokens"], "dynamicRegistration": False}
        capabilities["textDocument"] = {**document, "semanticTokens": tokens}
    return {**params, "capabilities": capabilities}


def offered_to_ours(params: Any) -> Any:
    """The parameters of ``initialize`` for this server, which pushes diagnostics: they are joined with others."""
    params = offered(params)
    if not isinstance(params, Mapping):
        return params
    capabilities = dict(params.get("capabilities") or {})
    document = dict(capabilities.get("textDocument") or {})
    document.pop("diagnostic", None)
    document.setdefault("publishDiagnostics", {})
    options = {key: value for key, value in (params.get("initializationOptions") or {}).items() if key == "ptx-lsp"}
    return {**params, "capabilities": {**capabilities, "textDocument": document}, "initializationOptions": options}


def merged(other: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """The ``ServerCapabilities`` of the other server with the features that this one has within templates."""
    found = dict(other)
    for name in _SHARED:
        found[name] = _merged(other.get(name), ours.get(name))
    commands = [
        *((other.get("executeCommandProvider") or {}).get("commands") or ()),
        *((ours.get("executeCommandProvider") or {}).get("commands") or ()),
    ]
    found["executeCommandProvider"] = {**(other.get("executeCommandProvider") or {}), "commands": commands}
    sync = found.get("textDocumentSync")
    if not isinstance(sync, Mapping):
        found["textDocumentSync"] = {"openClose": True, "change": sync if isinstance(sync, int) and sync else 2}
    return found


def _merged(one: Any, other: Any) -> Any:
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return one if isinstance(one, Mapping) else other if isinstance(other, Mapping) else bool(one or other)
    found = {**other, **one}
    for name in _LISTS:
        if name in one or name in other:
            found[name] = list(dict.fromkeys([*(one.get(name) or ()), *(other.get(name) or ())]))
    if "resolveProvider" in one or "resolveProvider" in other:
        found["resolveProvider"] = bool(one.get("resolveProvider") or other.get("resolveProvider"))
    return found
