"""Integers of declarations: counts, dimensions, alignments."""

from __future__ import annotations

from ptx_lsp.syntax.constants import LONGEST_NUMBER, WARP_SZ


def number(text: str) -> int:
    """The integer of a declaration. What is no number counts as 0.

    >>> number("0x10"), number("010"), number("8U"), number("WARP_SZ"), number("x")
    (16, 8, 8, 32, 0)
    """
    if text == "WARP_SZ":
        return WARP_SZ
    if len(text) > LONGEST_NUMBER:
        return 0
    digits = text.rstrip("U")
    try:
        return int(digits, 0)
    except ValueError:
        pass
    try:
        return int(digits, 8)
    except ValueError:
        return 0
