"""The characters of string literals: pieces of a template for the contents of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ptx_lsp.hosts.site import Piece, PieceKind

_ESCAPE = re.compile(
    r"\\(?:(?P<splice>\r?\n)|(?P<octal>[0-7]{1,3})|x(?P<hex>[\da-fA-F]+)|u(?P<short>[\da-fA-F]{4})"
    r"|U(?P<long>[\da-fA-F]{8})|(?P<sign>[\s\S])|\Z)"
)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def literal_pieces(text: str, start: int, end: int) -> list[Piece]:
    """The pieces of the contents ``[start, end)`` of a literal with C's escapes. An empty literal is an empty piece."""
    if text.find("\\", start, end) < 0:
        return [Piece(start, end, text[start:end], PieceKind.VERBATIM)]
    return list(escaped_pieces(text, start, end, _ESCAPE, escaped_character))


def escaped_pieces(
    text: str, start: int, end: int, escapes: re.Pattern[str], meaning_of: Callable[[re.Match[str]], str]
) -> Iterator[Piece]:
    """The pieces of ``[start, end)`` by the escapes of a language; one that means nothing joins what is around it."""
    new, verbatim, escaped, nothing = tuple.__new__, PieceKind.VERBATIM, PieceKind.ESCAPE, PieceKind.JOIN
    at = start
    for escape in escapes.finditer(text, start, end):
        first, last = escape.span()
        if at < first:
            yield new(Piece, (at, first, text[at:first], verbatim))  # the constructor takes twice as long
        meaning = meaning_of(escape)
        yield new(Piece, (first, last, meaning, escaped if meaning else nothing))
        at = last
    if at < end:
        yield new(Piece, (at, end, text[at:end], verbatim))


def escaped_character(escape: re.Match[str]) -> str:
    """The character that an escape means; empty for a line splice, and the escape itself where it is malformed."""
    kind = escape.lastgroup
    if kind == "sign":
        sign = escape["sign"]
        return _SIGNS.get(sign, sign)
    if kind == "splice":
        return ""
    if kind is None:
        return escape[0]
    number = int(escape[kind], 8 if kind == "octal" else 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
