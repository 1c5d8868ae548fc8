"""Rules of TextMate grammars, and where statements of PTX end in them."""

from __future__ import annotations

from typing import Any

from editors.generate import words
from editors.generate.patterns import END, NAME, START, one_of
from editors.generate.scopes import SCOPES
from ptx_lsp.features.semantic_tokens.legend import TokenType

Rule = dict[str, Any]

WORD_ENDS = rf"{END}(?!::)"
"""Behind a word with a dot, so that ``.shared`` is none in ``.shared::cta``."""


def _next(first: str) -> str:
    """The beginning of a line that begins a statement, whatever is open. A line of arguments is none: ``vprintf,``."""
    opcode = rf"(?:{one_of(words.mnemonics())})(?:\.[a-z]|\s*;|[ \t]+[%{{\[_\"0-9@|$])"
    return rf"^(?=\s*(?:{first}|\.[a-zA-Z]|{NAME}\s*:(?!:)|{opcode}))"


NEXT = _next("[@}]")
NEXT_IN_BRACES = _next("@")
CLOSED = rf"(;)|(?=\}})|{NEXT}"
LINE_ENDS = rf"$|(?=[{{}};])|{NEXT}"
"""Where a directive without ``;`` ends: with its line, unless that ends with a comma; see :func:`comma`."""

_SEMICOLON = {"1": {"name": "punctuation.terminator.statement.ptx"}}


def scope(kind: TokenType, more: str = "") -> str:
    """The scope of a type of token, with a word more before the language's name."""
    found = SCOPES[kind]
    return f"{found.removesuffix('.ptx')}.{more}.ptx" if more else found


def named(kind: TokenType, more: str = "") -> Rule:
    """How a group looks."""
    return {"name": scope(kind, more)}


def match(pattern: str, kind: TokenType, more: str = "") -> Rule:
    """What ``pattern`` finds looks as this type of token."""
    return {"match": pattern, "name": scope(kind, more)}


def mark(pattern: str, name: str) -> Rule:
    """What ``pattern`` finds has the scope ``name``."""
    return {"match": pattern, "name": f"{name}.ptx"}


def context(*names: str) -> list[Rule]:
    """The rules of the repository under these names."""
    return [{"include": f"#{name}"} for name in names]


def region(begin: str, captures: list[Rule], patterns: list[Rule], end: str = CLOSED) -> Rule:
    """From ``begin``, whose groups look as ``captures`` say, to ``end``, by default the end of a statement."""
    return {
        "begin": begin,
        "beginCaptures": {str(number): look for number, look in enumerate(captures, 1)},
        "end": end,
        **({"endCaptures": _SEMICOLON} if end == CLOSED else {}),
        "patterns": patterns,
    }


def comma() -> Rule:
    """A comma and what is before the next word, if it is lines and comments."""
    return {
        "begin": ",",
        "beginCaptures": {"0": {"name": "punctuation.separator.comma.ptx"}},
        "end": rf"(?=[^\s/])|{NEXT}",
        "patterns": context("comments"),
    }


def enclosed(what: str, patterns: list[Rule], next_line: str = NEXT) -> Rule:
    """From one of a pair of ``braces``, ``brackets`` or ``parens`` to the other, or to what ends the statement."""
    begin, end, stops = {"braces": ("{", "}", ";"), "brackets": ("[", "]", ";}"), "parens": ("(", ")", ";}")}[what]
    return {
        "begin": rf"\{begin}",
        "beginCaptures": {"0": {"name": f"punctuation.section.{what}.begin.ptx"}},
        "end": rf"(\{end})|(?=[{stops}])|{next_line}",
        "endCaptures": {"1": {"name": f"punctuation.section.{what}.end.ptx"}},
        "patterns": patterns,
    }


def plain_names(kind: TokenType, name: str) -> Rule:
    """Names of this look are of this kind."""
    return match(START + name, kind)
