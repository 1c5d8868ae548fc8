"""Lexical errors: stray characters, malformed numbers, unclosed strings and comments."""

from __future__ import annotations

import math
import re
import sys
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence

from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Severity
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.stepwise import listed
from ptx_lsp.syntax.automaton.tables import load
from ptx_lsp.syntax.terminals import TYPE
from ptx_lsp.syntax.tokens import Token, TokenKind, tokenize
from ptx_lsp.syntax.trivia import comments, open_comment
from ptx_lsp.text import Span

# One class at the beginning lets the engine skip to such characters.
_REJECTED = compiled_on_use(r"[^\x01-\x7f](?:(?<=\0)\0*+|(?<!\0)[^\0-\x7f]*+)")


def first_lexical_errors(
    text: str, tokens: Sequence[Token], wrong: Sequence[int], most: int
) -> Generator[None, None, list[Diagnostic]]:
    """The first ``most`` of :func:`lexical_errors`, in steps."""
    found: list[Diagnostic] = []
    for one in lexical_errors(text, tokens, wrong):
        if one is None:
            yield
            continue
        found.append(one)
        if len(found) == most:
            break
    return found


def lexical_errors(text: str, tokens: Sequence[Token], wrong: Sequence[int]) -> Iterator[Diagnostic | None]:
    """The lexical errors of a statement, including those in its comments; ``wrong`` are the tokens with errors.

    Without a large number the other tokens are not needed. None is a pause between comments.
    """
    yield from _rejected_characters(text)
    yield from _too_large(text, tokens)
    for index in wrong:
        kind, start, end = tokens[index]
        span = Span(start, end)
        word = text[start:end]
        if kind is TokenKind.MALFORMED:
            yield _malformed(word, span)
        elif kind is TokenKind.UNCLOSED:
            span = Span(start, start + len(word.rstrip("\r")))
            fix = Fix("insert '\"'", (Edit(Span(span.end, span.end), '"'),))
            message = "the string is not closed on its line"
            yield Diagnostic("E104", "unclosed", Severity.ERROR, message, span, (fix,))
        elif word.isascii() and "\0" not in word:
            shown = word[:_SHOWN] if word.isprintable() else f"\\x{ord(word[0]):02x}"
            message = f"stray character{'s' if len(word) > 1 else ''} '{shown}'"
            fix = Fix(f"remove '{shown}'", (Edit(span, ""),))
            yield Diagnostic("E102", "stray-character", Severity.ERROR, message, span, (fix,))
    start = open_comment(text)
    if start >= 0:
        yield _open_comment(text, start)


def _rejected_characters(text: str) -> Iterator[Diagnostic | None]:
    """Characters that ptxas rejects even in strings, and before CUDA 13.1 in comments. It then reports nothing else."""
    if text.isascii() and "\0" not in text:
        return
    spans = yield from listed(comments(text))
    starts = [span.start for span in spans]
    for match in _REJECTED().finditer(text):
        span = Span(match.start(), match.end())
        if "\0" in match[0]:
            yield Diagnostic("E108", "non-ascii", Severity.ERROR, "ptxas ends the file at a NUL byte", span)
        elif (at := bisect_right(starts, span.start) - 1) >= 0 and span.end <= spans[at].end:
            message = f"{_character(match[0])} is not ASCII; ptxas before CUDA 13.1 refuses it even in comments"
            yield Diagnostic("W603", "non-ascii-comment", Severity.WARNING, message, span)
        else:
            message = f"{_character(match[0])} is not ASCII; PTX allows only ASCII"
            yield Diagnostic("E108", "non-ascii", Severity.ERROR, message, span)


def _character(text: str) -> str:
    """The text of non-ASCII characters in a message; the value of a byte that is not UTF-8."""
    code = ord(text[0])
    if _BYTES[0] <= code <= _BYTES[1]:
        return f"byte 0x{code - 0xDC00:02X}"
    return f"'{text[:20]}'" if text.isprintable() else f"U+{code:04X}"


_BYTES = (0xDC80, 0xDCFF)
"""The surrogates that represent undecodable bytes (``surrogateescape``)."""
# One class at the beginning lets the engine skip to the digits; what comes before is looked at only there.
_LARGE = re.compile(r"[0-9](?<![\w$.].)(?:[0-9]{16,}+|(?<=0)[xXbB][0-9a-fA-F]{17,}+)").search
_DIGITS_AS_ONE = bytes(ord("0") if chr(code) in "0123456789abcdefABCDEF" else ord(" ") for code in range(256))
_MANY = b"0" * 17
_EXPONENT = re.compile(r"(?<![\w$])[0-9.]++[eE][+\-]?+[0-9]{3}").search
_EXPONENTS_AS_ONE = bytes(
    ord("0" if chr(code) in "0123456789." else "e" if chr(code) in "eE" else "+" if chr(code) in "+-" else " ")
    for code in range(256)
)
_SHOWN = 20
_BASES = {"0x": 16, "0b": 2}
_TOP_BIT = 1 << 63


