"""The tokens of PTX and what stands between an opcode and its ``;``, as rules of a TextMate grammar."""

from __future__ import annotations

from editors.generate import words
from editors.generate.patterns import (
    DOTTED,
    END,
    MALFORMED,
    NUMBER_END,
    NUMBERS,
    PLAIN,
    REGISTER,
    START,
    WORD,
    one_of,
)
from editors.generate.rules import NEXT_IN_BRACES, WORD_ENDS, Rule, context, enclosed, mark, match, named, plain_names
from ptx_lsp.features.semantic_tokens.legend import TokenType
from ptx_lsp.features.semantic_tokens.word_classes import ROLES


def tokens() -> dict[str, list[Rule]]:
    """Lists of rules by their names in the repository: what may stand in any statement."""
    numbers = [match(f"{START}(?:{pattern}){NUMBER_END}", TokenType.NUMBER, name) for name, pattern in NUMBERS.items()]
    return {
        "comments": [
            # As a region it costs nothing to look for: a long line may hold "*//*" again and again.
            {"begin": "//", "end": "$", "name": "comment.line.double-slash.ptx"},
            {"begin": r"/\*", "end": r"\*/", "name": "comment.block.ptx"},
            match(r'#[ \t]*(?:line[ \t]+)?[0-9]+[ \t]+"[^"]*".*$', TokenType.DIRECTIVE, "line-marker"),
        ],
        "numbers": [*numbers, mark(f"{START}{MALFORMED}", "invalid.illegal.number")],
        "strings": [match('"[^"]*"', TokenType.STRING), mark('"[^"]*$', "invalid.illegal.string")],
        "marks": [
            mark(",", "punctuation.separator.comma"),
            mark(";", "punctuation.terminator.statement"),
            mark(":", "punctuation.separator.colon"),
            mark(r"\{", "punctuation.section.block.begin"),
            mark(r"\}", "punctuation.section.block.end"),
            mark(r"\[", "punctuation.section.brackets.begin"),
            mark(r"\]", "punctuation.section.brackets.end"),
            mark(r"\(", "punctuation.section.parens.begin"),
            mark(r"\)", "punctuation.section.parens.end"),
            mark(r"<<|>>|<=|>=|==|!=|&&|\|\||[+\-*/%=?~&^!|<>]", "keyword.operator"),
        ],
        "constants": [match(f"{START}(?:{one_of(words.constants())}){END}", TokenType.CONSTANT)],
        "sections": [match(DOTTED, TokenType.SECTION)],
        "labels": [match(rf"\$L{WORD}*", TokenType.LABEL)],  # as NVIDIA's compiler names them
        # A register, a variable or a function: only its declaration tells.
        "names": [mark(START + PLAIN, "variable.other")],
        "sink": [mark(f"{START}_{END}", "variable.language.anonymous")],
    }


def operands() -> dict[str, list[Rule]]:
    """Lists of rules by their names in the repository: what stands behind an opcode, or in a first value."""
    return {
        "qualifiers": _qualifiers(),
        "registers": _registers(),
        "operands": [
            *context("comments", "registers", "numbers", "constants", "sink"),
            *context("labels", "names"),
            match(rf"(?<=[A-Za-z0-9_$\]]){DOTTED}", TokenType.PROPERTY),
            *context("cast"),
            enclosed("braces", context("operands"), NEXT_IN_BRACES),
            *context("strings", "marks"),
        ],
        "cast": [
            {
                "match": rf"(\()\s*({one_of(words.types())})\s*(\))",
                "captures": {
                    "1": {"name": "punctuation.section.parens.begin.ptx"},
                    "2": named(TokenType.TYPE),
                    "3": {"name": "punctuation.section.parens.end.ptx"},
                },
            }
        ],
        "arguments": [
            enclosed(
                "parens",
                [
                    *context("comments", "registers", "numbers", "constants", "sink"),
                    plain_names(TokenType.PARAMETER, PLAIN),
                    *context("marks"),
                ],
            )
        ],
        "initial": [
            *context("comments", "numbers", "strings", "constants", "cast"),
            match(rf"{START}generic{END}(?=\s*\()", TokenType.DIRECTIVE),
        ],
        "braces": [enclosed("braces", context("initial", "braces", "names", "marks"), NEXT_IN_BRACES)],
    }


def _qualifiers() -> list[Rule]:
    """The words behind an opcode. What none of the lists has stays plain, as a misspelt opcode does."""
    lists = {TokenType.TYPE: words.types(), TokenType.SPACE: words.spaces()}
    lists |= {kind: words.qualifiers(role) for role, kind in ROLES.items()}
    return [match(f"(?:{one_of(listed)}){WORD_ENDS}", kind) for kind, listed in lists.items()]


def _registers() -> list[Rule]:
    special = one_of(words.special_registers())
    return [
        {
            "match": rf"((?:{special}){END})(\.[xyzw]{END})?",
            "captures": {"1": named(TokenType.SPECIAL), "2": named(TokenType.PROPERTY)},
        },
        match(rf"%p[0-9]+{END}", TokenType.PREDICATE),  # as NVIDIA's compiler and most people name them
        match(REGISTER, TokenType.REGISTER),
    ]
