"""The requests and notifications of LSP that make sense for PTX, and how to see that the server serves each.

M: essential for PTX; U: useful. :data:`ABSENT` has the reasons for omitted features.
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
        "opcodes, qualifiers, operands, directives and snippets that are legal at the cursor",
        "textDocument/completion",
        {"position": place("add.f32", inside=7)},
        "completionProvider",
    ),
    Row(
        "completionItem/resolve",
        "U",
        "the documentation of an item",
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
        "of a register the writes that reach the cursor; of other names the definition, in other files too",
        "textDocument/definition",
        _at("%f1, bogus"),
        "definitionProvider",
    ),
    Row(
        "implementation",
        "U",
        "all writes of a register, the partners of an instruction that synchronizes, the definition of a function",
        "textDocument/implementation",
        _at("twice", 2),
        "implementationProvider",
    ),
    Row(
        "typeDefinition",
        "U",
        "the declaration that gives a register or variable its type",
        "textDocument/typeDefinition",
        _at("%f1, bogus"),
        "typeDefinitionProvider",
    ),
    Row(
        "references",
        "M",
        "all references to a name, in other files too; all instructions that synchronize with one",
        "textDocument/references",
        _at("%f1, bogus", context={"includeDeclaration": True}),
        "referencesProvider",
    ),
    Row(
        "documentHighlight",
        "M",
        "references in the document, marked as read or write",
        "textDocument/documentHighlight",
        _at("%f1, bogus"),
        "documentHighlightProvider",
    ),
    Row(
        "documentSymbol",
        "M",
        "functions, loops, blocks, names",
        "textDocument/documentSymbol",
        {},
        "documentSymbolProvider",
    ),
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
        "fixes and refactorings",
        "textDocument/codeAction",
        {"range": {"start": place("bogus"), "end": place("bogus")}, "context": {"diagnostics": []}},
        "codeActionProvider",
    ),
    Row(
        "codeAction/resolve",
        "U",
        "the edits of a code action",
        "textDocument/codeAction",
        {"range": {"start": place("bogus"), "end": place("bogus")}, "context": {"diagnostics": []}},
        "codeActionProvider.resolveProvider",
        ("codeAction/resolve", _first),
    ),
    Row(
        "codeLens",
        "U",
        "references, callers, requirements, register counts",
        "textDocument/codeLens",
        {},
        "codeLensProvider",
    ),
    Row(
        "codeLens/resolve",
        "U",
        "the title of a lens",
        "textDocument/codeLens",
        {},
        "codeLensProvider.resolveProvider",
        ("codeLens/resolve", _first),
    ),
    Row("documentLink", "U", "links to files in the text", "textDocument/documentLink", {}, "documentLinkProvider"),
    Row(
        "formatting",
        "M",
        "formats a document",
        "textDocument/formatting",
        {"options": _TABS},
        "documentFormattingProvider",
    ),
    Row(
        "rangeFormatting",
        "U",
        "formats a selection",
        "textDocument/rangeFormatting",
        {"range": WHOLE, "options": _TABS},
        "documentRangeFormattingProvider",
    ),
    Row(
        "rangesFormatting (3.18)",
        "U",
        "formats several ranges at once",
        "textDocument/rangesFormatting",
        {"ranges": [WHOLE], "options": _TABS},
        "documentRangeFormattingProvider.rangesSupport",
    ),
    Row(
        "onTypeFormatting",
        "U",
        "formats the statement that was just completed",
        "textDocument/onTypeFormatting",
        {"position": {"line": 9, "character": 24}, "ch": ";", "options": _TABS},
        "documentOnTypeFormattingProvider",
    ),
    Row(
        "prepareRename",
        "M",
        "the name at the cursor, or the reason why it cannot be renamed",
        "textDocument/prepareRename",
        _at("LOOP"),
        "renameProvider.prepareProvider",
    ),
    Row(
        "rename",
        "M",
        "renames within a scope; names with linkage in all files",
        "textDocument/rename",
        _at("LOOP", newName="AGAIN"),
        "renameProvider",
    ),
    Row(
        "foldingRange",
        "M",
        "bodies, loops, basic blocks, comments, consecutive declarations",
        "textDocument/foldingRange",
        {},
        "foldingRangeProvider",
    ),
    Row(
        "selectionRange",
        "U",
        "word, operand, statement, block, loop, function",
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
        "the callers of a function",
        "textDocument/prepareCallHierarchy",
        _at("twice"),
        "callHierarchyProvider",
        ("callHierarchy/incomingCalls", lambda found: {"item": found[0]}),
    ),
    Row(
        "callHierarchy/outgoingCalls",
        "U",
        "the functions that it calls",
        "textDocument/prepareCallHierarchy",
        _at("kernel("),
        "callHierarchyProvider",
        ("callHierarchy/outgoingCalls", lambda found: {"item": found[0]}),
    ),
    Row(
        "prepareTypeHierarchy",
        "U",
        "the writes that reach the register at the cursor",
        "textDocument/prepareTypeHierarchy",
        _at("%r2, %r1, %r1"),
        "typeHierarchyProvider",
    ),
    Row(
        "typeHierarchy/supertypes",
        "U",
        "what an instruction depends on: writes, parameters, variables",
        "textDocument/prepareTypeHierarchy",
        _at("%r2, %r1, %r1"),
        "typeHierarchyProvider",
        ("typeHierarchy/supertypes", lambda found: {"item": found[0]}),
    ),
    Row(
        "typeHierarchy/subtypes",
        "U",
        "the instructions that depend on a result",
        "textDocument/prepareTypeHierarchy",
        _at("%r2, %r1, %r1"),
        "typeHierarchyProvider",
        ("typeHierarchy/subtypes", lambda found: {"item": found[0]}),
    ),
    Row(
        "semanticTokens/full",
        "M",
        "types and modifiers of all tokens",
        "textDocument/semanticTokens/full",
        {},
        "semanticTokensProvider.full",
    ),
    Row(
        "semanticTokens/full/delta",
        "M",
        "changes since the previous result",
        "textDocument/semanticTokens/full",
        {},
        "semanticTokensProvider.full.delta",
        ("textDocument/semanticTokens/full/delta", lambda found: {"previousResultId": found["resultId"]}),
    ),
    Row(
        "semanticTokens/range",
        "M",
        "tokens of a range",
        "textDocument/semanticTokens/range",
        {"range": WHOLE},
        "semanticTokensProvider.range",
    ),
    Row(
        "inlayHint",
        "M",
        "types, operand names, values and distances, inline",
        "textDocument/inlayHint",
        {"range": WHOLE},
        "inlayHintProvider",
    ),
    Row(
        "inlayHint/resolve",
        "M",
        "the tooltip of a hint",
        "textDocument/inlayHint",
        {"range": WHOLE},
        "inlayHintProvider.resolveProvider",
        ("inlayHint/resolve", _first),
    ),
    Row(
        "textDocument/diagnostic",
        "M",
        "findings of a document, for clients that pull them",
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
        "commands of editor plugins",
        "workspace/executeCommand",
        {"command": "ptx-lsp.explain", "arguments": ["mma"]},
        "executeCommandProvider",
    ),
    Row(
        "workspace/textDocumentContent (3.18)",
        "U",
        "pages of instructions and rules as read-only documents",
        "workspace/textDocumentContent",
        {"uri": "ptx-lsp:/isa/mma.md"},
        "workspace.textDocumentContent",
    ),
)
"""What is asked for, and answered with something."""

ABSENT = {
    "documentColor": "PTX has no colours",
    "linkedEditingRange": "no names in PTX must be edited in pairs",
    "inlineValue": "for debuggers only",
    "moniker": "for code indexers only",
    "notebook synchronisation": "notebooks do not contain PTX",
    "inlineCompletion": "for text generators only",
}
