"""Strings, comments and brackets of Rust, also of text that is half typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.hosts.literals import escaped_pieces
from ptx_lsp.hosts.site import Piece, PieceKind
from ptx_lsp.named_tuples import NamedTuple

_CALL = r"(?<!\w)asm!\s*+[(\[{]"
_TOKEN = re.compile(
    r"//[^\n]*+|(?P<comment>/\*)|(?<!\w)(?:[bc]?r)(?P<hashes>#*+)\""
    r'|(?P<plain>(?:(?<!\w)[bc])?"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+(?P<quote>"|\\?\Z))'
    r"|'(?:\\[^\n][^\n']{0,10}|[^\\'\n])'"
    rf"|(?P<call>{_CALL})"
)
_INNER_TOKEN = re.compile(_TOKEN.pattern + r"|(?P<sign>[()\[\]{},;])")
_COMMENT_MARK = re.compile(r"/\*|\*/")
_ESCAPE = re.compile(
    r"\\(?:(?P<splice>\r?\n\s*+)|x(?P<hex>[\da-fA-F]{2})|u\{(?P<long>[\da-fA-F_]{1,8})\}|(?P<sign>[\s\S])|\Z)"
)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


class RustToken(NamedTuple):
    """A comment, a literal, the beginning of a call, or a bracket or sign."""

    kind: str
    """``comment``, ``string``, ``other`` (a character), ``call``, or the sign."""
    start: int
    end: int
    contents: int
    """Of a string: the offset after its first quotation mark."""
    contents_end: int
    is_raw: bool
    is_closed: bool


def rust_tokens(text: str, at: int, end: int, *, has_signs: bool) -> Iterator[RustToken]:
    """The tokens from an offset on; with the signs ``()[]{},;``, or without. What is not closed ends with the text."""
    new, search = tuple.__new__, (_INNER_TOKEN if has_signs else _TOKEN).search
    while (found := search(text, at, end)) is not None:
        if found.lastgroup == "sign":
            start, at = found.span()
            yield new(RustToken, (text[start], start, at, at, at, False, True))  # the constructor takes twice as long
        else:
            token = _token(text, found, end)
            yield token
            at = token.end


def _token(text: str, found: re.Match[str], limit: int) -> RustToken:
    start, end = found.span()
    kind = found.lastgroup
    if kind == "comment":
        end = _comment_end(text, end, limit)
    elif kind == "hashes":
        mark = '"' + found["hashes"]
        close = text.find(mark, end, limit)
        if close < 0:
            return RustToken("string", start, limit, end, limit, True, False)
        return RustToken("string", start, close + len(mark), end, close, True, True)
    elif kind in ("quote", "plain"):
        is_closed = found["quote"] == '"'
        contents = text.index('"', start) + 1
        return RustToken("string", start, end, contents, end - is_closed, False, is_closed)
    elif kind == "call":
        return RustToken("call", start, end, end, end, False, True)
    is_comment = kind == "comment" or found[0].startswith("//")
    return RustToken("comment" if is_comment else "other", start, end, end, end, False, True)


def _comment_end(text: str, at: int, limit: int) -> int:
    """The end of a comment, which can contain others."""
    depth = 1
    for mark in _COMMENT_MARK.finditer(text, at, limit):
        depth += 1 if mark[0] == "/*" else -1
        if not depth:
            return mark.end()
    return limit


def rust_pieces(text: str, literal: RustToken) -> list[Piece]:
    """The pieces of the contents of a string."""
    start, end = literal.contents, literal.contents_end
    if literal.is_raw or text.find("\\", start, end) < 0:
        return [Piece(start, end, text[start:end], PieceKind.VERBATIM)]
    return list(escaped_pieces(text, start, end, _ESCAPE, _meaning))


def _meaning(escape: re.Match[str]) -> str:
    kind = escape.lastgroup
    if kind == "splice":
        return ""
    if kind is None:
        return escape[0]
    if kind == "sign":
        return _SIGNS.get(escape["sign"], escape["sign"])
    number = int(escape[kind].replace("_", "") or "0", 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
