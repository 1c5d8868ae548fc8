"""Go to definition: from a name to its declaration."""

from __future__ import annotations

from ptx_lsp.analysis.cursor import at
from ptx_lsp.analysis.module import Module
from ptx_lsp.text import Span


def definition(module: Module, offset: int) -> Span | None:
    """The span of the name in the declaration behind the name at ``offset``; None where there is none.

    ``%r7`` leads to ``%r<100>``. On a declaration itself the answer is that declaration.
    """
    cursor = at(module, offset)
    if cursor is None or cursor.symbol is None:
        return None
    return module.span_of(cursor.symbol.place)
