"""The TextMate grammar of PTX, for VS Code before the server is up, and for all else that reads such grammars.

A statement is a region: an instruction goes from its opcode to the ``;``, so that ``.weak`` is a memory order behind an
opcode and a directive elsewhere, and ``min`` an opcode at the beginning alone. A region that nobody has closed yet ends
where the next line begins a statement: half a line does not change the colours of those below.
"""

from __future__ import annotations

import json
from pathlib import Path

from editors.generate import in_sources, words
from editors.generate.in_markdown import in_markdown
from editors.generate.lexical import operands, tokens
from editors.generate.patterns import DOTTED, END, NAME, PLAIN, REGISTER, START, one_of
from editors.generate.rules import (
    CLOSED,
    LINE_ENDS,
    NEXT,
    NEXT_IN_BRACES,
    WORD_ENDS,
    Rule,
    comma,
    context,
    enclosed,
    match,
    named,
    plain_names,
    region,
)
from ptx_lsp.features.semantic_tokens.legend import TokenType

_MORE = rf"((?:[ \t]*{DOTTED})*)"
"""The qualifiers of an opcode."""
_OPERATOR = {"name": "keyword.operator.guard.ptx"}
_COMMA = {"name": "punctuation.separator.comma.ptx"}


def files() -> dict[Path, str]:
    """The grammar, and those that put it into fences of Markdown and into strings of other languages."""
    folder = Path("vscode/syntaxes")
    made = {"ptx": grammar(), "ptx-in-markdown": in_markdown(), **in_sources.grammars()}
    return {
        folder / f"{name}.tmLanguage.json": json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"
        for name, grammar in made.items()
    }


def grammar() -> Rule:
    """The grammar as VS Code reads it."""
    lists = {
        **tokens(),
        **operands(),
        "label": _label(),
        "guard": _guard(),
        "instructions": _instructions(),
        "directives": _directives(),
        "parameters": [_parameters()],
        "dotted": _dotted(),
    }
    raw = {
        "begin": r"(\.source_begin)\s*$",
        "end": r"^\s*(\.source_end)(?=\s*$)",
        "captures": {"1": named(TokenType.DIRECTIVE)},
        "contentName": "string.unquoted.source.ptx",
    }
    return {
        "information_for_contributors": ["Made by python -m editors.generate out of grammar/."],
        "name": "PTX",
        "scopeName": "source.ptx",
        "fileTypes": ["ptx"],
        "patterns": context(
            "comments", "raw", "label", "guard", "directives", "instructions", "numbers", "strings", "marks"
        ),
        "repository": {"raw": raw, **{name: {"patterns": rules} for name, rules in lists.items()}},
    }


def _label() -> list[Rule]:
    colon = {"name": "punctuation.separator.colon.ptx"}
    return [{"match": rf"{START}({NAME})\s*(:)(?!:)", "captures": {"1": named(TokenType.LABEL), "2": colon}}]


def _guard() -> list[Rule]:
    looks = {"1": _OPERATOR, "2": _OPERATOR, "3": named(TokenType.PREDICATE)}
    return [{"match": rf"(@)\s*(!?)\s*({NAME})", "captures": looks}]


# -------------------------------------------------------------------- instructions


def _instructions() -> list[Rule]:
    qualifiers: Rule = {"patterns": context("qualifiers")}
    looks = [named(TokenType.OPCODE), qualifiers]
    anything = context("operands")

    def instruction(name: str, patterns: list[Rule]) -> Rule:
        return region(f"{START}({name}){_MORE}", looks, patterns)

    of_param = rf"(?:[ \t]*{DOTTED})*?[ \t]*\.param(?:::entry|::func)?{WORD_ENDS}(?:[ \t]*{DOTTED})*"
    table = {"match": rf"(,)\s*({PLAIN})", "captures": {"1": _COMMA, "2": named(TokenType.LABEL)}}
    return [
        instruction(f"call{END}", [*context("comments", "arguments"), *_callee(), *context("marks")]),
        instruction(f"bra{END}", [plain_names(TokenType.LABEL, PLAIN), *anything]),
        instruction(rf"brx\.idx{END}", [table, *anything]),
        region(
            rf"{START}(ld|st)({of_param})",
            looks,
            [enclosed("brackets", [plain_names(TokenType.PARAMETER, PLAIN), *anything]), *anything],
        ),
        instruction(f"(?:{one_of(words.opcode_names())}){WORD_ENDS}", anything),
        region(rf"{START}{NAME}{_MORE}", [qualifiers], anything),  # an opcode that nobody knows, and its operands
    ]


def _callee() -> list[Rule]:
    """What is called: a function, or a register and behind the arguments a prototype or a list of functions."""
    rest = [*context("comments", "arguments"), plain_names(TokenType.LABEL, PLAIN), *context("marks")]
    end = rf"(?=[;}}])|{NEXT}"
    return [
        region(rf"{START}({PLAIN})", [named(TokenType.FUNCTION)], rest, end),
        region(rf"({REGISTER})", [named(TokenType.REGISTER)], rest, end),
    ]


# -------------------------------------------------------------------- directives


