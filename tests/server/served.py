"""The requests and notifications of LSP that make sense for PTX, and how to see that the server serves each.

M: no server of PTX can do without; U: useful. What makes no sense for PTX has its reason in :data:`ABSENT`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]

TEXT = """\
.version 8.6
.target sm_90a
.address_size 64
.file 1 "kernel.cu"
.extern .func (.param .b32 result) outside(.param .b32 x);
.global .align 4 .b32 counter;
.func (.param .b32 result) twice(.param .b32 x) {
.reg .b32 %r<4>;
ld.param.b32 %r1, [x];
add.s32   %r2, %r1, %r1;
st.param.b32 [result], %r2;
ret;
}
.visible .entry kernel(.param .u64 out) {
.reg .pred %p<2>;
.reg .b32 %r<6>;
.reg .f32 %f<3>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [out];
mov.f32 %f1, 0f3F800000;
LOOP:
add.f32 %f2, %f1, bogus;
setp.eq.u32 %p1, %r1, 0;
@%p1 bra LOOP;
{
.param .b32 p0;
.param .b32 p1;
st.param.b32 [p1], %r1;
call (p0), twice, (p1);
ld.param.b32 %r2, [p0];
}
ret;
}
"""
"""A file with something of everything; ``bogus`` is not declared."""


def place(word: str, nth: int = 1, inside: int = 1) -> Message:
    """The position in :data:`TEXT` of the nth occurrence of a word, a character inside of it."""
    offset = -1
    for _ in range(nth):
        offset = TEXT.index(word, offset + 1)
    offset += inside
    line = TEXT.count("\n", 0, offset)
    return {"line": line, "character": offset - (TEXT.rfind("\n", 0, offset) + 1)}


WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": TEXT.count("\n"), "character": 0}}
_TABS = {"tabSize": 4, "insertSpaces": True}


def _at(word: str, nth: int = 1, **more: object) -> Message:
    return {"position": place(word, nth), **more}


@dataclass(frozen=True)
class Row:
    """One feature of the protocol."""

    title: str
    mark: str
    does: str
    """What the user gets, in a few words."""
    method: str = ""
    """The request that is sent to see that it is served."""
    params: Message = field(default_factory=dict)
    """Its parameters beside the document."""
    capability: str = ""
    """The path in the server's capabilities, with dots."""
    then: tuple[str, Callable[[Any], Any]] | None = None
    """A second request and how its parameters come out of the first answer."""


def _first(found: Any) -> Any:
    return found[0]


