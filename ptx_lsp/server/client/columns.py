"""Columns in the units that client and server agreed on: UTF-8 bytes, UTF-16 units or code points.

Below the server everything counts code points. Where a line is plain ASCII all
three units are the same, and nothing needs to be counted.

Source: LSP specification, "Position Encoding Kind".
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class Encoding(Enum):
    """What one unit of a column is. The values are the protocol's names."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_32 = "utf-32"

    def units(self, text: str) -> int:
        """How many units ``text`` takes. A lone surrogate counts as what a client would send for it.

        >>> [encoding.units("é😀") for encoding in Encoding]
        [6, 3, 2]
        """
        if self is Encoding.UTF_32 or text.isascii():
            return len(text)
        if self is Encoding.UTF_8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def code_points(self, text: str, units: int) -> int:
        """How many code points of ``text`` lie within its first ``units`` units.

        A position inside of a code point means the one before it; one past the end
        means the end.

        >>> Encoding.UTF_16.code_points("a😀b", 2), Encoding.UTF_16.code_points("a😀b", 3)
        (1, 2)
        """
        low, high = 0, min(len(text), max(units, 0))
        if self is Encoding.UTF_32 or text.isascii():
            return high
        while low < high:
            middle = (low + high + 1) // 2
            if self.units(text[:middle]) <= units:
                low = middle
            else:
                high = middle - 1
        return low


def choose(offered: Sequence[object]) -> Encoding:
    """The first of the client's encodings that we know; UTF-16 if there is none, as the protocol demands."""
    known = {encoding.value: encoding for encoding in Encoding}
    for name in offered:
        if isinstance(name, str) and name in known:
            return known[name]
    return Encoding.UTF_16
