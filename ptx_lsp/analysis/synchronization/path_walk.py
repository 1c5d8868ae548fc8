"""One path from the start of a function, of any thread or of a given one: branches go as far as known as they say.

Where the guard of a branch is not known, the path takes the shortest way to where it is led; guards that are equal are
decided the same way. So a loop can be followed for some rounds, with the values that its registers have in each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.synchronization.branch_guards import PathSegment
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.syntax.tree import Operand

_Distances = dict[tuple[int, frozenset[Edge]], dict[int, int]]
"""The number of edges from nodes to another one, without some edges."""
_MOST_NODES = 600
_MOST_STEPS = 3_000
"""So many nodes a path has, and so many instructions are evaluated for it."""


class PathWalk:
    """A path through a kernel.

    Args:
        kernel: the kernel.
        thread: the values of the thread that takes it; None for any thread.
        known: the distances to nodes that are known; it grows.

    """

    def __init__(self, kernel: Kernel, thread: PathValues | None = None, known: _Distances | None = None) -> None:
        self._kernel = kernel
        self._segments = [PathSegment(0, -1, None)]
        values = thread or kernel.path_values
        self._values = values.along(self._segments, _MOST_STEPS, is_any=thread is None)
        self._decided: dict[int, int] = {}
        self._known: _Distances = {} if known is None else known

    def lead(self, target: int, without: frozenset[Edge] = frozenset()) -> bool:
        """Go on to a node; False if the path does not come there.

        Args:
            target: the node.
            without: edges that are not taken.

        """
        distances = self._distances(target, without)
        while len(self._segments) < _MOST_NODES:
            following = self._next(distances, without)
            if following is None:
                return False
            self._segments.append(PathSegment(following, -1, None))
            if following == target:
                return True
        return False

    def value(self, step: Step, operand: Operand) -> LinearValue:
        """The value of an operand of an instruction in the last node of the path."""
        return self._values.operand_at(len(self._segments) - 1, step, operand)

    def _next(self, distances: dict[int, int], without: frozenset[Edge]) -> int | None:
        """The node after the last one."""
        number = self._segments[-1].node
        ways = [one for one in self._kernel.graph.nodes[number].successors if (number, one) not in without]
        branch = self._values.branches.of(number)
        if branch is not None:
            value = self._values.register_at(len(self._segments) - 1, branch.step, branch.register)
            unknown = value.terms[0] if len(value.terms) == 1 and abs(value.terms[0][1]) == 1 else None
            if unknown is not None and unknown[0] in self._decided:
                value = LinearValue(value.number + unknown[1] * self._decided[unknown[0]])
            if not value.terms:
                ways = [one for one in ways if branch.value_on(one) is bool(value.number)]
            elif unknown is not None and any(one in distances for one in ways):
                chosen = min((one for one in ways if one in distances), key=distances.__getitem__)
                self._decided[unknown[0]] = (int(branch.value_on(chosen)) - value.number) * unknown[1]
                return chosen
        return min((one for one in ways if one in distances), key=distances.__getitem__, default=None)

    def _distances(self, target: int, without: frozenset[Edge]) -> dict[int, int]:
        """The number of edges from each node to another one."""
        found = self._known.get((target, without))
        if found is not None:
            return found
        nodes = self._kernel.graph.nodes
        found = self._known[target, without] = {target: 0}
        waiting = deque([target])
        while waiting:
            number = waiting.popleft()
            for before in nodes[number].predecessors:
                if before not in found and (before, number) not in without:
                    found[before] = found[number] + 1
                    waiting.append(before)
        return found


def rounds_of(
    kernel: Kernel, step: Step, operands: tuple[Operand, ...], most: int
) -> Iterator[tuple[LinearValue, ...]]:
    """The values of operands of an instruction each time that one thread comes to it.

    Args:
        kernel: the kernel.
        step: the instruction. If it waits for an mbarrier, repetitions of the wait do not count.
        operands: the operands.
        most: so many times at most.

    """
    edges = kernel.wait_edges(step)
    without: frozenset[Edge] = edges.incomplete if edges is not None else frozenset()
    walk = _walk_to(kernel, step.node, without, (None, kernel.threads.values_at(step)))
    if walk is None:
        return
    for number in range(most):
        if number and not walk.lead(step.node, without):
            return
        yield tuple(walk.value(step, one) for one in operands)


def _walk_to(
    kernel: Kernel, node: int, without: frozenset[Edge], threads: Sequence[PathValues | None]
) -> PathWalk | None:
    """The path to a node of the first of some threads that comes there; None stands for any thread.

    Any thread takes the shortest way where a branch is not known, and a later branch may then send it away.
    """
    known: _Distances = {}
    for thread in threads:
        walk = PathWalk(kernel, thread, known)
        if not node or walk.lead(node, without):
            return walk
    return None
