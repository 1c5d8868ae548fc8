"""The writes of a register that reach a place, and the reads that a write reaches.

The text alone often gives the answer: a register with one write, or a write above in the same straight line. Else the
control-flow graph of the function is followed; in a long function it is made in slices first, by ``Flow.preparing``.
"""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.analysis.dataflow.definitions import Definitions
from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.liveness import readers_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.references.reaching_definitions import is_cheap
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place, Symbol, SymbolKind
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import OperandKind

MOST_PLACES = 200
"""So many writes or reads are listed at most; no reader goes through more."""
_MOST_NODES = 20_000
"""So many blocks, or reads, are looked at for the readers of one write."""


def is_register(context: StatementContext, symbol: Symbol | None) -> bool:
    """Whether a name in a statement is a register in an instruction of a function body."""
    if symbol is None or symbol.kind is not SymbolKind.REGISTER:
        return False
    return context.instruction is not None and context.is_inside


def writes_at(semantics: Semantics, context: StatementContext, token: int) -> list[Place] | None:
    """The writes whose value the register at a token has there, nearest first; of a result the statement itself.

    The token of each place is the register's. None if the graph of a long function is needed that is not made yet.
    Empty if no write reaches the place.
    """
    is_read, is_written = accesses_at(semantics, context, token)
    own = [context.place._replace(token=token)] if is_written else []
    if own and not is_read:
        return own
    found = reaching_writes(semantics, context, context.word(token))
    if found is None:
        return None
    others = [place for place in found if place[:2] != (context.chunk, context.index)] if own else found
    return [*own, *others]


def reaching_writes(semantics: Semantics, context: StatementContext, name: str) -> list[Place] | None:
    """The writes whose value a register may have before a statement; the results are those of :func:`writes_at`."""
    definitions = Definitions(semantics.effects, context.function)
    register = definitions.register(name, context.chunk, context.index)
    if register is None:
        return []
    nearest = definitions.nearest(register, context.chunk, context.index)
    if nearest is not None:
        return [_written(context, nearest.chunk, nearest.statement, name)]
    is_known = semantics.has_flow(context.function)
    if not is_known and not is_cheap(semantics, context.function):
        every = definitions.of(register)
        return [_written(context, one.chunk, one.statement, name) for one in every] if len(every) < 2 else None
    step = step_of(semantics, context)
    if step is None:
        return []
    steps = semantics.flow(context.function).steps
    found = sorted(steps.definitions(step, register.key, at_any_cost=True), key=_distance_from(context))[:MOST_PLACES]
    return [_written(context, one.chunk, one.statement, name) for one in found]


def _distance_from(context: StatementContext) -> Callable[[Step], int]:
    """The distance of instructions from a statement in the text."""
    start = context.module.positions.statement_start
    here = start(context.chunk, context.index)
    return lambda step: abs(start(step.chunk, step.statement) - here)


def all_writes(semantics: Semantics, context: StatementContext, name: str) -> list[Place]:
    """All writes of the register that a name means in a statement, in the order of the text."""
    definitions = Definitions(semantics.effects, context.function)
    register = definitions.register(name, context.chunk, context.index)
    found = definitions.of(register)[:MOST_PLACES] if register is not None else ()
    return [_written(context, one.chunk, one.statement, name) for one in found]


def readers(semantics: Semantics, context: StatementContext, name: str) -> list[Place] | None:
    """The statements that may read a register with the value that a statement gives it, nearest first.

    None if the graph of a long function is needed that is not made yet.
    """
    if not semantics.has_flow(context.function) and not is_cheap(semantics, context.function):
        return _readers_by_text(semantics, context, name)
    step = step_of(semantics, context)
    if step is None:
        return []
    flow = semantics.flow(context.function)
    key = flow.graph.registers.key(name, flow.graph.nodes[step.node].scope)
    found = readers_of(flow.steps, step, key, _MOST_NODES)[:MOST_PLACES]
    return [_read(context, one.chunk, one.statement, name) for one in found]


def step_of(semantics: Semantics, context: StatementContext) -> Step | None:
    """An instruction in the graph of its function, which is made; None for what control does not come to."""
    if context.chunk.kinds[context.index] != Kind.INSTRUCTION:
        return None
    flow = semantics.flow(context.function)
    node = flow.graph.node_at(context.chunk, context.index)
    if node is None or node.number not in flow.graph.reachable:
        return None
    return flow.steps.at(node.number, context.index)


def _readers_by_text(semantics: Semantics, context: StatementContext, name: str) -> list[Place] | None:
    """All other statements that name a register that is written once."""
    definitions = Definitions(semantics.effects, context.function)
    register = definitions.register(name, context.chunk, context.index)
    if register is None:
        return []
    if len(definitions.of(register)) != 1:
        return None
    found: list[Place] = []
    for chunk, index in definitions.uses(register):
        is_other = (chunk, index) != (context.chunk, context.index)
        if is_other and chunk.kinds[index] == Kind.INSTRUCTION and len(found) < MOST_PLACES:
            found.append(_read(context, chunk, index, name))
    return found


def accesses_at(semantics: Semantics, context: StatementContext, token: int) -> tuple[bool, bool]:
    """Whether the register at a token is read there, and whether it is written."""
    effect = semantics.effects.of(context.chunk, context.index)
    names = words(context.chunk.part(context.index))
    word = context.word(token)
    updated, written, read = (
        word in {names[at] for at in places} for places in (effect.updates, effect.writes, effect.reads)
    )
    if updated:
        return True, True
    if not (written and read):
        return not written, written
    is_result = _is_result(context, token)
    return not is_result, is_result


def _is_result(context: StatementContext, token: int) -> bool:
    """Whether a token is in an operand that the instruction writes, not in an address."""
    tree, match = context.instruction, context.match
    if tree is None or match is None:
        return False
    return any(
        writes and operand.first <= token < operand.last and operand.kind is not OperandKind.ADDRESS
        for operand, writes in zip(tree.operands, match.writes, strict=False)
    )


def _written(context: StatementContext, chunk: Chunk, statement: int, name: str) -> Place:
    """The place of the result ``name`` of a statement."""
    return _named(StatementContext(context.module, context.function, chunk, statement), name, is_result=True)


def _read(context: StatementContext, chunk: Chunk, statement: int, name: str) -> Place:
    return _named(StatementContext(context.module, context.function, chunk, statement), name, is_result=False)


def _named(context: StatementContext, name: str, *, is_result: bool) -> Place:
    """The token ``name`` of a statement; of several the one that is a result or the one that is not."""
    tokens = [token for token, _ in context.statement.shape.names if context.word(token) == name]
    if len(tokens) > 1:
        tokens = [token for token in tokens if _is_result(context, token) is is_result] or tokens
    return context.place._replace(token=tokens[0] if tokens else 0)
