"""Tokenizer for one statement.

The lexical rules are those of ptxas where they differ from chapter "Syntax" of the
manual: a name may be a lone ``_`` (the sink), ``1.`` and ``.5``
are floats, ``1%2`` is a number and the name ``%2``, ``4.b32`` is a malformed number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from itertools import accumulate

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax import raw
from ptx_lsp.syntax.trivia import BLANKS, STRAY, TRIVIA, TRIVIUM, mask_open_comments, trivia_length


class TokenKind(IntEnum):
    """The kind of a token; the values are the group numbers of the regular expression, with those of errors last."""

    NAME = 2  # foo %r1 $L__BB0_1 _
    DOT = 3  # .u32 .shared::cta .sp::2:4
    INTEGER = 4  # 0 017 0x1F 0b1 42U
    FLOAT = 5  # 1.0 .5 1e-3 0f3F800000 0d3FF0000000000000
    STRING = 6  # "nounroll"
    MARK = 7  # , ; ( << @@ and a dot without a word
    MALFORMED = 8  # 12abc 08 0x 1.2.3 0f3F
    UNCLOSED = 9  # an unterminated string, to the end of the line
    STRAY = 10  # characters that are not in the PTX alphabet


class Token(NamedTuple):
    """A token: its kind and its span ``[start, end)`` in the statement's text."""

    kind: TokenKind
    start: int
    end: int


_NAME = r"[A-Za-z][\w$]*+|[_%$][\w$]++|_"
_PARTS = r"(?:::\w++(?::\d\w*+)*+)*+"
_DOT = rf"\.(?:[A-Za-z_]\w*+|\d++[A-Za-z_]\w*+){_PARTS}"
_INTEGER = r"(?:0[xX][0-9a-fA-F]++U?|0[bB][01]++U?|0[0-7]*+U?|[1-9]\d*+U?)(?![\w$.])"
_EXPONENT = r"[eE][+-]?\d++"
_FLOAT = (
    rf"(?:\d++\.\d*+(?:{_EXPONENT})?+|\d++{_EXPONENT}|\.\d++(?:{_EXPONENT})?+"
    r"|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16})(?![\w$.])"
)
_MARK = r"<<|>>|<=|>=|==|!=|&&|\|\||::|@@|[,;{}()\[\]<>@!|+\-*/%=:?~&^.\\]"
_ALTERNATIVES = (
    _NAME,
    rf"(?!\.\d++(?:{_EXPONENT})?+(?![\w$.])){_DOT}",  # `.5` and `.5e3` are floats, `.2d` is a qualifier
    _INTEGER,
    _FLOAT,
    r'"[^"\n]*+"',
    rf"(?!\.\d){_MARK}",
    r"\.?\d[\w$.]*+",
    r'"[^\n]*+',
    rf"{STRAY}|[\s\S]",
)
"""The patterns of tokens, in the order of :class:`TokenKind`."""
_TOKEN = compile_pattern("|".join(f"({one})" for one in (TRIVIUM, *_ALTERNATIVES)), re.ASCII)
_SCAN, _SCAN_ONE = _TOKEN.finditer, _TOKEN.match
_COMMON = rf"\.[A-Za-z_]\w*+{_PARTS}|[,;{{}}()\[\]]|[A-Za-z][\w$]*+|[%$_][\w$]++|[1-9]\d*+(?![\w$.])"
"""Most tokens, which differ from others in their first characters: an expression that begins with these is faster."""
_WORD = compile_pattern(rf"{TRIVIA}({_COMMON}|{'|'.join(_ALTERNATIVES)}|\Z)", re.ASCII)
_WORD_AFTER_BLANKS = compile_pattern(rf"(?:{BLANKS})?+({_COMMON}|{'|'.join(_ALTERNATIVES)}|\Z)", re.ASCII)
"""For texts without comments and line markers."""
_KINDS = tuple(TokenKind(max(number, 2)) for number in range(11))


MAX_INSTRUCTION_LENGTH = 1 << 15
"""Maximum length of an instruction; longer ones are not read."""
MAX_DIRECTIVE_LENGTH = 1 << 20
"""Maximum length of a directive; a longer declaration with an initializer is read up to its ``=``."""
MAX_NESTING = 5000
"""Maximum depth of brackets in a directive that is longer than an instruction may be; a declaration with deeper ones is
read up to its ``=`` too. ptxas reads some thousand levels, and then says that its memory is exhausted."""


