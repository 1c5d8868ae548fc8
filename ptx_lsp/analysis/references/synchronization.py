"""The barriers and asynchronous work that an instruction takes part in, and the partners of it.

In a short function they are found at once, in a long one in slices first, by ``Semantics.finding_barriers``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function, statement_count
from ptx_lsp.analysis.module.source_map import preparing_frames
from ptx_lsp.analysis.references.reaching_definitions import MOST_AHEAD, is_cheap
from ptx_lsp.analysis.references.register_writes import step_of
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.analysis.synchronization.barrier_objects import Member, SyncObject
from ptx_lsp.analysis.synchronization.participants import takes_part

_MOST_STATEMENTS = 50_000
"""Hovers show no barriers of longer functions, unless they are found already."""


def may_take_part(context: StatementContext) -> bool:
    """Whether an instruction may take part in synchronization; a look at its opcode."""
    tree = context.instruction
    return tree is not None and context.is_inside and takes_part(context.statement.shape.opcode)


def objects_at(semantics: Semantics, context: StatementContext) -> list[tuple[SyncObject, Member]] | None:
    """The barriers and work of an instruction; None if the barriers of a long function are needed and not found yet."""
    if not may_take_part(context):
        return []
    barriers = semantics.barriers(context.function)
    if barriers is None:
        if not is_cheap(semantics, context.function):
            return None
        for _ in semantics.finding_barriers(context.function):
            pass
        barriers = semantics.barriers(context.function)
    step = step_of(semantics, context)
    return barriers.at(step) if step is not None and barriers is not None else []


def needs_preparing(semantics: Semantics, context: StatementContext) -> bool:
    """Whether a hover waits for the barriers of a long function."""
    function = context.function
    if not may_take_part(context) or statement_count(function) > _MOST_STATEMENTS:
        return False
    return semantics.barriers(function) is None and not is_cheap(semantics, function)


def preparing_answers(semantics: Semantics, function: Function) -> Iterator[None]:
    """Make what the first hover in a function needs, in steps of some milliseconds.

    That is its source lines, its graph with its loops and, where instructions synchronize, the barriers. Hovers in
    functions of more than ``MOST_AHEAD`` statements do without the last two.
    """
    yield from preparing_frames(semantics.module, function)
    if not function.has_body or statement_count(function) > MOST_AHEAD:
        return
    flow = semantics.flow(function)
    yield from flow.preparing_expressions()
    _ = flow.graph.reachability  # for a register that one far node writes
    yield
    opcodes = flow.full_opcodes
    yield
    if any(takes_part(opcode) for opcode in opcodes):
        yield from semantics.finding_barriers(function)


def partners_at(semantics: Semantics, context: StatementContext) -> list[Place] | None:
    """The instructions that an instruction waits for, or that wait for it; None as above. Places are of opcodes."""
    found = objects_at(semantics, context)
    if found is None:
        return None
    barriers = semantics.barriers(context.function)
    members = [other for one, member in found for other in barriers.partners(one, member)] if barriers else []
    return [_place(semantics, context.function, member) for member in members]


def members_at(semantics: Semantics, context: StatementContext) -> list[Place] | None:
    """All instructions that take part in what an instruction takes part in, itself included; None as above."""
    found = objects_at(semantics, context)
    if found is None:
        return None
    members = [other for one, own in found for other in one.members if other == own or other.may_meet(own)]
    return [_place(semantics, context.function, member) for member in members]


def _place(semantics: Semantics, function: Function, member: Member) -> Place:
    context = StatementContext(semantics.module, function, member.step.chunk, member.step.statement)
    tree = context.instruction
    return member.step.place._replace(token=tree.opcode_tokens[0] if tree is not None else 0)
