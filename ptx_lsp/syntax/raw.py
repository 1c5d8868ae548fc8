r"""Raw text: the lines between a line that ends with ``.source_begin`` and the next line ``.source_end``.

It is source text of another language and forms one statement, including quotes, braces and partial comments. Like an
unclosed comment, a ``.source_begin`` without an end is a statement of its own.

Source: PTX ISA, "Debugging Directives: .nv_intermediate_source_section"; the delimiting lines were measured.
"""

from __future__ import annotations

from ptx_lsp.patterns import compiled_on_use

BEGIN = ".source_begin"
END = ".source_end"
_COMMON = BEGIN.removesuffix("begin")
BOTH = 3
""":func:`marks` of a text with both."""

_END_LINE = rf"[ \t]*+\{END}[ \t\r]*+(?:\n|\Z)"
_HIDDEN = ".source_begiN"
LONE = r"\.source_(?:begi[nN]|end)\b"
"""Pattern for a begin without an end, as masked, and for an end without a begin."""
TEXT = rf"\{BEGIN}[ \t\r]*+\n(?:(?!{_END_LINE})[^\n]*+\n)*+[ \t]*+\{END}"
"""Pattern for a whole raw text. Only for texts from :func:`mask_unclosed`, in which every begin has an end."""

_ENDS = compiled_on_use(rf"(?:^|(?<=\n)){_END_LINE}")


def marks(text: str) -> int:
    """The marks of raw text that stand in a text, wherever: 1 for a begin, 2 for an end, their sum for both."""
    return (BEGIN in text) + 2 * (END in text) if _COMMON in text else 0


def is_raw(text: str, start: int) -> bool:
    """Whether the statement at ``start`` is raw text or an unclosed ``.source_begin``."""
    return text.startswith(BEGIN, start)


def mask_unclosed(text: str) -> str:
    """The text with every ``.source_begin`` after the last line ``.source_end`` replaced by a mark of equal length."""
    if BEGIN not in text:
        return text
    end = 0
    for last in _ENDS().finditer(text):
        end = last.end()
    return text[:end] + text[end:].replace(BEGIN, _HIDDEN)
