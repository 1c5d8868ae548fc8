"""The line of a hover about the order of operations on Tensor Memory: what must be between this one and the next."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.synchronization.ordering_facts import facts_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.ordering import TENSOR_MEMORY, Verb
from ptx_lsp.isa.vocabulary.rare_words import PipelinedPair


def order_notes(context: StatementContext, match: Match) -> tuple[str, ...]:
    """Return the pipelined instructions that may follow, and what must be before all others; empty for other work."""
    tree = context.instruction
    if tree is None or not match.fits:
        return ()
    facts = facts_of(match, tree.opcode)
    kinds = [fact.what for fact in facts if fact.verb is Verb.STARTS and fact.what in TENSOR_MEMORY]
    rare = catalogue().vocabulary.rare
    return tuple(_note(tree.opcode, rare.pipelined_pairs, *rare.work_completion[kind]) for kind in kinds)


def _note(opcode: tuple[str, ...], pairs: tuple[PipelinedPair, ...], between: str, section: str) -> str:
    following = [_described(pair) for pair in pairs if pair.begins_with(opcode)]
    before = "accesses of the same columns that depend on it"
    if not following:
        return f"before {before}: {between} (PTX ISA, {section})"
    return f"in order without a wait: {', '.join(following)}; before other {before}: {between} (PTX ISA, {section})"


def _described(pair: PipelinedPair) -> str:
    """The second instruction of a pair, with what both must have in common."""
    words = f"`{pair.then}`"
    if pair.qualifier:
        words += f" with `{pair.qualifier}`"
    if pair.same:
        words += f" with the same {' and '.join(pair.same)}"
    return words