ROWS = (
    Row(
        "completion",
        "M",
        "opcodes, qualifiers, operands, directives, snippets that are legal here",
        "textDocument/completion",
        {"position": place("add.f32", inside=7)},
        "completionProvider",
    ),
    Row(
        "completionItem/resolve",
        "U",
        "the page's words for one item",
        "textDocument/completion",
        {"position": place("add.f32", inside=3)},
        "completionProvider.resolveProvider",
        ("completionItem/resolve", lambda found: (found["items"] if isinstance(found, dict) else found)[0]),
    ),
    Row(
        "hover",
        "M",
        "forms, operands, qualifiers, gates, registers, literals",
        "textDocument/hover",
        _at("add.f32"),
        "hoverProvider",
    ),
    Row(
        "signatureHelp",
        "M",
        "the forms of an instruction, parameters of a call",
        "textDocument/signatureHelp",
        _at("%f2, %f1"),
        "signatureHelpProvider",
    ),
    Row(
        "declaration",
        "U",
        "the first declaration of a name",
        "textDocument/declaration",
        _at("%f1, bogus"),
        "declarationProvider",
    ),
    Row(
        "definition",
        "M",
        "where a name is declared; bodies in other files",
        "textDocument/definition",
        _at("%f1, bogus"),
        "definitionProvider",
    ),
    Row(
        "implementation",
        "U",
        "the body of a function",
        "textDocument/implementation",
        _at("twice", 2),
        "implementationProvider",
    ),
    Row(
        "references",
        "M",
        "every place of a name, in other files too",
        "textDocument/references",
        _at("%f1, bogus", context={"includeDeclaration": True}),
        "referencesProvider",
    ),
    Row(
        "documentHighlight",
        "M",
        "the same on the screen, read or written",
        "textDocument/documentHighlight",
        _at("%f1, bogus"),
        "documentHighlightProvider",
    ),
    Row("documentSymbol", "M", "the outline as a tree", "textDocument/documentSymbol", {}, "documentSymbolProvider"),
    Row(
        "workspace/symbol",
        "U",
        "functions and variables of all PTX files",
        "workspace/symbol",
        {"query": "twi"},
        "workspaceSymbolProvider",
    ),
    Row(
        "codeAction",
        "M",
        "fixes and rewritings",
        "textDocument/codeAction",
        {"range": {"start": place("bogus"), "end": place("bogus")}, "context": {"diagnostics": []}},
        "codeActionProvider",
    ),
    Row(
        "codeAction/resolve",
        "U",
        "the edits of one of them",
        "textDocument/codeAction",
        {"range": {"start": place("bogus"), "end": place("bogus")}, "context": {"diagnostics": []}},
        "codeActionProvider.resolveProvider",
        ("codeAction/resolve", _first),
    ),
    Row("codeLens", "U", "uses, callers, needs, registers", "textDocument/codeLens", {}, "codeLensProvider"),
    Row(
        "codeLens/resolve",
        "U",
        "the words of one of them",
        "textDocument/codeLens",
        {},
        "codeLensProvider.resolveProvider",
        ("codeLens/resolve", _first),
    ),
    Row("documentLink", "U", "files that the text names", "textDocument/documentLink", {}, "documentLinkProvider"),
    Row(
        "formatting",
        "M",
        "the layout of a whole file",
        "textDocument/formatting",
        {"options": _TABS},
        "documentFormattingProvider",
    ),
    Row(
        "rangeFormatting",
        "U",
        "of some lines",
        "textDocument/rangeFormatting",
        {"range": WHOLE, "options": _TABS},
        "documentRangeFormattingProvider",
    ),
    Row(
        "rangesFormatting (3.18)",
        "U",
        "of several parts at once",
        "textDocument/rangesFormatting",
        {"ranges": [WHOLE], "options": _TABS},
        "documentRangeFormattingProvider.rangesSupport",
    ),
    Row(
        "onTypeFormatting",
        "U",
        "of the statement that was just ended",
        "textDocument/onTypeFormatting",
        {"position": {"line": 9, "character": 24}, "ch": ";", "options": _TABS},
        "documentOnTypeFormattingProvider",
    ),
    Row(
        "prepareRename",
        "M",
        "what would be renamed, or why not",
        "textDocument/prepareRename",
        _at("LOOP"),
        "renameProvider.prepareProvider",
    ),
    Row(
        "rename",
        "M",
        "scope by scope; linked names in all files",
        "textDocument/rename",
        _at("LOOP", newName="AGAIN"),
        "renameProvider",
    ),
    Row(
        "foldingRange",
        "M",
        "bodies, blocks, comments, runs of declarations",
        "textDocument/foldingRange",
        {},
        "foldingRangeProvider",
    ),
    Row(
        "selectionRange",
        "U",
        "word, operand, statement, block, function",
        "textDocument/selectionRange",
        {"positions": [place("bogus")]},
        "selectionRangeProvider",
    ),
    Row(
        "prepareCallHierarchy",
        "U",
        "the function at the cursor",
        "textDocument/prepareCallHierarchy",
        _at("twice"),
        "callHierarchyProvider",
    ),
    Row(
        "callHierarchy/incomingCalls",
        "U",
        "who calls it",
        "textDocument/prepareCallHierarchy",
        _at("twice"),
        "callHierarchyProvider",
        ("callHierarchy/incomingCalls", lambda found: {"item": found[0]}),
    ),
    Row(
        "callHierarchy/outgoingCalls",
        "U",
        "whom it calls",
        "textDocument/prepareCallHierarchy",
        _at("kernel("),
        "callHierarchyProvider",
        ("callHierarchy/outgoingCalls", lambda found: {"item": found[0]}),
    ),
    Row(
        "semanticTokens/full",
        "M",
        "every token's meaning",
        "textDocument/semanticTokens/full",
        {},
        "semanticTokensProvider.full",
    ),
    Row(
        "semanticTokens/full/delta",
        "M",
        "what of it changed",
        "textDocument/semanticTokens/full",
        {},
        "semanticTokensProvider.full.delta",
        ("textDocument/semanticTokens/full/delta", lambda found: {"previousResultId": found["resultId"]}),
    ),
    Row(
        "semanticTokens/range",
        "M",
        "of the lines in view",
        "textDocument/semanticTokens/range",
        {"range": WHOLE},
        "semanticTokensProvider.range",
    ),
    Row(
        "inlayHint",
        "M",
        "types, names, values, distances between the words",
        "textDocument/inlayHint",
        {"range": WHOLE},
        "inlayHintProvider",
    ),
    Row(
        "inlayHint/resolve",
        "M",
        "more about one of them",
        "textDocument/inlayHint",
        {"range": WHOLE},
        "inlayHintProvider.resolveProvider",
        ("inlayHint/resolve", _first),
    ),
    Row(
        "textDocument/diagnostic",
        "M",
        "findings for clients that fetch them",
        "textDocument/diagnostic",
        {},
        "diagnosticProvider",
    ),
    Row(
        "workspace/diagnostic",
        "U",
        "findings of all PTX files",
        "workspace/diagnostic",
        {"previousResultIds": []},
        "diagnosticProvider.workspaceDiagnostics",
    ),
    Row(
        "executeCommand",
        "U",
        "what editors' commands ask",
        "workspace/executeCommand",
        {"command": "ptx-lsp.explain", "arguments": ["mma"]},
        "executeCommandProvider",
    ),
    Row(
        "workspace/textDocumentContent (3.18)",
        "U",
        "pages of instructions and rules as documents",
        "workspace/textDocumentContent",
        {"uri": "ptx-lsp:/isa/mma.md"},
        "workspace.textDocumentContent",
    ),
)
"""What is asked for, and answered with something."""

ABSENT = {
    "typeDefinition": "PTX has no types that a text declares",
    "documentColor": "PTX has no colours",
    "linkedEditingRange": "no two places of PTX must be spelt alike as one types",
    "typeHierarchy": "PTX has no types that a text declares",
    "inlineValue": "for debuggers",
    "moniker": "for indexes of code hosts",
    "notebook synchronisation": "PTX stands in no notebook",
    "inlineCompletion": "for generators of text",
}
