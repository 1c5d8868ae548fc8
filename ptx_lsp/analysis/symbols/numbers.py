"""Integer literals in declarations: counts, dimensions, alignments."""

from __future__ import annotations

from ptx_lsp.syntax.constants import WARP_SZ, integer_or_none


def declared_number(text: str) -> int:
    """The integer value of a count, dimension or alignment; 0 if the text is not an integer.

    >>> [declared_number(text) for text in ("0x10", "010", "8U", "WARP_SZ", "x")]
    [16, 8, 8, 32, 0]
    """
    if text == "WARP_SZ":
        return WARP_SZ
    return integer_or_none(text) or 0
