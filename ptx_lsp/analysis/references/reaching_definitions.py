"""The instructions whose value a register surely has, where finding them out costs next to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.occurrences import Access, Occurrence, occurrences
from ptx_lsp.analysis.references.tally import Tally, tally
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

MOST_STATEMENTS = 1500
"""Of a longer function the flow is not followed: the answer must come at once."""
MOST_NEW = 60
"""As many shapes of its statements may be new."""
_MOST_PLACES = 100
"""A register that stands in more places is not looked for further."""
_LABEL = bytes([Kind.LABEL])


def is_cheap(module: Module, function: Function) -> bool:
    """Whether the flow through a function can be followed while somebody waits."""
    if sum(len(chunk.kinds) for chunk in function.chunks) > MOST_STATEMENTS:
        return False
    return sum(module.effects.unknown_shapes(chunk) for chunk in function.chunks) <= MOST_NEW


def reaching(context: StatementContext, name: str, found: Tally | None = None) -> tuple[StatementContext, ...]:
    """The instructions one of which wrote what a register holds before a statement, nearest first.

    Empty where that is not known: no write, one that a predicate decides on, a call, or too much to look through.

    Args:
        use: the statement that reads it.
        name: the register.
        found: where the register stands, if that is known; in long functions it is not found out.

    """
    symbol = _register(context, name)
    if symbol is None:
        return ()
    earlier = [one for one in _writes(context, symbol, name) if one.statement < context.index]
    if earlier and _is_straight(context.chunk, earlier[-1].statement, context.index):
        sure = _sure(context, earlier[-1])
        if sure or not _is_guarded(context, earlier[-1]):
            return sure
    if is_cheap(context.module, context.function):
        found = found or tally(context.module, symbol, name, _MOST_PLACES)
        only = _only(context, found)
        return _sure(context, only) if only is not None else _followed(context, name) if found.writes else ()
    only = _only(context, found) if found is not None else None
    return _sure(context, only) if only is not None else ()


def keep_their_values(earlier: StatementContext, later: StatementContext, result: str, names: tuple[str, ...]) -> bool:
    """Whether registers have at an instruction the values that an earlier one read, which wrote ``result``.

    In a straight line neither the earlier one nor any in between writes them, and none in between the result;
    elsewhere each has one write in all of the function, and that before the earlier one.
    """
    found = [(name, _register(later, name)) for name in (*names, result)]
    registers = [(name, symbol) for name, symbol in found if symbol is not None]
    if earlier.chunk is later.chunk and _is_straight(later.chunk, earlier.index, later.index):
        return not any(
            earlier.index + (name == result) <= one.statement < later.index
            for name, symbol in registers
            if _is_named_between(earlier, later, name)
            for one in _writes(later, symbol, name)
        )
    if not is_cheap(later.module, later.function):
        return False
    tallies = [(name, tally(later.module, symbol, name, _MOST_PLACES)) for name, symbol in registers]
    return all(
        not found.writes
        and found.is_complete
        or name == result
        and len(found.writes) == 1
        or _only(earlier, found) is not None
        for name, found in tallies
    )


def _is_named_between(earlier: StatementContext, later: StatementContext, name: str) -> bool:
    """Whether a name may stand in what an instruction writes, or between it and a later one of its chunk."""
    chunk, starts = later.chunk, later.chunk.starts()
    if chunk.text.find(name, starts[earlier.index + 1], starts[later.index]) >= 0:
        return True
    return name in earlier.statement.text.partition(",")[0]


def _register(context: StatementContext, name: str) -> Symbol | None:
    symbol = context.scope.lookup(name)
    return symbol if symbol is not None and symbol.kind is SymbolKind.REGISTER else None


def _writes(context: StatementContext, symbol: Symbol, name: str) -> list[Occurrence]:
    """The writes of a register in the chunk of a statement, in order."""
    found = occurrences(context.module, symbol, name, {context.chunk})
    return [one for one in found if one.access in (Access.WRITE, Access.BOTH)]


def _is_straight(chunk: Chunk, earlier: int, later: int) -> bool:
    """Whether a statement of a chunk comes before another one, and no label between them."""
    return earlier < later and chunk.kinds.find(_LABEL, earlier, later) < 0


def _only(context: StatementContext, found: Tally) -> Occurrence | None:
    """The one write of a register, if it stands before a statement."""
    if not found.is_complete or found.mentions or len(found.writes) != 1:
        return None
    (one,) = found.writes
    number = context.module.chunk_number
    return one if (number(one.chunk), one.statement) < (number(context.chunk), context.index) else None


def _is_guarded(context: StatementContext, one: Occurrence) -> bool:
    return context.module.effects.of(one.chunk, one.statement).guarded


def _sure(context: StatementContext, one: Occurrence) -> tuple[StatementContext, ...]:
    if one.access is not Access.WRITE or _is_guarded(context, one):
        return ()
    return (StatementContext(context.module, context.function, one.chunk, one.statement),)


def _followed(context: StatementContext, name: str) -> tuple[StatementContext, ...]:
    module, function = context.module, context.function
    flow = module.flow(function)
    node = flow.graph.node_at(context.chunk, context.index)
    if node is None or node.number not in flow.graph.reachable:
        return ()
    step = flow.steps.at(node.number, context.index)
    found = flow.steps.definitions(step, flow.graph.registers.key(name, node.scope))
    if any(one.guarded or not one.writes for one in found):
        return ()
    return tuple(StatementContext(module, function, one.chunk, one.statement) for one in found)


@contextmanager
def flow_for_once(module: Module, function: Function) -> Iterator[None]:
    """Whatever is found out about the flow inside is forgotten again, unless it was known before."""
    is_there = module.has_flow(function)
    try:
        yield
    finally:
        if not is_there:
            module.forget_flow(function)