def _directives() -> list[Rule]:
    """What begins with a dot. Those with names in them are regions, of all others each word stands for itself."""
    labels, functions = plain_names(TokenType.LABEL, PLAIN), plain_names(TokenType.FUNCTION, NAME)
    spaces = [word for word in words.spaces() if word not in (".reg", ".param")]
    options = f"{START}(?:{one_of((*words.targets(), *words.target_options()))}){END}"
    parts = f"{START}(?:{one_of(words.directive_words())}){END}"
    head = _directive(".entry", ".func", patterns=context("comments", "parameters", "dotted", "numbers", "marks"))
    inlining = {
        "match": rf"{START}(function_name){END}\s+(?:({NAME})|({DOTTED}))",
        "captures": {"1": named(TokenType.DIRECTIVE), "2": named(TokenType.LABEL), "3": named(TokenType.SECTION)},
    }
    distance = match(rf"{START}{PLAIN}(?=\s*-)|(?<=-){PLAIN}", TokenType.LABEL)
    of_data = [
        distance,
        comma(),
        *context("labels", "names", "comments", "constants", "numbers", "strings", "sections", "marks"),
    ]
    section = {
        "match": rf"(\.section){WORD_ENDS}\s+({DOTTED})",
        "captures": {"1": named(TokenType.DIRECTIVE), "2": named(TokenType.SECTION)},
    }
    return [
        match(options, TokenType.CONSTANT),
        {
            **head,
            "end": rf"{NEXT}|(?=[;{{}}])|{START}({NAME})",
            "endCaptures": {"1": named(TokenType.FUNCTION)},
        },
        _directive(".callprototype", patterns=context("comments", "parameters", "sink", "dotted", "numbers", "marks")),
        _directive(".branchtargets", patterns=[labels, *context("comments", "numbers", "marks")]),
        _directive(".calltargets", ".alias", patterns=[functions, *context("comments", "numbers", "marks")]),
        region(
            rf"(\.reg)\s+(\.pred){WORD_ENDS}",
            [named(TokenType.SPACE), named(TokenType.TYPE)],
            _registers(TokenType.PREDICATE),
        ),
        _directive(".reg", patterns=_registers(TokenType.REGISTER), kind=TokenType.SPACE),
        _directive(".param", patterns=_variables(TokenType.PARAMETER), kind=TokenType.SPACE),
        _directive(*spaces, patterns=_variables(TokenType.VARIABLE), kind=TokenType.SPACE),
        inlining,
        match(parts, TokenType.DIRECTIVE),
        _directive(*words.data_types(), patterns=of_data, end=LINE_ENDS, kind=TokenType.TYPE),
        _directive(*words.directives()["data"], patterns=of_data, end=LINE_ENDS),
        section,
        match("@@DWARF", TokenType.DIRECTIVE),
        *context("parameters", "dotted"),
    ]


def _directive(*names: str, patterns: list[Rule], end: str = CLOSED, kind: TokenType = TokenType.DIRECTIVE) -> Rule:
    return region(rf"({one_of(names)}){WORD_ENDS}", [named(kind)], patterns, end)


def _registers(kind: TokenType) -> list[Rule]:
    """What stands in a declaration of registers."""
    return [*context("comments", "dotted", "numbers", "constants"), plain_names(kind, NAME), *context("marks")]


def _variables(kind: TokenType) -> list[Rule]:
    """What stands in a declaration of variables behind the state space."""
    fields, values = one_of(words.opaque_fields()), one_of(words.opaque_values())
    first_values = [
        match(rf"{START}(?:{fields}){END}(?=\s*=)", TokenType.PROPERTY),
        match(f"{START}(?:{values}){END}", TokenType.CONSTANT),
        *context("initial", "names", "marks"),
    ]
    unknown = {"name": "variable.other.ptx"}
    first = [
        {"match": rf"({mark})\s*(?!generic\b)({PLAIN})", "captures": {"1": {"name": f"{name}.ptx"}, "2": unknown}}
        for mark, name in (("=", "keyword.operator"), (r"\(", "punctuation.section.parens.begin"))
    ]
    return [
        *context("comments", "dotted"),
        *first,
        *context("initial"),
        enclosed("braces", [*first_values[:2], {"include": "#braces"}, *first_values[2:]], NEXT_IN_BRACES),
        plain_names(kind, PLAIN),
        *context("marks"),
    ]


def _parameters() -> Rule:
    """A list of parameters: names are registers behind ``.reg`` only."""
    of_register = region(
        rf"(\.reg){WORD_ENDS}",
        [named(TokenType.SPACE)],
        [*context("dotted", "comments", "numbers"), plain_names(TokenType.REGISTER, NAME), *context("marks")],
        "(?=[,);{}])",
    )
    return enclosed(
        "parens",
        [
            of_register,
            *context("comments", "parameters", "dotted", "numbers", "sink", "constants"),
            match(REGISTER, TokenType.REGISTER),
            plain_names(TokenType.PARAMETER, PLAIN),
            *context("marks"),
        ],
        # Each parameter stands on a line of its own and begins with a dot.
        next_line=r"^(?=\s*\{)",
    )


def _dotted() -> list[Rule]:
    """Words with dots that are not behind an opcode."""
    lists = {
        TokenType.TYPE: words.types(),
        TokenType.SPACE: words.spaces(),
        TokenType.SHAPE: words.qualifiers("shape"),
        TokenType.DIRECTIVE: words.all_directives(),
    }
    return [match(f"(?:{one_of(listed)}){WORD_ENDS}", kind) for kind, listed in lists.items()]
