"""Go to declaration, definition and implementation of the name under the cursor."""

from __future__ import annotations

from typing import NamedTuple

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.module.extent import extent
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.text import Span


class Destination(NamedTuple):
    """The target of a navigation request."""

    origin: Span
    """The name under the cursor."""
    span: Span
    """The name in the declaration."""
    extent: Span
    """The complete declaration."""
    is_definition: bool
    """False for ``.extern`` and for a function without a body, which another file may define."""


def declaration(semantics: Semantics, offset: int) -> Destination | None:
    """Return the first declaration of the name at ``offset``, or None.

    ``%r7`` leads to ``%r<100>``. On a declaration itself the answer is that declaration.
    """
    cursor = at(semantics, offset)
    if cursor is None or cursor.symbol is None:
        return None
    return _target(semantics.module, cursor.span, cursor.symbol)


def definition(semantics: Semantics, offset: int) -> Destination | None:
    """Return the definition of the name at ``offset`` if this module has one, else its declaration."""
    cursor = at(semantics, offset)
    if cursor is None or cursor.symbol is None:
        return None
    symbol = cursor.symbol
    module = semantics.module
    if symbol in module.function_of(symbol.place.chunk).globals:
        symbol = module.definitions.get(symbol.name, symbol)
    return _target(module, cursor.span, symbol)


def implementation(semantics: Semantics, offset: int) -> Destination | None:
    """Return the definition of the name at ``offset``, or None if this module does not define it."""
    found = definition(semantics, offset)
    return found if found is not None and found.is_definition else None


def _target(module: Module, origin: Span, symbol: Symbol) -> Destination:
    return Destination(origin, module.positions.span_of(symbol.place), extent(module, symbol), symbol.is_definition)
