"""The parts of a fragment that the host does not tell."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span


class UnknownParts(NamedTuple):
    """The unknown parts of a fragment."""

    opaque: tuple[Span, ...] = ()
    """The statements of which a part is unknown, in order, so that nothing is said of them."""
    has_statements: bool = False
    """Whether whole statements may be unknown: what is declared, and which braces are open, is then unknown too."""

    def is_opaque(self, span: Span) -> bool:
        """Whether a place is in a statement of which a part is unknown."""
        at = bisect_right(self.opaque, span.start, key=attrgetter("start")) - 1
        return at >= 0 and span.start <= self.opaque[at].end
