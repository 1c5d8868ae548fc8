"""Go to declaration, definition and implementation of the name under the cursor.

The definition of a register is the write that reaches the cursor, or several; its implementation is all its writes; its
declaration and its type definition are the line of its ``.reg``. The implementation of an instruction that synchronizes
is its partners: what it waits for, or what waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind, at
from ptx_lsp.analysis.module.extent import extent
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.register_writes import all_writes, is_register, writes_at
from ptx_lsp.analysis.references.synchronization import partners_at
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.given_names import is_given
from ptx_lsp.analysis.symbols.symbols import Place, Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
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
    symbol = _declared(cursor)
    return _target(semantics.module, cursor.span, symbol) if cursor is not None and symbol is not None else None


def definition(semantics: Semantics, offset: int) -> Destination | None:
    """Return the definition of the name at ``offset`` if this module has one, else its declaration."""
    cursor = at(semantics, offset)
    symbol = _declared(cursor)
    if cursor is None or symbol is None:
        return None
    module = semantics.module
    if symbol in module.function_of(symbol.place.chunk).globals:
        symbol = module.definitions.get(symbol.name, symbol)
    return _target(module, cursor.span, symbol)


def type_definition(semantics: Semantics, offset: int) -> Destination | None:
    """Return the declaration that gives the type of the register, variable or parameter at ``offset``, or None."""
    cursor = at(semantics, offset)
    symbol = _declared(cursor)
    if cursor is None or symbol is None or not symbol.type or symbol.kind is SymbolKind.FUNCTION:
        return None
    return _target(semantics.module, cursor.span, symbol)


def implementation(semantics: Semantics, offset: int) -> Destination | None:
    """Return the definition of the name at ``offset``, or None if this module does not define it."""
    found = definition(semantics, offset)
    return found if found is not None and found.is_definition else None


def register_writes(semantics: Semantics, offset: int) -> list[Destination] | None:
    """Return the writes that reach the register at ``offset``, nearest first; on a result the result itself.

    Empty if the cursor is on something else or no write reaches it. None if the graph of a long function is needed
    that is not made yet; :func:`preparing` makes it.
    """
    cursor = at(semantics, offset)
    if cursor is None or not is_register(cursor.context, cursor.symbol):
        return []
    found = writes_at(semantics, cursor.context, cursor.token)
    return None if found is None else _places(semantics.module, cursor, found)


def implementations(semantics: Semantics, offset: int) -> list[Destination] | None:
    """Return all writes of the register at ``offset``, or the partners of the instruction that synchronizes there.

    They are in the order of the text; empty for anything else. None if :func:`preparing` has to find them first.
    """
    cursor = at(semantics, offset)
    if cursor is None:
        return []
    if _is_of_opcode(cursor):
        found = partners_at(semantics, cursor.context)
        return None if found is None else _places(semantics.module, cursor, list(dict.fromkeys(found)))
    if not is_register(cursor.context, cursor.symbol):
        return []
    return _places(semantics.module, cursor, all_writes(semantics, cursor.context, cursor.word))


def preparing(semantics: Semantics, offset: int) -> Iterator[None]:
    """Make the graph of the function around ``offset``, or find its barriers, in steps of some milliseconds."""
    cursor = at(semantics, offset)
    if cursor is not None and _is_of_opcode(cursor):
        yield from semantics.finding_barriers(cursor.context.function)
    elif cursor is not None:
        yield from semantics.flow(cursor.context.function).preparing(only_graph=True)


def _declared(cursor: Cursor | None) -> Symbol | None:
    """The symbol that the name at the cursor means, if a statement declares it."""
    symbol = cursor.symbol if cursor is not None else None
    return symbol if symbol is not None and not is_given(symbol) else None


def _is_of_opcode(cursor: Cursor) -> bool:
    return cursor.what in (CursorKind.OPCODE, CursorKind.QUALIFIER)


def _places(module: Module, cursor: Cursor, found: Sequence[Place]) -> list[Destination]:
    targets = []
    for place in found:
        start = module.positions.statement_start(place.chunk, place.statement)
        statement = place.chunk.statement(place.statement)
        whole = Span(statement.lead, statement.tokens[-1].end).shifted(start)
        targets.append(Destination(cursor.span, module.positions.span_of(place), whole, True))
    return targets


def _target(module: Module, origin: Span, symbol: Symbol) -> Destination:
    return Destination(origin, module.positions.span_of(symbol.place), extent(module, symbol), symbol.is_definition)
