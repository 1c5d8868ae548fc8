"""Literals, comments and brackets of C++, as regular expressions that take linear time on any text."""

from __future__ import annotations

import re
from collections.abc import Generator

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion

LITERAL = r'"[^"\\\n]*+(?:\\(?:\r?\n|[^\n]|\Z)[^"\\\n]*+)*+(?:"|(?=\n)|\Z)'
"""A literal; without its closing mark it ends with the line."""
LINE_COMMENT = r"//[^\n]*+(?:(?:(?<=\\)|(?<=\\\r))\n[^\n]*+)*+"
BLOCK_COMMENT = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+"
CHARACTER = r"'(?:[^'\\\n]|\\[^\n]){1,12}+'"
GAP = rf"(?:\s++|\\\r?\n|{LINE_COMMENT}|{BLOCK_COMMENT})*+"
"""White space, comments and line splices."""

_RAW = re.compile(r'R"([^()\\\s"]{0,16})\(')
_PLAIN = r"""(?:[^(){};"'/#R]++|R(?!")|/(?![/*])|%s)""" % LITERAL  # noqa: UP031 (braces)
_FLAT = rf"\({_PLAIN}*+\)"
_NESTED = rf"\((?:{_PLAIN}|{_FLAT})*+\)"
_SKIP = re.compile(rf"(?:{_PLAIN}|\((?:{_PLAIN}|{_NESTED})*+\)|{LINE_COMMENT}|{BLOCK_COMMENT})*+")
_CHARACTER = re.compile(CHARACTER)
_DIRECTIVE = re.compile(r"#[ \t]*(\w*)[^\n]*+(?:(?:(?<=\\)|(?<=\\\r))\n[^\n]*+)*+")
_WORD_BEFORE = re.compile(r"(?<![\w])(?:u8|[uUL])?\Z")


_IN_A_STEP = 4096


class Extent(NamedTuple):
    """The end of something in parentheses."""

    end: int
    """The offset after the closing parenthesis, or of the place at which it is missing."""
    is_closed: bool


def raw_literal(text: str, at: int, limit: int) -> tuple[int, int, int] | None:
    """The start and end of the contents of a raw literal, and its end, if its ``R`` stands at ``at``."""
    found = _RAW.match(text, at, limit)
    if found is None or _WORD_BEFORE.search(text, max(0, at - 3), at) is None:
        return None
    closing = f'){found[1]}"'
    end = text.find(closing, found.end(), limit)
    return (found.end(), limit, limit) if end < 0 else (found.end(), end, end + len(closing))


def is_line_start(text: str, at: int) -> bool:
    """Whether only blanks stand before ``at`` in its line."""
    while at and text[at - 1] in " \t":
        at -= 1
    return at == 0 or text[at - 1] == "\n"


def closing_parenthesis(text: str, at: int, limit: int) -> Extent:
    """The end of the parenthesis that opens before ``at``.

    It is missing at a semicolon or closing brace of an outer statement, at a directive of an outer ``#if``, and at
    ``limit``.
    """
    return run_to_completion(finding_parenthesis(text, at, limit))


def finding_parenthesis(text: str, at: int, limit: int) -> Generator[None, None, Extent]:
    """:func:`closing_parenthesis` in steps of some thousand signs."""
    depth, braces, conditions, count = 1, 0, 0, 0
    while True:
        count += 1
        if not count % _IN_A_STEP:
            yield
        found = _SKIP.match(text, at, limit)
        at = found.end() if found is not None else at
        if at >= limit:
            return Extent(limit, False)
        sign = text[at]
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if not depth:
                return Extent(at + 1, True)
        elif sign == "{":
            braces += 1
        elif sign in "};":
            if not braces:
                return Extent(at, False)
            braces -= sign == "}"
        elif sign == "#" and is_line_start(text, at):
            directive = _DIRECTIVE.match(text, at, limit)
            assert directive is not None
            word = directive[1]
            conditions += word.startswith("if") - (word == "endif")
            if conditions < 0 or (not conditions and word.startswith("el")) or word in ("define", "include"):
                return Extent(at, False)
            at = directive.end()
            continue
        elif sign == "R" and (raw := raw_literal(text, at, limit)) is not None:
            at = raw[2]
            continue
        elif sign == "'" and not text[at - 1].isalnum() and (character := _CHARACTER.match(text, at, limit)):
            at = character.end()
            continue
        at += 1
