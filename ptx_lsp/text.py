"""Text positions: half-open spans of code points.

All layers below the server use offsets in code points. Lines and the UTF-8/16/32
columns of the Language Server Protocol are computed in the server.
"""

from __future__ import annotations

from ptx_lsp.named_tuples import NamedTuple


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of code points.

    >>> Span(2, 5).shifted(10)
    Span(start=12, end=15)
    """

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The span moved by ``by`` code points."""
        return Span(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """Whether ``offset`` is inside the span, or at its end, where a cursor still touches it."""
        return self.start <= offset <= self.end
