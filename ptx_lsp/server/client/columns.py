"""Columns in the negotiated position encoding: UTF-8 bytes, UTF-16 code units or code points.

The packages below the server count code points. On a line of plain ASCII all
three units agree, and nothing needs to be counted.

Source: LSP specification, "Position Encoding Kind".
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class Encoding(Enum):
    """The unit of a column. The values are the protocol's names."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_32 = "utf-32"

    def units(self, text: str) -> int:
        """Number of units of ``text``. A lone surrogate counts as its encoding in a client's message.

        >>> [encoding.units("é😀") for encoding in Encoding]
        [6, 3, 2]
        """
        if self is Encoding.UTF_32 or text.isascii():
            return len(text)
        if self is Encoding.UTF_8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def code_points(self, text: str, units: int) -> int:
        """Number of code points of ``text`` within its first ``units`` units.

        A position inside a code point means its start; one past the end means the end.

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
    """The first known encoding of those offered; UTF-16 if there is none, as the protocol requires."""
    known = {encoding.value: encoding for encoding in Encoding}
    for name in offered:
        if isinstance(name, str) and name in known:
            return known[name]
    return Encoding.UTF_16
