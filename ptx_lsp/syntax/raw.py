r"""Raw text in a file: what stands between a line that ends with ``.source_begin`` and the next line ``.source_end``.

It is source text of another language, and one statement here, whatever is in it: quotes, braces, half comments. Like
an unclosed comment, a ``.source_begin`` without an end stands for itself alone.

Source: PTX ISA, "Debugging Directives: .nv_intermediate_source_section"; which lines begin and end it was measured.
"""

from __future__ import annotations

import re

BEGIN = ".source_begin"
END = ".source_end"

_END_LINE = rf"[ \t]*+\{END}[ \t\r]*+(?:\n|\Z)"
_HIDDEN = ".source_begiN"
LONE = r"\.source_(?:begi[nN]|end)\b"
"""A pattern for a begin without an end, as the mask leaves it, and for an end without a begin."""
TEXT = rf"\{BEGIN}[ \t\r]*+\n(?:(?!{_END_LINE})[^\n]*+\n)*+[ \t]*+\{END}"
"""A pattern for the whole of it. Only for texts from :func:`mask_unclosed`: there an end is always found."""

_ends = re.compile(rf"(?:^|(?<=\n)){_END_LINE}")
_all_ends = _ends.finditer
ends = _ends.search
"""Where a text has a line that ends raw text."""


def is_raw(text: str, start: int) -> bool:
    """Whether the statement that begins at ``start`` is raw text, or the beginning of one."""
    return text.startswith(BEGIN, start)


def mask_unclosed(text: str) -> str:
    """The text, of the same length, with every ``.source_begin`` after the last line ``.source_end`` misspelt."""
    if BEGIN not in text:
        return text
    end = 0
    for last in _all_ends(text):
        end = last.end()
    return text[:end] + text[end:].replace(BEGIN, _HIDDEN)


def is_unclosed(part: str) -> bool:
    """Whether a statement is a ``.source_begin`` whose text has no end."""
    return part.endswith(BEGIN)
