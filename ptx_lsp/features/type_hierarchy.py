"""Type hierarchy of registers: above a write what it is computed from, below it what is computed from it.

PTX has no types that inherit from each other; editors show this tree as they show that of classes.
"""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor, at
from ptx_lsp.analysis.module.extent import extent
from ptx_lsp.analysis.references.dependences import Dependence, result_of, sources, users
from ptx_lsp.analysis.references.register_writes import is_register, writes_at
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

_LONGEST = 80


class HierarchyItem(NamedTuple):
    """An instruction with its result, or a declaration."""

    name: str
    detail: str
    """The statement, shortened."""
    span: Span
    """The name."""
    extent: Span
    """The statement."""
    is_declaration: bool


def prepare(semantics: Semantics, offset: int) -> list[HierarchyItem] | None:
    """Return the writes that reach the register at ``offset``; empty if there is none.

    None if the graph of a long function is needed that is not made yet, as for the other functions here.
    """
    cursor = at(semantics, offset)
    if cursor is None or not is_register(cursor.context, cursor.symbol):
        return []
    found = writes_at(semantics, cursor.context, cursor.token)
    if found is None:
        return None
    return [_item(semantics, cursor, Dependence(place, cursor.word, is_declaration=False)) for place in found]


def supertypes(semantics: Semantics, offset: int) -> list[HierarchyItem] | None:
    """Return what the instruction of the item at ``offset`` depends on."""
    cursor = at(semantics, offset)
    if cursor is None or cursor.context.instruction is None:
        return []
    found = sources(semantics, cursor.context)
    return None if found is None else [_item(semantics, cursor, one) for one in found]


def subtypes(semantics: Semantics, offset: int) -> list[HierarchyItem] | None:
    """Return what depends on the result of the item at ``offset``; nothing on an instruction without a result."""
    cursor = at(semantics, offset)
    if cursor is None or cursor.context.instruction is None:
        return []
    name = result_of(cursor.context, semantics, cursor.context.place._replace(token=cursor.token))
    found = users(semantics, cursor.context, name) if name else []
    return None if found is None else [_item(semantics, cursor, one) for one in found]


def _item(semantics: Semantics, cursor: Cursor, one: Dependence) -> HierarchyItem:
    module, place = semantics.module, one.place
    span = module.positions.span_of(place)
    statement = place.chunk.statement(place.statement)
    if one.is_declaration:
        context = StatementContext(module, module.function_of(place.chunk), place.chunk, place.statement)
        symbol = cursor.context.scope.lookup(one.name)
        whole = extent(module, symbol) if symbol is not None else span
        text = f"{symbol.space} {symbol.type}" if symbol is not None else context.statement.text
    else:
        start = module.positions.statement_start(place.chunk, place.statement)
        whole = Span(statement.lead, statement.tokens[-1].end).shifted(start)
        text = " ".join(statement.text[statement.lead :].split())
    detail = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return HierarchyItem(one.name, detail, span, whole, one.is_declaration)
