"""The number of threads of a CTA that come to an instruction at most, by guards and by branches before it."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.symbolic.launch_limits import LaunchLimits
from ptx_lsp.analysis.symbolic.predicates import Predicates
from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths
from ptx_lsp.analysis.symbolic.value_sources import Write
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

_WARP = 32
_LONGEST_ROW = 1024
_MOST_CONDITIONS = 4
"""So many branches before an instruction are looked at that depend on the thread."""
_MOST_NODES = 500
"""So many nodes are searched for the side of a branch on which an instruction is."""


class _Condition(NamedTuple):
    """A guard that lets a thread come to an instruction, if it holds or if it does not."""

    step: Step
    wanted: bool


class ThreadCounts:
    """The counts of one kernel.

    Args:
        steps: its instructions.
        paths: the paths of its threads.
        predicates: its predicates.
        limits: the threads that it is launched with.

    """

    def __init__(self, steps: Steps, paths: ThreadPaths, predicates: Predicates, limits: LaunchLimits) -> None:
        self._steps = steps
        self._graph = steps.graph
        self._paths = paths
        self._predicates = predicates
        self._limits = limits

    def most(self, step: Step) -> int | None:
        """The number of threads of a CTA that come to an instruction at most; None if it has no known bound."""
        if not self._limits.most:
            return None
        row, *others = self._limits.most
        conditions = [*self._conditions(step)]
        if others != [1, 1] or row > _LONGEST_ROW:
            return prod(self._limits.most)
        may = [thread for thread in range(row) if all(self._may_hold(one, thread) for one in conditions)]
        if any(one.wanted and self._elects(one.step) for one in conditions):
            return len({thread // _WARP for thread in may})
        return len(may)

    def _may_hold(self, one: _Condition, thread: int) -> bool:
        admitted = self._paths.admits(one.step, thread)
        return admitted is None or admitted is one.wanted

    def _conditions(self, step: Step) -> Iterator[_Condition]:
        """The conditions that hold for a thread that comes to an instruction, if they depend on the thread."""
        if step.guarded:
            yield _Condition(step, wanted=True)
        graph, left = self._graph, _MOST_CONDITIONS
        above = graph.dominance.immediate(step.node)
        while above is not None and left:
            node, ways = graph.nodes[above], tuple(graph.ways(above))
            if node.piece.guarded and node.piece.control is not Control.TABLE:
                guard = self._steps.at(above, node.piece.end - 1)
                is_leaving = node.piece.control is Control.LEAVE
                if (is_leaving or len(ways) == 2) and self._is_about_threads(guard):
                    left -= 1
                    leading = [one for one in ways if self._leads(one, step.node, above)]
                    if len(leading) == 1:
                        yield _Condition(guard, wanted=not is_leaving and leading[0] != above + 1)
            above = graph.dominance.immediate(above)

    def _is_about_threads(self, guard: Step) -> bool:
        """Whether a guard holds for some threads only."""
        last = self._limits.most[0] - 1
        found = {self._paths.admits(guard, thread) for thread in (0, 1, _WARP, last) if thread <= last}
        return found != {None} or self._elects(guard)

    def _elects(self, guard: Step) -> bool:
        """Whether a guard that is not negated holds for one thread of a warp, which was elected."""
        tree = SHAPES[guard.chunk.shapes[guard.statement]].tree
        if not isinstance(tree, Instruction) or tree.guard is None or tree.guard.negated:
            return False
        source = self._predicates.guard(self._steps.context(guard))
        if not isinstance(source, Write) or not source.is_sure:
            return False
        return SHAPES[source.chunk.shapes[source.statement]].opcode[0] == "elect"

    def _leads(self, start: int, target: int, without: int) -> bool:
        """Whether a node leads to another one without a third; also if the search is too long."""
        waiting, seen = [start], {start, without}
        while waiting:
            number = waiting.pop()
            if number == target or len(seen) > _MOST_NODES:
                return True
            for following in self._graph.nodes[number].successors:
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return False
