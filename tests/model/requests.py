"""Random requests of every kind that a server announces.

:data:`MAKERS` has the parameters of each request, by capability. A capability without an entry is an error, so that no
request is forgotten: ``requests_of`` reads what the server answers to ``initialize``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ptx_lsp.features.flow_pages import KINDS, FlowPageAddress

from .places import Text

Params = dict[str, Any]

_NAMES = ("twice", "kernel", "counter", "local", "value", "%r1", "%r7", "out", "DONE", "AGAIN", "mov.u32", "other", "é")
_TOPICS = ("mma", "E201", "ld.global", "wgmma.mma_async", "nonsense", "", "sm_90", "@", "%tid")
_URI_NOT_OPEN = "file:///nowhere/else.ptx"


class Ask(NamedTuple):
    """The circumstances of a request."""

    draw: random.Random
    uri: str
    text: Text
    results: dict[str, list[Any]]
    """Earlier results by method, the last ones."""
    diagnostics: list[Any]
    """The document's diagnostics as the client knows them."""
    token_id: str
    """The last ``resultId`` of semantic tokens."""

    @property
    def position(self) -> dict[str, int]:
        """Usually one in the text, sometimes past the end of a line or of the text."""
        if self.draw.random() < 0.04:
            return {
                "line": self.draw.randrange(self.text.lines + 3),
                "character": self.draw.choice((0, 5, 10_000, 2**31 - 1)),
            }
        return self.text.position(self.draw.randrange(len(self.text.text) + 1))

    @property
    def range(self) -> Params:
        """Usually a short one, sometimes all."""
        most = len(self.text.text)
        start = self.draw.randrange(most + 1)
        if self.draw.random() < 0.3:
            return self.text.range(0, most)
        end = min(most, start + self.draw.choice((0, 0, 3, 40, 400, 4000)))
        found = self.text.range(start, end)
        return found if self.draw.random() > 0.02 else {"start": found["end"], "end": found["start"]}

    @property
    def document(self) -> Params:
        """The identifier of the document."""
        return {"textDocument": {"uri": self.uri if self.draw.random() > 0.01 else _URI_NOT_OPEN}}

    @property
    def place(self) -> Params:
        """A document and a position."""
        return {**self.document, "position": self.position}

    @property
    def options(self) -> Params:
        """``FormattingOptions``."""
        found: Params = {"tabSize": self.draw.choice((1, 2, 4, 8)), "insertSpaces": self.draw.random() < 0.7}
        for name in ("trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"):
            if self.draw.random() < 0.2:
                found[name] = self.draw.random() < 0.5
        return found

    def some(self, method: str) -> Iterator[Any]:
        """An item of an earlier result; nothing if there is none."""
        found = [item for result in self.results.get(method, ()) for item in _items(result)]
        if found:
            yield self.draw.choice(found)


def _items(result: Any) -> list[Any]:
    if isinstance(result, dict):
        result = result.get("items", [result])
    return result if isinstance(result, list) else []


Maker = Callable[[Ask], Iterator[Params]]


def _with(make: Callable[[Ask], Params]) -> Maker:
    return lambda ask: iter((make(ask),))


def _resolving(method: str) -> Maker:
    return lambda ask: ask.some(method)


def _calls(ask: Ask) -> Iterator[Params]:
    for item in ask.some("textDocument/prepareCallHierarchy"):
        yield {"item": item}


def _types(ask: Ask) -> Iterator[Params]:
    for item in ask.some("textDocument/prepareTypeHierarchy"):
        yield {"item": item}


def _completion(ask: Ask) -> Params:
    found = ask.place
    if ask.draw.random() < 0.5:
        found["context"] = ask.draw.choice(
            ({"triggerKind": 1}, {"triggerKind": 2, "triggerCharacter": "."}, {"triggerKind": 3})
        )
    return found


def _code_action(ask: Ask) -> Params:
    known = ask.draw.sample(ask.diagnostics, min(len(ask.diagnostics), ask.draw.randrange(4)))
    place = known[0]["range"] if known and ask.draw.random() < 0.7 else ask.range
    context: Params = {"diagnostics": known}
    if ask.draw.random() < 0.3:
        context["only"] = [
            ask.draw.choice(("quickfix", "refactor", "source", "source.fixAll", "source.raiseHeader.ptx-lsp", ""))
        ]
    if ask.draw.random() < 0.3:
        context["triggerKind"] = ask.draw.choice((1, 2))
    return {**ask.document, "range": place, "context": context}


def _signature(ask: Ask) -> Params:
    found = ask.place
    for shown in ask.results.get("textDocument/signatureHelp", ())[-1:]:
        found["context"] = {"triggerKind": 3, "isRetrigger": True, "activeSignatureHelp": shown}
    return found


