"""Reaching definitions while the user waits: must-results only, bounded cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ptx_lsp.analysis.dataflow.definitions import Definitions, RegisterDefinition, straight_between
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.module.function import Function, statement_count
from ptx_lsp.analysis.references.tally import Tally
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind

MOST_STATEMENTS = 1500
"""Of a longer function the flow is not followed: the answer must come at once."""
MOST_NEW = 60
"""As many shapes of its statements may be new."""


def is_cheap(semantics: Semantics, function: Function) -> bool:
    """Whether the flow through a function can be followed within the time of one answer."""
    if statement_count(function) > MOST_STATEMENTS:
        return False
    return semantics.effects.unknown_shapes(function.chunks) <= MOST_NEW


MOST_IN_SLICES = 8000
"""In a function of as many statements the flow can be followed for an answer that comes some slices later."""


def awaits_flow(semantics: Semantics, function: Function) -> bool:
    """Whether a function has no graph yet, which takes too long for an answer at once, but not for a later one."""
    return not semantics.has_flow(function) and _takes_slices(semantics, function)


MOST_AHEAD = 150_000
"""The graph of a function of as many statements is made while it is quiet; no answer waits for it."""


def is_made_ahead(semantics: Semantics, function: Function) -> bool:
    """Whether a long function has no graph yet, and gets one while it is quiet."""
    if not function.has_body or semantics.has_flow(function):
        return False
    return MOST_IN_SLICES < statement_count(function) <= MOST_AHEAD


def awaits_structure(semantics: Semantics, function: Function) -> bool:
    """Whether the loops of a function are not found yet, which takes too long for an answer at once."""
    return semantics.structure(function) is None and _takes_slices(semantics, function)


def _takes_slices(semantics: Semantics, function: Function) -> bool:
    return function.has_body and not is_cheap(semantics, function) and statement_count(function) <= MOST_IN_SLICES


def reaching(
    semantics: Semantics, context: StatementContext, name: str, found: Tally | None = None
) -> tuple[StatementContext, ...]:
    """The instructions one of which wrote what a register holds before a statement, nearest first.

    Empty where that is not known: no write, one that a predicate decides on, a call, or too much to look through.

    Args:
        semantics: the module.
        context: the statement that reads it.
        name: the register.
        found: where the register stands, if that is known; in functions that no graph is made of it is not found out.

    """
    definitions = Definitions(semantics.effects, context.function)
    register = _register(definitions, context, name)
    if register is None:
        return ()
    nearest = definitions.nearest(register, context.chunk, context.index)
    if nearest is not None:
        return _sure(context, nearest)
    is_short = is_cheap(semantics, context.function)
    if statement_count(context.function) > MOST_IN_SLICES and (found is None or not found.is_complete):
        return ()
    only = definitions.only(register)
    if only is not None and _is_before(context, only):
        return _sure(context, only)
    return _followed(semantics, context, register) if is_short and definitions.of(register) else ()


def keep_their_values(
    semantics: Semantics, earlier: StatementContext, later: StatementContext, result: str, names: tuple[str, ...]
) -> bool:
    """Whether registers have at an instruction the values that an earlier one read, which wrote ``result``.

    In a straight line neither the earlier one nor any in between writes them, and none in between the result;
    elsewhere each has one write in all of the function, and that before the earlier one.
    """
    definitions = Definitions(semantics.effects, later.function)
    registers = [one for name in (*names, result) if (one := _register(definitions, later, name)) is not None]
    between = straight_between(later.function, earlier.chunk, earlier.index, later.chunk, later.index)
    if between is not None:
        own = earlier.chunk, earlier.index
        return not any(
            (one.chunk, one.statement) != own or register.name != result
            for register in registers
            for run in between
            for one in definitions.within(register, *run)
        )
    if not is_cheap(semantics, later.function):
        return False
    for register in registers:
        found = definitions.of(register)
        is_only = len(found) == 1 and (register.name == result or _is_before(earlier, found[0]))
        if found and not is_only:
            return False
    return True


def _register(definitions: Definitions, context: StatementContext, name: str) -> Register | None:
    symbol = context.scope.lookup(name)
    if symbol is None or symbol.kind is not SymbolKind.REGISTER:
        return None
    return definitions.register(name, context.chunk, context.index)


def _is_before(context: StatementContext, one: RegisterDefinition) -> bool:
    """Whether a definition stands before a statement in the text."""
    number = context.module.positions.chunk_number
    return (number(one.chunk), one.statement) < (number(context.chunk), context.index)


def _sure(context: StatementContext, one: RegisterDefinition) -> tuple[StatementContext, ...]:
    if one.guarded or not one.is_known:
        return ()
    return (StatementContext(context.module, context.function, one.chunk, one.statement),)


def _followed(semantics: Semantics, context: StatementContext, register: Register) -> tuple[StatementContext, ...]:
    """The definitions that reach a statement on the graph."""
    function = context.function
    flow = semantics.flow(function)
    node = flow.graph.node_at(context.chunk, context.index)
    if node is None or node.number not in flow.graph.reachable:
        return ()
    step = flow.steps.at(node.number, context.index)
    found = flow.steps.definitions(step, register.key, at_any_cost=True)
    if any(one.guarded or not one.writes for one in found):
        return ()
    return tuple(StatementContext(semantics.module, function, one.chunk, one.statement) for one in found)


@contextmanager
def flow_for_once(semantics: Semantics, function: Function) -> Iterator[None]:
    """Drop the flow of a function at the end, unless it was known before."""
    is_there = semantics.has_flow(function)
    try:
        yield
    finally:
        if not is_there:
            semantics.forget_flow(function)
