"""Go to declaration, definition, implementation: from a name to where it is declared or defined."""

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


def implementation(module: Module, offset: int) -> Span | None:
    """The name in the head of the body of the function at ``offset``, or in what defines the variable there."""
    cursor = at(module, offset)
    if cursor is None or cursor.symbol is None:
        return None
    if module.globals.own(cursor.symbol.name) is None:
        return module.span_of(cursor.symbol.place)
    defined = module.definitions.get(cursor.symbol.name)
    return module.span_of(defined.place) if defined is not None else None
