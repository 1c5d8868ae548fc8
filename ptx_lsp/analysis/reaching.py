"""The instructions whose value a register surely has, where finding them out costs next to nothing."""

from __future__ import annotations

from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.packed.writes import Write
from ptx_lsp.analysis.symbols import SymbolKind
from ptx_lsp.analysis.tally import tally
from ptx_lsp.analysis.use import Use

MOST_STATEMENTS = 1500
"""Of a longer function the flow is not followed: the answer must come at once."""
MOST_NEW = 60
"""As many shapes of its statements may be new."""


def is_cheap(module: Module, function: Function) -> bool:
    """Whether the flow through a function can be followed while somebody waits."""
    if sum(len(chunk.kinds) for chunk in function.chunks) > MOST_STATEMENTS:
        return False
    return sum(module.effects.unknown_shapes(chunk) for chunk in function.chunks) <= MOST_NEW


def reaching(use: Use, name: str) -> tuple[Use, ...]:
    """The instructions one of which wrote what a register holds before a statement, nearest first.

    Empty where that is not known: no write, one that a predicate decides on, a call, or too much to look through.
    """
    writes = use.module.packed(use.function).writes
    register = writes.register(name, use.chunk, use.index)
    if register is None:
        return ()
    nearest = writes.nearest(register, use.chunk, use.index)
    if nearest is not None:
        return (_use(use, nearest),) if nearest.is_known else ()
    if use.module.has_flow(use.function) or is_cheap(use.module, use.function):
        return _followed(use, name)
    return _only(use, name)


def keep_their_values(earlier: Use, later: Use, result: str, names: tuple[str, ...]) -> bool:
    """Whether registers have at an instruction the values that an earlier one read, which wrote ``result``.

    In a straight line neither the earlier one nor any in between writes them, and none in between the result;
    elsewhere each has one write in all of the function, which comes first in a program that writes before it reads.
    """
    writes = later.module.packed(later.function).writes
    found = [(name, writes.register(name, later.chunk, later.index)) for name in (*names, result)]
    registers = [(name, register) for name, register in found if register is not None]
    if writes.is_straight(earlier.chunk, earlier.index, later.chunk, later.index):
        return not any(
            earlier.index + (name == result) <= write.statement < later.index
            for name, register in registers
            for write in writes.within(register, later.chunk)
        )
    return is_cheap(later.module, later.function) and all(len(writes.of(register)) <= 1 for _, register in registers)


def _use(use: Use, write: Write) -> Use:
    return Use(use.module, use.function, write.chunk, write.statement)


def _followed(use: Use, name: str) -> tuple[Use, ...]:
    module, function = use.module, use.function
    is_there = module.has_flow(function)
    flow = module.flow(function)
    try:
        node = flow.graph.node_at(use.chunk, use.index)
        if node is None or node.number not in flow.graph.reachable:
            return ()
        step = flow.steps.at(node.number, use.index)
        found = flow.steps.definitions(step, flow.graph.register(name, node.scope))
    finally:
        if not is_there:
            module.forget_flow(function)
    if any(one.guarded or not one.writes for one in found):
        return ()
    return tuple(Use(module, function, one.chunk, one.statement) for one in found)


def _only(use: Use, name: str) -> tuple[Use, ...]:
    """The one instruction of a long function that writes a register."""
    symbol = use.scope.lookup(name)
    if symbol is None or symbol.kind is not SymbolKind.REGISTER:
        return ()
    found = tally(use.module, symbol, name)
    if not found.is_complete or len(found.writes) != 1 or found.mentions:
        return ()
    (place,) = found.writes
    tree = place.chunk.statement(place.statement).shape.tree
    if getattr(tree, "guard", None) is not None:
        return ()
    return (Use(use.module, use.function, place.chunk, place.statement),)
