"""Paths through a graph, and the guards of the jumps on them."""

from __future__ import annotations

from collections import Counter

from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.synchronization.path_results import may_be_known
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction


class PathSegment(NamedTuple):
    """The statements ``(after, before)`` of a node that a path executes; None: to the end."""

    node: int
    after: int
    before: int | None


class BranchGuard(NamedTuple):
    """The guard of the jump at the end of a node."""

    step: Step
    register: str
    negated: bool
    next: int
    """The node that follows if the jump is not taken."""
    is_exit: bool

    def value_on(self, following: int) -> bool:
        """The value of the predicate if ``following`` is the next node."""
        return self.negated if self.is_exit else (following != self.next) is not self.negated


class BranchGuards:
    """The guards of all jumps of a function.

    Args:
        steps: its instructions.

    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._known: dict[int, BranchGuard | None] = {}
        self._may_be_known: dict[str, bool] = {}

    def of(self, number: int) -> BranchGuard | None:
        """The guard of the jump at the end of a node; None if there is none, or if it makes no difference."""
        if number not in self._known:
            self._known[number] = self._found(number)
        return self._known[number]

    def _found(self, number: int) -> BranchGuard | None:
        node = self._steps.graph.nodes[number]
        if not node.piece.guarded or node.piece.control is Control.TABLE:
            return None
        is_exit = node.piece.control is Control.LEAVE
        if not is_exit and len(node.successors) < 2:
            return None
        step = self._steps.at(number, node.piece.end - 1)
        return BranchGuard(step, step.reads[0], is_negated(step), number + 1, is_exit)

    def may_be_known(self, branch: BranchGuard) -> bool:
        """Whether the predicate of a branch may be a number: not if nothing but waits, for instance, writes it."""
        register = branch.register
        if register not in self._may_be_known:
            steps = self._steps
            writers = (step for node in steps.graph.writers.get(register, ()) for step in steps.writing(node, register))
            self._may_be_known[register] = any(may_be_known(step.opcode) for step in writers)
        return self._may_be_known[register]

    @once
    def all(self) -> list[BranchGuard]:
        """The guards that make a difference, in order of their nodes."""
        return [*filter(None, map(self.of, range(len(self._steps.graph.nodes))))]

    @once
    def counts(self) -> Counter[str]:
        """The number of jumps that each predicate decides."""
        return Counter(branch.register for branch in self.all)


def is_negated(step: Step) -> bool:
    """Whether the guard of an instruction is negated."""
    tree = SHAPES[step.chunk.shapes[step.statement]].tree
    return isinstance(tree, Instruction) and tree.guard is not None and tree.guard.negated
