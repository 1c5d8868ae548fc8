"""What VS Code must know of PTX to edit it without a server: comments, brackets, words, indentation.

Source: VS Code, "Language Configuration Guide".
"""

from __future__ import annotations

import json
from pathlib import Path

from editors.generate import words
from editors.generate.patterns import END, NAME, START, one_of
from editors.generate.rules import Rule

_LABEL = r"^\s*[A-Za-z_$%][\w$]*\s*:\s*(?://.*)?$"
"""A label on a line of its own."""
_OPENED = r"^(?:(?!//).)*?(?:\{[^{}]*|\([^()]*)$"
"""A line that leaves a brace or parenthesis open; not in a comment."""


def files() -> dict[Path, str]:
    """The language configuration."""
    return {Path("vscode/language-configuration.json"): json.dumps(_configuration(), indent=2) + "\n"}


def _configuration() -> Rule:
    pairs = [["{", "}"], ["[", "]"], ["(", ")"]]
    return {
        "comments": {"lineComment": "//", "blockComment": ["/*", "*/"]},
        "brackets": pairs,
        "colorizedBracketPairs": pairs,
        "autoClosingPairs": [
            *({"open": begin, "close": end, "notIn": ["string", "comment"]} for begin, end in pairs),
            {"open": '"', "close": '"', "notIn": ["string", "comment"]},
            {"open": "/*", "close": " */", "notIn": ["string", "comment"]},
        ],
        "surroundingPairs": [*pairs, ['"', '"']],
        "folding": {"markers": {"start": r"^\s*//\s*#?region\b", "end": r"^\s*//\s*#?endregion\b"}},
        "wordPattern": _word(),
        # A label stands where the braces of its block stand, and what follows is indented again.
        "indentationRules": {
            "increaseIndentPattern": f"{_OPENED}|{_LABEL}",
            "decreaseIndentPattern": rf"^\s*[}})]|{_LABEL}",
        },
        "onEnterRules": [
            # A comment that is broken in two goes on; behind its end a new line is no comment.
            {"beforeText": r"//.*\S", "afterText": r"^\S", "action": {"indent": "none", "appendText": "// "}},
            {"beforeText": r"//.*\S", "afterText": r"^\s+\S", "action": {"indent": "none", "appendText": "//"}},
            {
                "beforeText": r"^\s*/\*\*(?:(?!\*/).)*$",
                "afterText": r"^\s*\*/$",
                "action": {"indent": "indentOutdent", "appendText": " * "},
            },
            {
                "beforeText": r"^\s*/\*\*(?:(?!\*/).)*$",
                "action": {"indent": "none", "appendText": " * "},
            },
        ],
    }


def _word() -> str:
    """A word: ``%r1``, ``$L__BB0_1``, ``cp.async`` (the name of an instruction), ``.global``, ``0f3F800000``, ``1.5``.

    The server says itself what a completion replaces; behind ``ld`` that is the qualifier with its dot, as here.
    """
    names = [name for name in words.opcode_names() if "." in name]
    dotted = r"\.[A-Za-z_]\w*(?:::\w+(?::[0-9]\w*)?)*|\.[0-9]+[A-Za-z_]\w*"
    number = r"(?<![\w$])[0-9][\w$]*(?:\.[0-9][\w$]*)?"
    return rf"{START}(?:{one_of(names)}){END}(?!::)|{NAME}|{dotted}|{number}"
