"""Integers of declarations: counts, dimensions, alignments."""

from __future__ import annotations

from ptx_lsp.syntax.constants import WARP_SZ, integer_or_none


def declared_number(text: str) -> int:
    """The integer of a declaration. What is no number counts as 0.

    >>> number("0x10"), number("010"), number("8U"), number("WARP_SZ"), number("x")
    (16, 8, 8, 32, 0)
    """
    if text == "WARP_SZ":
        return WARP_SZ
    return integer_or_none(text) or 0
