"""Strings, comments and brackets of Python, and where they end, also of text that is half typed."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from ptx_lsp.hosts.literals import escaped_pieces
from ptx_lsp.hosts.site import Piece, PieceKind
from ptx_lsp.named_tuples import NamedTuple

_PREFIX = re.compile(r"(?<![\w])(?:[rR][bBfFtT]?|[bBfFtT][rR]?|[uU])?\Z")
TOKEN = re.compile(
    r'#[^\n]*+|"""[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*+(?:"""|\Z|\\\Z)'
    r"|'''[^'\\]*+(?:(?:\\[\s\S]|'(?!''))[^'\\]*+)*+(?:'''|\Z|\\\Z)"
    r'|"[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+(?:"|(?=\n)|\\?\Z)'
    r"|'[^'\\\n]*+(?:\\[\s\S][^'\\\n]*+)*+(?:'|(?=\n)|\\?\Z)"
)
"""A comment or a string from its first quotation mark on; without its last mark it ends with the line or the text."""
BRACKET_TOKEN = re.compile(TOKEN.pattern + r"|\(|\[|\{|\)|\]|\}|,|\n[ \t]*")
_ESCAPE = re.compile(
    r"\\(?:(?P<splice>\r?\n)|(?P<octal>[0-7]{1,3})|x(?P<hex>[\da-fA-F]{2})|u(?P<short>[\da-fA-F]{4})"
    r"|U(?P<long>[\da-fA-F]{8})|N\{[^{}\n]*\}|(?P<sign>[\s\S])|\Z)"
)
STATEMENT = re.compile(
    r"(?:def|class|return|import|with|try|raise|assert|while|pass|break|continue|del|global|fn|struct|trait|var|comptime"
    r"|alias|@\w+)\b|\w+\s=\s"
)
_TOKENS_IN_A_STEP = 512
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_BRACES = re.compile(r"\{\{|\}\}|\{")
_INNER_BRACE = re.compile(r"[{}]")


class StringLiteral(NamedTuple):
    """A string of Python."""

    start: int
    """The offset of its prefix."""
    contents: int
    contents_end: int
    end: int
    prefix: str
    """In lower case: ``rf``."""
    is_closed: bool


def string_at(text: str, token: re.Match[str]) -> StringLiteral | None:
    """The string of a token; None for a comment."""
    start, end = token.span()
    mark = text[start]
    if mark not in "\"'":
        return None
    prefix = _PREFIX.search(text, max(0, start - 3), start)
    quotes = mark * 3 if text.startswith(mark * 3, start) and end - start >= 3 else mark
    is_closed = _closed(text, start, end, quotes)
    begin = prefix.start() if prefix is not None else start
    inner = start + len(quotes)
    return StringLiteral(
        begin, inner, end - len(quotes) if is_closed else end, end, text[begin:start].lower(), is_closed
    )


def _closed(text: str, start: int, end: int, quotes: str) -> bool:
    if end - start < 2 * len(quotes) or text[end - len(quotes) : end] != quotes:
        return False
    slashes = 0
    at = end - len(quotes) - 1
    while at >= start and text[at] == "\\":
        slashes += 1
        at -= 1
    return slashes % 2 == 0


def string_pieces(text: str, literal: StringLiteral, *, has_fields: bool = False) -> list[Piece]:
    """The pieces of the contents of a string; the fields of an f-string, or of one that is formatted, are holes."""
    return list(pieces_of_string(text, literal, has_fields=has_fields))


def pieces_of_string(text: str, literal: StringLiteral, *, has_fields: bool = False) -> Iterator[Piece]:
    """:func:`string_pieces`, one after another."""
    has_fields = has_fields or "f" in literal.prefix or "t" in literal.prefix
    at = literal.contents
    while has_fields and (brace := _BRACES.search(text, at, literal.contents_end)) is not None:
        if brace[0] == "{":
            end = _field_end(text, brace.end(), literal.contents_end)
            new = Piece(brace.start(), end, "", PieceKind.HOLE)
        else:
            new = Piece(*brace.span(), brace[0][0], PieceKind.ESCAPE)
        yield from _plain_pieces(text, literal, at, brace.start())
        yield new
        at = new.end
    yield from _plain_pieces(text, literal, at, literal.contents_end)
    if literal.contents == literal.contents_end:
        yield Piece(literal.contents, literal.contents, "", PieceKind.VERBATIM)


def _field_end(text: str, at: int, limit: int) -> int:
    depth = 1
    for brace in _INNER_BRACE.finditer(text, at, limit):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return limit


def _plain_pieces(text: str, literal: StringLiteral, start: int, end: int) -> Iterator[Piece]:
    if start >= end:
        return
    if "r" in literal.prefix or text.find("\\", start, end) < 0:
        yield Piece(start, end, text[start:end], PieceKind.VERBATIM)
    else:
        yield from escaped_pieces(text, start, end, _ESCAPE, _meaning)


def _meaning(escape: re.Match[str]) -> str:
    kind = escape.lastgroup
    if kind == "splice":
        return ""
    if kind is None:
        return "\ufffd" if escape[0].startswith("\\N") else escape[0]
    if kind == "sign":
        return _SIGNS.get(escape["sign"], escape[0])
    number = int(escape[kind], 8 if kind == "octal" else 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


class CallExtent(NamedTuple):
    """A call up to its closing parenthesis."""

    end: int
    is_closed: bool
    looked_at: int
    """The end of the text that decides it."""


def indentation(text: str, at: int) -> int:
    """The width of the white space at the start of the line of an offset; 0 in a very long line."""
    floor = max(0, at - _LONGEST_LINE)
    line = text.rfind("\n", floor, at) + 1
    if not line and floor:
        return 0
    return len(text[line:at]) - len(text[line:at].lstrip(" \t"))


_LONGEST_LINE = 1000
"""Characters before a call."""


def finding_extent(text: str, at: int, statements: re.Pattern[str] = STATEMENT) -> Generator[None, None, CallExtent]:
    """The end of the bracket that opens before ``at``, at the latest before a line that begins one of some statements.

    Such a line is not indented more than that of the bracket.
    """
    most = indentation(text, at)
    depth = 1
    for number, token in enumerate(BRACKET_TOKEN.finditer(text, at), 1):
        if not number % _TOKENS_IN_A_STEP:
            yield
        sign = token[0][0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if not depth:
                return CallExtent(token.end(), True, token.end())
        elif (
            sign == "\n"
            and token.end() - token.start() - 1 <= most
            and (statement := statements.match(text, token.end())) is not None
        ):
            return CallExtent(token.start(), False, statement.end() + 1)
    return CallExtent(len(text), False, len(text))
