"""Trivia: blanks, comments and line markers between tokens.

``TRIVIA`` is a regular expression shared by the splitter and the tokenizer. All
quantifiers are possessive, so that the engine never backtracks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.syntax.raw import BEGIN
from ptx_lsp.text import Span

# Form feed and a lone carriage return are white space for ptxas, a vertical tab is not.
BLANKS = r"[ \t\r\n\f]++"
LINE_COMMENT = r"//[^\n]*+"
BLOCK_COMMENT = r"/\*(?:[^*]++|\*(?!/))*+\*/"
COMMENT = rf"{LINE_COMMENT}|{BLOCK_COMMENT}"
# `# 12 "file"` and `#line 12 "file"` may occur anywhere; they only affect the line numbers in messages.
LINE_MARKER = r'\#[ \t]*+(?:line[ \t]++)?\d++[ \t]++"[^"\n]*+"[^\n]*+'
TRIVIUM = rf"{BLANKS}|{COMMENT}|{LINE_MARKER}"
TRIVIA = rf"(?:{TRIVIUM})*+"

# Characters outside the PTX alphabet: backquote, apostrophe, control characters, non-ASCII. A run is one token.
STRAY = r"[^\t\n\r\f -&(-_a-~]++"


def mask_open_comments(text: str) -> str:
    """The text with every unclosed ``/*`` replaced by ``//``, of equal length.

    An unclosed comment is treated as a comment to the end of its line, so that it does
    not absorb the rest of the file. Only a ``/*`` after the last ``*/`` is unclosed;
    masking it keeps all regular expressions linear, because a search for ``*/`` then
    always succeeds.
    """
    if "/*" not in text:
        return text
    end = text.rfind("*/") + 2 if "*/" in text else 0
    if "/*" not in text[end:]:
        return text
    return text[:end] + text[end:].replace("/*", "//")


_SKIP = compiled_on_use(TRIVIA, re.ASCII)
_COMMENTS = compiled_on_use(rf'"[^"\n]*+"?+|{COMMENT}|{LINE_MARKER}|(/\*)', re.ASCII)
# Statements in which comments are not recognized: up to the end of their line, and raw text.
_WITHOUT_COMMENTS = ("#", "@@", '"', BEGIN)


def trivia_length(text: str) -> int:
    """The length of the trivia at the start of ``text``."""
    match = _SKIP().match(text)
    return match.end() if match else 0


def open_comment(part: str) -> int:
    """The offset of an unclosed comment in a statement; -1 if there is none."""
    last = part.rfind("/*")
    if last < 0 or part.find("*/", last + 2) >= 0:
        return -1  # an unclosed one would end there
    return next((match.start() for match in _found(part) if match[1]), -1)


def comments(part: str) -> Iterator[Span]:
    """The spans of the comments of a statement; of an unclosed one only the opening mark."""
    return (Span(*match.span()) for match in _found(part) if match[0].startswith("/"))


def line_markers(part: str) -> Iterator[Span]:
    """The spans of the markers ``# 12 "file"`` of a statement."""
    return (Span(*match.span()) for match in _found(part) if match[0].startswith("#"))


def _found(part: str) -> Iterator[re.Match[str]]:
    start = trivia_length(part)
    end = start if part.startswith(_WITHOUT_COMMENTS, start) else len(part)
    return _COMMENTS().finditer(part, 0, end)
