"""Addresses in another CTA: of what place in this one they are the counterpart."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.value_sources import ValueSources, Write, has_the_guard_of
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Operand


class Counterpart(NamedTuple):
    """An instruction that computes an address in another CTA, and its operands."""

    context: StatementContext
    place: Operand
    """The address in this CTA."""
    rank: Operand | None
    """The number of the other CTA in the cluster; None if the instruction has no operand for it."""


def counterpart(context: StatementContext, name: str, sources: ValueSources) -> Counterpart | None:
    """The instruction that mapped the value of a register before a statement to another CTA; None if none did."""
    source = sources.before(context, name)
    if not isinstance(source, Write) or not (source.is_sure or has_the_guard_of(source, context)):
        return None
    return made_by(StatementContext(context.module, context.function, source.chunk, source.statement))


def made_by(context: StatementContext) -> Counterpart | None:
    """The counterpart that an instruction computes; None if it computes none."""
    match, tree = context.match, context.instruction
    if match is None or tree is None or not match.fits:
        return None
    operands = dict(zip(match.roles, tree.operands, strict=False))
    names = [name for fact in match.form.ordering if fact.verb is Verb.MAPS for name in fact.operands]
    if not names or names[0] not in operands:
        return None
    ranks = [one for role, one in operands.items() if role not in (names[0], match.roles[0])]
    return Counterpart(context, operands[names[0]], ranks[0] if len(ranks) == 1 else None)
