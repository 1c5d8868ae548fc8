"""Places in text: half-open spans of code points.

Everything below the server counts in code points of one string. Lines and the
UTF-8/16/32 columns of the Language Server Protocol are the server's concern.
"""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of code points.

    >>> Span(2, 5).shifted(10)
    Span(start=12, end=15)
    """

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The same span, ``by`` code points further on."""
        return Span(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """Whether ``offset`` is inside, or at the end where a cursor still touches it."""
        return self.start <= offset <= self.end