class Readable(NamedTuple):
    """The part of a statement that is read; ``whole`` if its structure is complete."""

    text: str
    whole: bool


def readable(text: str) -> Readable:
    """The part of a statement that is tokenized: all of it unless it exceeds the limits. Raw text has no limit."""
    if raw.BEGIN in text and raw.is_raw(text, trivia_length(text)):
        return Readable(text, True)
    if len(text) <= MAX_INSTRUCTION_LENGTH:
        return Readable(text, True)
    start = trivia_length(text)
    longest = MAX_DIRECTIVE_LENGTH if text.startswith(".", start) else MAX_INSTRUCTION_LENGTH
    is_short = len(text) - start <= longest
    if is_short and not is_too_deep(text[start:]):
        return Readable(text, True)
    end = text.find("=", start, start + longest)
    if end >= 0 and longest == MAX_DIRECTIVE_LENGTH:
        return Readable(text[:end] + ";", True)  # a declaration, without its initializer
    if is_short:
        return Readable(text, True)
    return Readable(text[: start + MAX_INSTRUCTION_LENGTH], False)


def is_too_deep(text: str) -> bool:
    """Whether the brackets of a text are nested deeper than ``MAX_NESTING``; those in comments count too."""
    if sum(map(text.count, "([{")) <= MAX_NESTING:
        return False
    brackets = left = text.encode("ascii", "replace").translate(_BRACKETS, _OTHERS)
    for layer in range(_LAYERS):
        if left.count(b"(") <= MAX_NESTING - layer:
            return False
        left = left.replace(b"()", b"")  # makes it one layer less deep at most
    return max(accumulate([1 if one == _OPENING else -1 for one in brackets])) > MAX_NESTING


_BRACKETS = bytes.maketrans(b"[{]}", b"(())")
_OTHERS = bytes(code for code in range(256) if code not in b"()[]{}")
_OPENING = ord("(")
_LAYERS = 8
"""After so many innermost layers of brackets are taken away, few are left of a table with rows."""


def tokenize(text: str) -> list[Token]:
    """The tokens of ``text``, without blanks and comments; see :func:`readable` for very long statements.

    Never fails: every character belongs to a token or to trivia.
    """
    if raw.BEGIN in text and raw.is_raw(text, start := trivia_length(text)):
        return _raw_tokens(text, start)
    matches = _SCAN(mask_open_comments(text if len(text) <= MAX_INSTRUCTION_LENGTH else readable(text).text))
    # The constructor of a named tuple takes twice as long as that of a tuple, and tokens are made by the million.
    new, kinds = tuple.__new__, _KINDS
    return [new(Token, (kinds[match.lastindex or 0], *match.span())) for match in matches if match.lastindex != 1]


def masked(text: str) -> str | None:
    """The part of a text that is tokenized, without unclosed comments; None if its words may differ from those read."""
    if raw.BEGIN in text:
        return None
    part = text if len(text) <= MAX_INSTRUCTION_LENGTH else readable(text).text
    if "/*" not in part:
        return part
    found = mask_open_comments(part)
    return None if found is not part and '"' in part else found  # a string may have the mark of a comment


def pattern_of_words(text: str) -> re.Pattern[str]:
    """The expression that finds each token of a text as its first group, an empty one at the end too."""
    return _WORD if "/" in text or "#" in text else _WORD_AFTER_BLANKS


def token_words(text: str) -> list[str]:
    """The texts of the tokens of a statement as :func:`tokenize` finds them, in a fraction of its time."""
    read = masked(text)
    if read is None:
        return [text[token.start : token.end] for token in tokenize(text)]
    words: list[str] = pattern_of_words(read).findall(read)
    while words and not words[-1]:
        words.pop()  # the end of the text
    return words


def words_and_kinds(text: str, tokens: Sequence[Token]) -> tuple[list[str], list[TokenKind]]:
    """The texts and kinds of some tokens of a text."""
    return [text[start:end] for _, start, end in tokens], [kind for kind, _, _ in tokens]


