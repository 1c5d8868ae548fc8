"""TextMate grammars that colour inline assembly in sources of other languages, within the strings of its calls.

Each rule is a single match: a region that extends to ``;`` would pass the quotation mark where a literal ends.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from editors.generate import words
from editors.generate.patterns import one_of
from editors.generate.rules import Rule, named
from ptx_lsp.features.semantic_tokens.legend import TokenType


class SourceLanguage(NamedTuple):
    """How sources of a kind call an assembler."""

    name: str
    """Part of the name of the grammar."""
    scopes: tuple[str, ...]
    """The scopes of the grammars of VS Code into which it is injected."""
    call: str
    """A pattern of the beginning of a call, with its bracket if it has one."""
    quotes: tuple[tuple[str, str], ...]
    """The patterns of the beginnings and ends of literals, longer ones first."""
    constraint: str = r'"[=+&~{}\w,]{0,32}"(?=\s*\()'
    """A pattern of a literal that is no template."""
    end: str = r"\)"
    """A pattern of the end of a call."""


_PLAIN = ((r'"', r'"|$'),)
_LIST = r'(?<=,)\s*"[^"\n]{0,512}"'
"""The list of constraints after a template."""


LANGUAGES = (
    SourceLanguage(
        "cpp",
        ("source.cpp", "source.c", "source.cuda-cpp", "source.cuda", "source.objcpp"),
        r"\b(asm|__asm|__asm__)\b(?:\s*(?:volatile|__volatile__|__volatile|goto|inline))*\s*\(",
        ((r'(R)"([^()\\\s]{0,16})\(', r'\)\2"'), (r'"', r'"|$')),
    ),
    SourceLanguage(
        "python",
        ("source.python",),
        r"\b(inline_asm_elementwise|inline_asm|InlineAsm)\s*\(",
        ((r'(?:[rRfFbBuU]{0,2})("""|\'\'\')', r"\1"), (r'(?:[rRfFbBuU]{0,2})(["\'])', r"\1|$")),
    ),
    SourceLanguage("rust", ("source.rust",), r"\b(asm!)\s*\(", ((r'r(#*)"', r'"\1'), (r'"', r'"'))),
    SourceLanguage(
        "mojo",
        ("source.mojo",),
        r"\b(inlined_assembly)\s*\[",
        ((r'("""|\'\'\')', r"\1"), (r'(["\'])', r"\1|$")),
        r'(?<==)\s*"[^"\n]{0,512}"',
        r"\]",
    ),
    SourceLanguage("mlir", ("source.mlir",), r'\b(nvvm\.inline_ptx|llvm\.inline_asm)\b[^"\n]*', _PLAIN, _LIST, "$"),
    SourceLanguage("llvm", ("source.llvm",), r'\b(asm)\b(?=[\sa-z]*")', _PLAIN, _LIST, r"\(|$"),
)


def grammars() -> dict[str, dict[str, Any]]:
    """The grammars by the names of their files."""
    return {f"ptx-in-{one.name}": _grammar(one) for one in LANGUAGES}


def contributions() -> list[dict[str, Any]]:
    """The entries of VS Code's manifest. With the type ``other``, suggestions also come within strings."""
    return [
        {
            "scopeName": f"inline.ptx.{one.name}",
            "path": f"./syntaxes/ptx-in-{one.name}.tmLanguage.json",
            "injectTo": list(one.scopes),
            "tokenTypes": {"meta.embedded.inline.ptx": "other"},
        }
        for one in LANGUAGES
    ]


def _grammar(language: SourceLanguage) -> dict[str, Any]:
    host = {"include": language.scopes[0]}
    constraint = {"match": language.constraint, "name": "string.quoted.double.constraint.ptx"}
    literals = [
        {"begin": begin, "end": end, "name": "string.quoted.ptx", "contentName": "meta.embedded.inline.ptx"}
        | {"patterns": [{"include": "#words"}]}
        for begin, end in language.quotes
    ]
    pairs = [(r"\(", r"\)"), *([(r"\[", r"\]")] if language.end == r"\]" else [])]
    inside = [{"include": "#nested"}, host]
    nested = {"patterns": [{"begin": begin, "end": end, "patterns": inside} for begin, end in pairs]}
    return {
        "information_for_contributors": ["Made by python -m editors.generate out of grammar/."],
        "scopeName": f"inline.ptx.{language.name}",
        "injectionSelector": ", ".join(f"L:{scope} -comment -string" for scope in language.scopes),
        "patterns": [
            {
                "begin": language.call,
                "end": language.end,
                "beginCaptures": {"1": {"name": "storage.type.asm.ptx"}},
                "patterns": [constraint, *literals, {"include": "#nested"}, host],
            }
        ],
        "repository": {"nested": nested, "words": {"patterns": _words()}},
    }


def _words() -> list[Rule]:
    opcodes = rf"(?:(?<=[\s\"';{{}}])|(?<=\\[nt])|\G)({one_of(words.opcode_names())})(?![\w$%])"
    types = rf"({one_of(words.types())})(?![\w:])"
    return [
        {"match": r"//[^\"\n]*?(?=\\n|\"|$)", "name": "comment.line.double-slash.ptx"},
        {"match": r"\\(?:[nrtabfv\\'\"0]|x[0-9A-Fa-f]+)", "name": "constant.character.escape.ptx"},
        {"match": rf"(?<![\w%$])(%%?(?:{one_of([name.lstrip('%') for name in words.special_registers()])}))(?!\w)"}
        | {"captures": {"1": named(TokenType.SPECIAL)}},
        {"match": r"(%%|\$\$)[A-Za-z_]\w*", **named(TokenType.REGISTER)},
        {"match": r"[%$](?:\d+|\[\w+\]|\{\d+\})", **named(TokenType.PARAMETER)},
        {"match": opcodes, "captures": {"1": named(TokenType.OPCODE)}},
        {"match": types, "captures": {"1": named(TokenType.TYPE)}},
        {"match": r"\.(?:reg|pred|local|shared|global|const|param)(?![\w:])", **named(TokenType.SPACE)},
        {"match": r"\.[A-Za-z]\w*(?:::\w+)*", **named(TokenType.QUALIFIER)},
        {"match": r"(?<![\w.])(?:0[xX][0-9A-Fa-f]+|0[fF][0-9A-Fa-f]{8}|\d+(?:\.\d+)?)U?(?!\w)"}
        | named(TokenType.NUMBER),
    ]