def has_large_number(text: str) -> bool:
    """Whether ``text`` may contain a number that is too large, possibly in a comment."""
    # A regular expression search takes ten times as long, and such numbers are rare.
    encoded = text.encode("utf-8", "surrogatepass")
    if _MANY in encoded.translate(_DIGITS_AS_ONE) and _LARGE(text):
        return True
    exponents = encoded.translate(_EXPONENTS_AS_ONE)
    return (b"0e000" in exponents or b"0e+000" in exponents) and _EXPONENT(text) is not None


def has_too_large_number(part: str) -> bool:
    """Whether a statement contains a number that is too large for ptxas."""
    return has_large_number(part) and next(_too_large(part, tokenize(part)), None) is not None


def _too_large(text: str, tokens: Sequence[Token]) -> Iterator[Diagnostic]:
    """Numbers that ptxas rejects as too large (or floats as too small); slightly larger ones it truncates."""
    if not has_large_number(text):
        return
    for kind, start, end in tokens:
        word = text[start:end]
        shown = word if len(word) <= _SHOWN else word[:12] + "…"
        if kind is TokenKind.INTEGER and overflows(word.removesuffix("U")):
            message = f"'{shown}' does not fit in 64 bits"
        elif kind is TokenKind.FLOAT and word[:2].lower() not in ("0f", "0d") and _is_out_of_range(word):
            message = f"'{shown}' is out of the range of 64-bit floats"
        else:
            continue
        yield Diagnostic("E103", "malformed-number", Severity.ERROR, message, Span(start, end))


def overflows(word: str) -> bool:
    """Whether ptxas reports an overflow: a digit follows a value whose bit 63 is set."""
    base = _BASES.get(word[:2].lower(), 8 if word.startswith("0") else 10)
    digits = word if base in (8, 10) else word[2:]
    value = 0
    for digit in digits:
        if value & _TOP_BIT:
            return True
        value = (value * base + int(digit, base)) & (2 * _TOP_BIT - 1)
    return False


def _is_out_of_range(word: str) -> bool:
    """Whether a decimal float overflows, or underflows to a subnormal number."""
    value = float(word)
    return math.isinf(value) or value < sys.float_info.min and any(digit in "123456789" for digit in _mantissa(word))


def _mantissa(word: str) -> str:
    return word.lower().partition("e")[0]


def _open_comment(text: str, start: int) -> Diagnostic:
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    end = start + len(text[start:end].rstrip("\r"))
    fix = Fix("insert '*/'", (Edit(Span(end, end), " */"),))
    return Diagnostic("E104", "unclosed", Severity.ERROR, "the comment is not closed", Span(start, start + 2), (fix,))


def _malformed(word: str, span: Span) -> Diagnostic:
    """The error for a malformed number, with the rule that it violates."""
    reason, better = _reason(word)
    fixes = (Fix(f"write '{better}'", (Edit(span, better),)),) if better else ()
    message = f"'{word[:30]}' is not a number: {reason}"
    return Diagnostic("E103", "malformed-number", Severity.ERROR, message, span, fixes)


def _reason(word: str) -> tuple[str, str]:
    """The reason why ``word`` is not a number, and a corrected spelling if it is clear."""
    lower = word.lower()
    if re.fullmatch(r"0[xX][0-9a-fA-F]*", word):
        return "hexadecimal digits expected after '0x'", ""
    if re.fullmatch(r"0[bB]\w*", word):
        return "a binary number has the digits 0 and 1", ""
    if re.fullmatch(r"0o[0-7]+", lower):
        return "an octal number starts with '0', without 'o'", "0" + word[2:]
    if re.fullmatch(r"0f[0-9a-f]*", lower):
        return f"'0f' must have 8 hexadecimal digits, not {len(word) - 2}", ""
    if re.fullmatch(r"0d[0-9a-f]*", lower):
        return f"'0d' must have 16 hexadecimal digits, not {len(word) - 2}", ""
    if re.fullmatch(r"0\d*[89]\d*", word):
        return "a leading 0 makes it octal, and octal has no digits 8 and 9", word.lstrip("0") or "0"
    if re.fullmatch(r"\w+u", word):
        return "the suffix must be a capital 'U'", word[:-1] + "U"
    if re.fullmatch(r"\d+[lL]+", word):
        return "there is no suffix 'L'", word.rstrip("lL")
    if re.fullmatch(r"\d+\.\d*(?:[eE][+-]?\d+)?[fF]", word):
        return "floats have no suffix 'f'", word[:-1]
    if word.count(".") > 1:
        return "it has two points", ""
    digits, dot, name = word.partition(".")
    if digits.isdigit() and (dot + name in load().words or TYPE().fullmatch(dot + name)):
        return "a space is missing before the dot", f"{digits} {dot}{name}"
    return f"'{word.lstrip('0123456789')[:20]}' cannot follow the digits", ""