def _positions(ask: Ask) -> Params:
    return {**ask.document, "positions": [ask.position for _ in range(ask.draw.randrange(4))]}


def _pull(ask: Ask) -> Params:
    known = [result["resultId"] for result in ask.results.get("textDocument/diagnostic", ()) if "resultId" in result]
    return {
        **ask.document,
        **({"previousResultId": ask.draw.choice(known)} if known and ask.draw.random() < 0.5 else {}),
    }


def _pull_workspace(ask: Ask) -> Params:
    known = [
        {"uri": one["uri"], "value": one["resultId"]}
        for one in ask.some("workspace/diagnostic")
        if isinstance(one, dict) and "resultId" in one
    ]
    return {"previousResultIds": known}


def _symbols(ask: Ask) -> Params:
    return {"query": ask.draw.choice(("", "t", "twi", "KER", *_NAMES))}


def _commands(ask: Ask) -> Iterator[tuple[str, list[Any]]]:
    """The commands, each with arguments."""
    draw = ask.draw
    yield "ptx-lsp.explain", [draw.choice(_TOPICS)]
    yield "ptx-lsp.decode", [draw.choice(("0x08200490", "1", "x")), draw.choice(("tcgen05_instruction", "f16", "x"))]
    yield "ptx-lsp.decodeAt", [ask.uri, ask.position]
    for name in ("flowAt", "originAt", "usesAt", "barriersAt"):
        yield f"ptx-lsp.{name}", [ask.uri, ask.position]
    yield "ptx-lsp.ptxOfSource", [ask.uri, draw.randrange(50)]
    yield "ptx-lsp.choices", []
    yield "ptx-lsp.fixAll", [ask.uri]
    yield "ptx-lsp.setTarget", [ask.uri, draw.choice(("sm_90a", "sm_100", "sm_1", ""))]
    yield "ptx-lsp.setVersion", [ask.uri, draw.choice(("8.6", "9.0", "1", ""))]
    yield "ptx-lsp.status", [ask.uri]
    yield "ptx-lsp.reload", []


def _command(ask: Ask) -> Params:
    name, arguments = ask.draw.choice(tuple(_commands(ask)))
    if ask.draw.random() < 0.05:
        arguments = ask.draw.choice(([], [1], [None, None], ["file:///x"], [{"line": -1}]))
    return {"command": name, "arguments": arguments}


def _pages(ask: Ask) -> Iterator[str]:
    """Addresses of pages."""
    for kind in KINDS:
        place = ask.position
        yield str(FlowPageAddress(kind, ask.uri, place["line"], place["character"]))
    yield from ("ptx-lsp:/isa/mma.md", "ptx-lsp:/nothing.md", "ptx-lsp:", "")


_PLACE = _with(lambda ask: ask.place)
_WHOLE = _with(lambda ask: ask.document)

