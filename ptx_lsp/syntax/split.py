"""Splitting of a text into statements with one regular expression.

A part is leading trivia plus one statement; the concatenation of the parts is the text.
The splitter recognizes only the ends of statements:

* a label ends at its colon, an instruction or declaration at ``;``, a line
  directive (``.loc``, ``.file``, ``.version``...) after its words, a line of a
  debug section after its numbers, a function head before ``{`` or at ``;``;
* when a ``;`` is missing, at the end of a line whose next line looks like the start
  of another statement. So an incomplete statement does not absorb its neighbours.

Two rules make edits cheap and hostile input harmless. All quantifiers are
possessive: the engine never backtracks. And a part depends only on its own characters
and on little more than the start of the two parts after it (``LOOK_AHEAD``), never
on text at an unbounded distance, such as a closing brace.
Exceptions are pieces of an element of a vector (:func:`is_piece`), unclosed comments and raw text: see
:func:`ptx_lsp.syntax.trivia.mask_open_comments` and :mod:`ptx_lsp.syntax.raw`.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from functools import cache

from ptx_lsp.patterns import compile_pattern, compiled_on_use
from ptx_lsp.syntax import raw
from ptx_lsp.syntax.trivia import (
    BLOCK_COMMENT,
    LINE_COMMENT,
    LINE_MARKER,
    STRAY,
    TRIVIA,
    mask_open_comments,
)

LOOK_AHEAD = 4
"""A part can change only if the edit touches it or one of this many parts after it, not counting pieces of an element
(:func:`is_piece`)."""
MOST_PIECES = 256
"""More pieces of an element are not expected."""
_LONGEST_PIECE = 256

_NAME = r"[A-Za-z_$%][\w$]*+"
# A string ends at the end of its line at the latest; backslashes are ordinary characters.
_STRING = r'"[^"\n]*+"?+'
# `vv.x` and `%r1.b0` are operands, `add.s32` at the start of a line is a new statement.
_SELECTOR = r"(?:[xyzwrgba]|b\d|b\d{4}|h\d{1,2})\b"
_OPCODE_LINE = rf"[a-z]\w*+\.(?!{_SELECTOR})[a-z]"
_LABEL_LINE = rf"{_NAME}[ \t]*+:(?!:)"
_LINKAGE = r"(?:visible|extern|weak|common)\b"
_HEAD = r"visible|extern|weak|common|entry|func|version|target|address_size"
_DECLARATIVE = (
    rf"{_HEAD}|reg|loc|file|section|alias|global|const|local|shared|param|tex|pragma"
    r"|branchtargets|calltargets|callprototype|source_begin|source_end"
)
_INDENT = r"[ \t\r\f]*+"
# After a complete operand or name a word starts a statement, unless what follows it can only follow an operand.
_TO_WORD = rf"(?:{_INDENT}(?://[^\n]*+)?+\n)*+{_INDENT}"
# Also a comment or line end: what comes after it is not looked at.
_ONLY_AFTER_OPERAND = rf"[,)\]}}+*=<>|&^?;/\#\s]|\.{_SELECTOR}(?!\.)"
_WORD_LINE = rf"{_TO_WORD}[a-z]\w*+(?:;|[ \t]++(?!{_ONLY_AFTER_OPERAND}))"
_HEAD_WORD_LINE = rf"{_TO_WORD}[a-z]\w*+(?:;|[ \t]++(?!{_ONLY_AFTER_OPERAND}|\())"  # `f (` may be the function's name
_MOST_BLANKS = 4


def _line(stop: str, last: str, word_line: str) -> str:
    """A line end inside of a statement, with the comment before it.

    The next line is no part of the statement if it matches ``stop``, or if it matches ``word_line`` after a character
    ``last``. A lookbehind has a fixed width: there is one for each number of blanks before the comment or line end.
    """
    before = "|".join(rf"(?<={last}[ \t\r]{{{blanks}}})" for blanks in range(_MOST_BLANKS + 1))
    end = rf"(?:{LINE_COMMENT})?+\n"
    return rf"(?=\n|//)(?!(?:{before}){end}{word_line}){end}(?!{stop})"


_INSTRUCTION_STOP = rf"{_INDENT}(?:@|\.(?!unified\b)[a-z]{{2}}|{_OPCODE_LINE}|{_LABEL_LINE})"
_DECLARATION_STOP = rf"{_INDENT}(?:@|\.(?:{_DECLARATIVE})\b|{_OPCODE_LINE}|{_LABEL_LINE})"
_INSTRUCTION_LINE = _line(_INSTRUCTION_STOP, r"[\w\])}]", _WORD_LINE)
_DECLARATION_LINE = _line(_DECLARATION_STOP, r"[>\])]", _WORD_LINE)
_HEAD_LINE = _line(_DECLARATION_STOP, r"[>\])]", _HEAD_WORD_LINE)
_OTHER = rf"{_STRING}|{BLOCK_COMMENT}|{LINE_MARKER}|/(?!/)|\#"
_LAST_COMMENT = rf"(?:{LINE_COMMENT})?+"  # the next line is part of another statement, or there is none
# `{` opens a vector only if a first element and `,` or `}` follow; else it is a block.
_OPERATOR = r"(?:<<|>>|\|\|?+|&&?+|[<>=!]=|[+\-*^<>]|/(?![/*]))"
_ELEMENT = rf"[!~+\-(]*+[\w$%.]++\)*+(?:[ \t]*+{_OPERATOR}[ \t]*+[!~+\-(]*+[\w$%.]++\)*+)*+"
_ELEMENTS = rf"(?:{TRIVIA}{_ELEMENT}{TRIVIA},?+)*+"
_INNER = rf"\{{{_ELEMENTS}\}}?+"  # a nested vector is an error, but must not end the statement
_VECTOR = rf"\{{(?={TRIVIA}{_ELEMENT}{TRIVIA}[,}}])(?:{TRIVIA}(?:{_ELEMENT}|{_INNER}){TRIVIA},?+)*+\}}?+"
_PLAIN = r'[^;{}"/\n\#]*+'
_PIECE = rf"{TRIVIA}[\w$%.!~+\-()*/<>=&|^]++"

# Qualifiers may be separated from the opcode, even by a line end, unless they look like a declaration.
_NOT_QUALIFIERS = rf"(?:{_HEAD}|reg|loc|file|section|alias|pragma)\b|(?:global|const|local|shared|param)[ \t]++\."
_QUALIFIERS = rf"(?:{_INDENT}(?:\.[\w:]*+|(?=[\n/\#]){TRIVIA}\.(?!{_NOT_QUALIFIERS})[\w:]++))*+"
_GUARD = rf"@{TRIVIA}!?+{TRIVIA}(?:{_NAME}{TRIVIA})?+"
# A word that is all that follows an opcode is its operand, on whichever line it stands: `bra`, line end, `done;`.
_ONLY_OPERAND = rf"(?:{_INDENT}(?=\n|//){_TO_WORD}{_NAME}(?=;))?+"
_INSTRUCTION = (
    rf"(?:{_GUARD})?+(?:\\{TRIVIA})?+(?:{_NAME}{_QUALIFIERS}{_ONLY_OPERAND})?+"
    rf"{_PLAIN}(?:(?:{_INSTRUCTION_LINE}|{_VECTOR}|{_OTHER}){_PLAIN})*+{_LAST_COMMENT};?+"
)
_LABEL = rf"{_NAME}[ \t\r\n\f]*+(?:(?=[/\#]){TRIVIA})?+:(?!:)"

_NUMBER = r"\w[\w.]*+"
_LOC = (
    rf"loc(?:_intermediate)?+\b(?:{TRIVIA}\d\w*+){{0,3}}+"
    rf"(?:{TRIVIA},{TRIVIA}function_name\b{TRIVIA}(?:{_NAME}|\.[\w$]++)?+(?:{TRIVIA}\+{TRIVIA}\w++)?+"
    rf"(?:{TRIVIA},{TRIVIA}inlined_at\b(?:{TRIVIA}\d\w*+){{0,3}}+)?+)?+"
)
_FILE = rf"file\b(?:{TRIVIA}\d\w*+)?+(?:{TRIVIA}{_STRING})?+(?:{TRIVIA},{TRIVIA}\w++)*+"
_HEADER = rf"(?:version|address_size)\b(?:{TRIVIA}{_NUMBER})?+"
_TARGET = rf"target\b(?:{TRIVIA}{_NAME})?+(?:{TRIVIA},(?:{TRIVIA}{_NAME})?+)*+"
_SECTION = rf"section\b(?:{TRIVIA}\.?+[\w$]++)?+"
# A line of a debug section: `.b32 1, .debug_abbrev, label+4`. No declaration starts with a type.
_DATUM = rf"-?+{_INDENT}\.?+[\w$%]++(?:{_INDENT}[+\-]{_INDENT}\.?+[\w$%]++)?+"
_DATA = (
    rf"(?:b(?:8|16|32|64)|byte|4byte|quad)\b(?:{TRIVIA}{_DATUM})?+(?:{TRIVIA},(?:{TRIVIA}{_DATUM})?+)*+"
    rf"(?:{_INDENT};)?+"
)

# After `(` or `,` a line may start with `.param` or `.reg`; a dotted head word ends an unfinished head.
_HEAD_STOP = rf"\.(?=(?:{_HEAD})\b)"
_PARAMETER_START = rf"[(,]{TRIVIA}(?:(?!{_HEAD_STOP})\.)?+"
_PRAGMA_IN_HEAD = rf"\.pragma\b{TRIVIA}{_STRING}(?:{TRIVIA},{TRIVIA}{_STRING})*+{TRIVIA};"
_POINTER = rf"\.ptr\b(?:{TRIVIA}\.(?:const|global|local|shared)\b)?+"
_HEAD_PLAIN = r'[^;{}"/\n\#(,.]*+'
_FUNCTION = (
    rf"(?:entry|func|callprototype)\b{_HEAD_PLAIN}"
    rf"(?:(?:{_HEAD_LINE}|{_PARAMETER_START}|{_PRAGMA_IN_HEAD}|{_POINTER}|(?!{_HEAD_STOP})\.|{_OTHER}){_HEAD_PLAIN})*+"
    rf"{_LAST_COMMENT};?+"
)
# Braces of an initializer need not be matched here: it ends at `;` or at a line that starts another statement.
_INITIALIZER = rf'=[^;"/\n\#]*+(?:(?:{_DECLARATION_LINE}|{_OTHER})[^;"/\n\#]*+)*+{_LAST_COMMENT};?+'
_DECLARATION_PLAIN = r'[^;{}"/\n\#=]*+'
_DECLARATION = (
    rf"{_DECLARATION_PLAIN}(?:(?:{_DECLARATION_LINE}|{_OTHER}){_DECLARATION_PLAIN})*+"
    rf"{_LAST_COMMENT}(?:;|{_INITIALIZER})?+"
)
_ATTRIBUTE = r"attribute\b[ \t]*+\([^()\n;{}]*+(?:\([^()\n;{}]*+\)[^()\n;{}]*+)*+\)"
_PREFIX = rf"(?:(?:{_LINKAGE}|{_ATTRIBUTE}){TRIVIA}\.)*+"
_DIRECTIVE = (
    rf"\.(?:{_LOC}|{_FILE}|{_HEADER}|{_TARGET}|{_SECTION}|{_DATA}"
    r"|(?:nv_intermediate_source_section|code_block)\b"
    rf"|(?:ir_name|sourceFileName)\b{_INDENT}(?::{TRIVIA}(?:{_STRING}|\w++))?+"
    rf"|{_PREFIX}(?:{_FUNCTION}|{_DECLARATION}))"
)
_DWARF = r"@@[^\n]*+"
_PREPROCESSOR = r"\#[^\n]*+"

# No part ends between the two characters of `/*` or `*/`, which would split a comment.
_JUNK = rf'"[^\n]*+|/(?:\*/?+)?+|\*/|{STRAY}|[^\s]'
_PATTERN = (
    rf"{TRIVIA}(?:{_LABEL}|(?=[A-Za-z_$%@\\])(?!@@){_INSTRUCTION}|{raw.TEXT}|{raw.LONE}|{_DIRECTIVE}"
    rf"|[{{}};]|{_DWARF}|{_PREPROCESSOR}|{_JUNK}|\Z)"
)


def is_piece(part: str) -> bool:
    """Whether a part can be a piece of an element of a vector: in ``{65536`` each digit is a part until ``,`` follows.

    No limit holds for their number: what is before the ``{`` and all of them can become one part.
    """
    return len(part) < _LONGEST_PIECE and _piece().fullmatch(part) is not None


_piece = compiled_on_use(_PIECE, re.ASCII)

_RARE = {"/*": f"|{BLOCK_COMMENT}", "#": f"|{LINE_MARKER}"}
"""The marks without which a text has no block comments and no line markers, and the patterns of these."""


@cache
def long_pattern() -> re.Pattern[str]:
    """The pattern of statements."""
    return compile_pattern(_PATTERN, re.ASCII)


@cache
def short_pattern() -> re.Pattern[str]:
    """The pattern for texts that have nothing rare: half as long, and compiled in half the time.

    What is left out can match only where one of the rare marks is: both patterns find the same in such a text.
    """
    pattern = _PATTERN
    for rare in _RARE.values():
        pattern = pattern.replace(rare, "")
    return compile_pattern(pattern, re.ASCII)


def _pattern_for(text: str) -> re.Pattern[str]:
    return long_pattern() if any(mark in text for mark in _RARE) else short_pattern()


def split(text: str, closed_later: bool = False) -> list[str]:
    """The statements of ``text``, each with the trivia before it; their concatenation is ``text``.

    ``closed_later``: a ``*/`` follows after ``text``, so that an unclosed comment does not
    end with its line.
    """
    masked = _masked(text, closed_later)
    parts: list[str] = _pattern_for(masked).findall(masked)
    if parts and not parts[-1]:
        parts.pop()
    if masked is text:
        return parts
    start = 0
    for index, part in enumerate(parts):
        end = start + len(part)
        parts[index] = text[start:end]
        start = end
    return parts


def _masked(text: str, closed_later: bool) -> str:
    return raw.mask_unclosed(text if closed_later else mask_open_comments(text))


def splitting(text: str, closed_later: bool) -> Generator[None, None, list[str]]:
    """:func:`split` in steps of some hundred statements, if the text is long."""
    if len(text) < _LONG:
        return split(text, closed_later)
    yield
    parts: list[str] = []
    length = 0
    for part in statements(text, closed_later):
        parts.append(part)
        length += len(part)
        if length > _IN_A_STEP:
            length = 0
            yield
    return parts


_LONG = 1 << 16
_IN_A_STEP = 1 << 14
"""The number of characters after which there is a pause."""


def statements(text: str, closed_later: bool = False) -> Iterator[str]:
    """Iterate over the statements of a whole text, equal to those of :func:`split`."""
    masked = _masked(text, closed_later)
    for match in _pattern_for(masked).finditer(masked):
        start, end = match.span()
        if end > start:
            yield text[start:end]
