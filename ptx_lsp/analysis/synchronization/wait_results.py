"""The branches that the result of a wait decides: on which the phase is complete, and on which it may not be.

A wait for an mbarrier does not block until the phase is complete: its result says whether it is. The result is followed
through negations, and through the numbers that compilers make of it (``selp`` and ``setp``).
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.liveness import readers_of
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.synchronization.branch_guards import BranchGuards
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import OperandKind

_MOST_READERS = 32
_DEEPEST = 4

Edge = tuple[int, int]
"""A node, and the node that follows it."""


class WaitEdges(NamedTuple):
    """The edges of the graph that the result of a wait decides."""

    complete: frozenset[Edge]
    """The result is true on them: the phase is complete."""
    incomplete: frozenset[Edge]
    """The result is false on them."""


class _Meaning(NamedTuple):
    """The values of a register when the result of the wait is true, and when it is false."""

    if_complete: int
    if_not: int


def edges_of(steps: Steps, branches: BranchGuards, wait: Step) -> WaitEdges | None:
    """The edges that the result of a wait decides; None if it is used otherwise, or not at all."""
    if len(wait.writes) != 1 or wait.guarded:
        return None
    complete: set[Edge] = set()
    incomplete: set[Edge] = set()
    waiting = [(wait, wait.writes[0], _Meaning(1, 0), _DEEPEST)]
    while waiting:
        maker, register, meaning, depth = waiting.pop()
        for reader in readers_of(steps, maker, register, _MOST_READERS):
            if len(steps.definitions(reader, register)) != 1:
                return None
            branch = branches.of(reader.node)
            if branch is not None and branch.step == reader and branch.register == register:
                for following in steps.graph.nodes[reader.node].successors:
                    value = branch.value_on(following)
                    found = complete if value == bool(meaning.if_complete) else incomplete
                    found.add((reader.node, following))
                continue
            made = _made(steps, reader, register, meaning) if depth and not reader.guarded else None
            if made is None:
                return None
            waiting.append((reader, reader.writes[0], made, depth - 1))
    return WaitEdges(frozenset(complete), frozenset(incomplete)) if complete and incomplete else None


def _made(steps: Steps, reader: Step, register: str, meaning: _Meaning) -> _Meaning | None:
    """The values of what an instruction computes from a register; None if they are not known, or the same."""
    context = steps.context(reader)
    tree = context.instruction
    if tree is None or len(reader.writes) != 1:
        return None
    operands = tree.operands
    if any(one.kind is OperandKind.NAME and one.sign for one in operands):
        return None
    if reader.opcode == ("not", ".pred"):
        return _Meaning(1 - meaning.if_complete, 1 - meaning.if_not)
    if reader.opcode[0] == "selp" and len(operands) == 4 and register not in reader.reads[:-1]:
        one, other = (evaluate(context.statement, operand) for operand in operands[1:3])
        if isinstance(one, int) and isinstance(other, int) and one != other:
            return _Meaning(*(one if value else other for value in meaning))
    if reader.opcode[0] == "setp" and len(operands) == 3 and reader.opcode[1] in (".eq", ".ne"):
        other = evaluate(context.statement, operands[2])
        if isinstance(other, int) and len(reader.opcode) == 3:
            found = [int((value == other) is (reader.opcode[1] == ".eq")) for value in meaning]
            return _Meaning(*found) if found[0] != found[1] else None
    return None