MAKERS: dict[str, dict[str, Maker]] = {
    "completionProvider": {"textDocument/completion": _with(_completion)},
    "completionProvider.resolveProvider": {"completionItem/resolve": _resolving("textDocument/completion")},
    "hoverProvider": {"textDocument/hover": _PLACE},
    "signatureHelpProvider": {"textDocument/signatureHelp": _with(_signature)},
    "declarationProvider": {"textDocument/declaration": _PLACE},
    "definitionProvider": {"textDocument/definition": _PLACE},
    "implementationProvider": {"textDocument/implementation": _PLACE},
    "typeDefinitionProvider": {"textDocument/typeDefinition": _PLACE},
    "referencesProvider": {
        "textDocument/references": _with(
            lambda ask: {**ask.place, "context": {"includeDeclaration": ask.draw.random() < 0.5}}
        )
    },
    "documentHighlightProvider": {"textDocument/documentHighlight": _PLACE},
    "documentSymbolProvider": {"textDocument/documentSymbol": _WHOLE},
    "workspaceSymbolProvider": {"workspace/symbol": _with(_symbols)},
    "workspaceSymbolProvider.resolveProvider": {"workspaceSymbol/resolve": _resolving("workspace/symbol")},
    "codeActionProvider": {"textDocument/codeAction": _with(_code_action)},
    "codeActionProvider.resolveProvider": {"codeAction/resolve": _resolving("textDocument/codeAction")},
    "codeLensProvider": {"textDocument/codeLens": _WHOLE},
    "codeLensProvider.resolveProvider": {"codeLens/resolve": _resolving("textDocument/codeLens")},
    "documentLinkProvider": {"textDocument/documentLink": _WHOLE},
    "documentLinkProvider.resolveProvider": {"documentLink/resolve": _resolving("textDocument/documentLink")},
    "documentFormattingProvider": {
        "textDocument/formatting": _with(lambda ask: {**ask.document, "options": ask.options})
    },
    "documentRangeFormattingProvider": {
        "textDocument/rangeFormatting": _with(lambda ask: {**ask.document, "range": ask.range, "options": ask.options})
    },
    "documentRangeFormattingProvider.rangesSupport": {
        "textDocument/rangesFormatting": _with(
            lambda ask: {
                **ask.document,
                "ranges": [ask.range for _ in range(ask.draw.randrange(4))],
                "options": ask.options,
            }
        )
    },
    "documentOnTypeFormattingProvider": {
        "textDocument/onTypeFormatting": _with(
            lambda ask: {**ask.place, "ch": ask.draw.choice(";}\n"), "options": ask.options}
        )
    },
    "renameProvider": {
        "textDocument/rename": _with(
            lambda ask: {**ask.place, "newName": ask.draw.choice((*_NAMES, "renamed", "%x", ""))}
        )
    },
    "renameProvider.prepareProvider": {"textDocument/prepareRename": _PLACE},
    "foldingRangeProvider": {"textDocument/foldingRange": _WHOLE},
    "selectionRangeProvider": {"textDocument/selectionRange": _with(_positions)},
    "callHierarchyProvider": {
        "textDocument/prepareCallHierarchy": _PLACE,
        "callHierarchy/incomingCalls": _calls,
        "callHierarchy/outgoingCalls": _calls,
    },
    "typeHierarchyProvider": {
        "textDocument/prepareTypeHierarchy": _PLACE,
        "typeHierarchy/supertypes": _types,
        "typeHierarchy/subtypes": _types,
    },
    "semanticTokensProvider.full": {"textDocument/semanticTokens/full": _WHOLE},
    "semanticTokensProvider.full.delta": {
        "textDocument/semanticTokens/full/delta": _with(lambda ask: {**ask.document, "previousResultId": ask.token_id})
    },
    "semanticTokensProvider.range": {
        "textDocument/semanticTokens/range": _with(lambda ask: {**ask.document, "range": ask.range})
    },
    "inlayHintProvider": {"textDocument/inlayHint": _with(lambda ask: {**ask.document, "range": ask.range})},
    "inlayHintProvider.resolveProvider": {"inlayHint/resolve": _resolving("textDocument/inlayHint")},
    "diagnosticProvider": {"textDocument/diagnostic": _with(_pull)},
    "diagnosticProvider.workspaceDiagnostics": {"workspace/diagnostic": _with(_pull_workspace)},
    "executeCommandProvider": {"workspace/executeCommand": _with(_command)},
    "workspace.textDocumentContent": {
        "workspace/textDocumentContent": _with(lambda ask: {"uri": ask.draw.choice(tuple(_pages(ask)))})
    },
}
"""By capability: the methods that it announces, and their parameters (none if an earlier result is necessary)."""

_OTHERS = {
    "positionEncoding",
    "textDocumentSync",
    "semanticTokensProvider",
    "workspace",
    "workspace.workspaceFolders",
    "executeCommandProvider.commands",
}
"""Capabilities that announce no request of their own."""
_WORDS = {
    "resolveProvider",
    "delta",
    "range",
    "full",
    "prepareProvider",
    "rangesSupport",
    "workspaceDiagnostics",
    "commands",
}
"""Options that announce requests."""


def requests_of(capabilities: Params) -> dict[str, Maker]:
    """The parameters of each request that a server announces, by method.

    Raises:
        LookupError: there is nothing here for a capability, or for a command.

    """
    found: dict[str, Maker] = {}
    for name in _announced(capabilities):
        if name not in _OTHERS:
            found |= MAKERS[name]
    known = {name for name, _ in _commands(Ask(random.Random(0), "", Text("", "utf-16"), {}, [], ""))}
    forgotten = set(capabilities.get("executeCommandProvider", {}).get("commands", ())) - known
    if forgotten:
        raise LookupError(f"commands without arguments here: {sorted(forgotten)}")
    return found


def _announced(capabilities: Params) -> Iterator[str]:
    for name, value in capabilities.items():
        if value in (None, False):
            continue
        yield name
        if isinstance(value, dict):
            of_workspace = name == "workspace"
            for option, inner in value.items():
                if (of_workspace or option in _WORDS) and inner not in (None, False):
                    yield f"{name}.{option}"
                    if isinstance(inner, dict):
                        yield from (f"{name}.{option}.{one}" for one in inner if one in _WORDS and inner[one])