def plain_words(text: str) -> tuple[list[str], list[TokenKind]] | None:
    """The texts and kinds of the tokens of an ordinary statement, in half the time of :func:`tokenize`.

    None for a statement that is long, or has comments between slash and star, characters that are not ASCII, or a word
    that :func:`may_be_of_two_kinds`. None without tokens too.
    """
    if not is_plain(text) or not text.isascii():
        return None
    words: list[str] = pattern_of_words(text).findall(text)
    while words and not words[-1]:
        words.pop()  # the end of the text
    kinds: list[TokenKind] = []
    for word in words:
        kind = _KIND_OF_FIRST.get(word[0]) or _kind_of_second(word)
        if kind is None:
            if may_be_of_two_kinds(text):
                return None
            kind = _kind_of_rare(word)
        kinds.append(kind)
    return (words, kinds) if words else None


_DIGITS = "0123456789"
_POINT = re.compile(r"\d+\.\d*", re.ASCII).fullmatch
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+", re.ASCII).fullmatch
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KIND_OF_FIRST = {
    **dict.fromkeys(f"{_LETTERS}_", TokenKind.NAME),
    **dict.fromkeys(",;{}()[]<>@!|+-*/=:?~&^\\", TokenKind.MARK),
}


def _kind_of_second(word: str) -> TokenKind | None:
    """The kind of a token that begins with a percent sign, a dollar sign, a dot or a digit; None if that is unclear."""
    if word.isdecimal():
        return TokenKind.INTEGER if word[0] != "0" or len(word) == 1 else None
    if word[0] in _DIGITS:
        return TokenKind.FLOAT if _POINT(word) else TokenKind.INTEGER if _HEXADECIMAL(word) else None
    if word[0] in "%$" and len(word) > 1:
        return TokenKind.NAME
    if word[0] == "." and word[1:2] in _LETTERS:
        return TokenKind.DOT if len(word) > 1 else TokenKind.MARK
    return TokenKind.MARK if word == "%" else None


def kind_of(word: str) -> TokenKind:
    """The kind of a token by its text alone, but for those that :func:`may_be_of_two_kinds`."""
    kind = _KIND_OF_FIRST.get(word[0])
    if kind is None and word.isascii():
        kind = _kind_of_second(word)
    return _kind_of_rare(word) if kind is None else kind


def _kind_of_rare(word: str) -> TokenKind:
    """The kind of a token that the first characters do not tell: a string, a rare form of a number, an error."""
    match = _SCAN_ONE(word)
    assert match is not None  # each character belongs to a token
    return _KINDS[match.lastindex or 0]


def may_be_of_two_kinds(text: str) -> bool:
    """Whether a text has a word such as ``.2e5``: a qualifier before another character of words, else a float."""
    return _HIDDEN_KIND(text) is not None


_HIDDEN_KIND = re.compile(r"\.\d+[eE]\d+", re.ASCII).search


def first_tokens(text: str, length: int) -> list[Token]:
    """Some of the tokens of a long text, from its beginning; those within ``length`` characters except the last ones.

    None if a comment or raw text begins there, whose end may be anywhere.
    """
    head = text[:length]
    if raw.BEGIN in head or "/*" in head and head.rfind("*/") < head.rfind("/*") + 2:
        return []
    return tokenize(head)[:-_UNSURE]


_UNSURE = 4
"""The tokens before a cut that may be others without it: a word, a number, or a mark of several characters."""


def is_plain(text: str) -> bool:
    """Whether a text is short and has neither comments between slash and star nor raw text."""
    return len(text) <= MAX_INSTRUCTION_LENGTH and "/*" not in text and raw.BEGIN not in text


def token_spans(text: str) -> list[tuple[int, int]]:
    """The spans of the tokens of a text; without raw text and unclosed comments twice as fast as :func:`tokenize`."""
    read = masked(text)
    if read is None:
        return [(start, end) for _, start, end in tokenize(text)]
    spans = [match.span(1) for match in pattern_of_words(read).finditer(read)]
    while spans and spans[-1][0] == spans[-1][1]:
        spans.pop()  # the end of the text
    return spans


def first_span(text: str) -> tuple[int, int]:
    """The first of :func:`token_spans`; an empty one at the end if there is none."""
    match = _WORD.match(text)
    assert match is not None  # the end of the text is a word
    return match.span(1)


def _raw_tokens(text: str, start: int) -> list[Token]:
    """The tokens of raw text: only the directives that begin and end it."""
    begin = Token(TokenKind.DOT, start, start + len(raw.BEGIN))
    end = Token(TokenKind.DOT, len(text) - len(raw.END), len(text))
    return [begin, end] if end.start >= begin.end and text.endswith(raw.END) else [begin]
