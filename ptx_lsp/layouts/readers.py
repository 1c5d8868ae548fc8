"""Field encodings that are neither a number nor a list of codes: sets, functions of ``lop3``, opaque values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ptx_lsp.layouts.lop3 import expression, table
from ptx_lsp.named_tuples import NamedTuple

_NUMBERS = re.compile(r"(\d+)(?:-(\d+))?")
_PAIR = 2
_ROWS = 8
"""Bits of a table of ``lop3``."""


class FieldReader(NamedTuple):
    """Conversion of a code to its meaning and back."""

    meaning: Callable[[int, int], str | None]
    """Meaning of a code of the given width; None if it is not legal."""
    code: Callable[[str, int], int | None]
    """Code of a meaning; None if it cannot be encoded."""


def _set_of(one: str, many: str) -> FieldReader:
    """A bit set: bit n states whether element n is in the set."""

    def meaning(code: int, width: int) -> str:
        if not code:
            return f"no {one}"
        if code == (1 << width) - 1:
            return f"both {many}" if width == _PAIR else f"all {width} {many}"
        if not code & (code - 1):
            return f"{one} {code.bit_length() - 1}"
        runs = ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in _runs(code))
        return f"{many} {runs}"

    def code(text: str, width: int) -> int | None:
        if text.startswith(("all", "both")):
            return (1 << width) - 1
        found = 0
        for first, last in _NUMBERS.findall(text):
            low, high = int(first), int(last or first)
            if not low <= high < width:
                return None
            found |= (1 << high + 1) - (1 << low)
        return found if found or text.startswith("no") else None

    return FieldReader(meaning, code)


def _runs(code: int) -> Iterator[tuple[int, int]]:
    """The runs of set bits; a run of two is reported as two single bits.

    >>> list(_runs(0b1110_0101))
    [(0, 0), (2, 2), (5, 7)]
    """
    at = 0
    while code >> at:
        if not code >> at & 1:
            at += 1
            continue
        end = at
        while code >> end + 1 & 1:
            end += 1
        if end == at + 1:
            yield at, at
            at = end
        yield at, end
        at = end + 1


def _function(text: str, width: int) -> int | None:
    try:
        return table(text)
    except ValueError:
        return _number(text, width) if text.isdecimal() else None


def _number(text: str, width: int) -> int | None:
    try:
        number = int(text, 0)
    except ValueError:
        return None
    return number if 0 <= number < 1 << width else None


READERS = {
    "set of lanes": _set_of("lane", "lanes"),
    "set of CTAs": _set_of("CTA", "CTAs"),
    "set of bytes": _set_of("byte", "bytes"),
    "set of halves": _set_of("half", "halves"),
    "function of a, b, c": FieldReader(lambda code, _: expression(code) if code >> _ROWS == 0 else None, _function),
    "opaque": FieldReader(lambda code, _: f"{code:#x}", _number),
}
"""The readers, by their name in the column ``holds`` of the pages."""
