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
_ALL_LANES = (1 << _WARP) - 1
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
        self._dividing: dict[int, bool] = {}
        self._branches: dict[int, int | None] = {}
        self._reached: dict[tuple[int, int], frozenset[int] | None] = {}

    def most(self, step: Step) -> int | None:
        """The number of threads of a CTA that come to an instruction at most; None if it has no known bound."""
        if not self._limits.most:
            return None
        row, *others = self._limits.most
        conditions = [*self._conditions(step)]
        if others != [1, 1] or row > _LONGEST_ROW:
            return prod(self._limits.most)
        may = (1 << row) - 1
        for one in conditions:
            admitted = self._paths.admitted(one.step)
            may &= ~(admitted.fails if one.wanted else admitted.holds)
        if any(one.wanted and self._elects(one.step) for one in conditions):
            return sum(bool(may >> first & _ALL_LANES) for first in range(0, row, _WARP))
        return may.bit_count()

    def _conditions(self, step: Step) -> Iterator[_Condition]:
        """The conditions that hold for a thread that comes to an instruction, if they depend on the thread."""
        if step.guarded:
            yield _Condition(step, wanted=True)
        left = _MOST_CONDITIONS
        above = self._branch_above(step.node)
        while above is not None and left:
            node, ways = self._graph.nodes[above], tuple(self._graph.ways(above))
            left -= 1
            leading = [one for one in ways if self._leads(one, step.node, above)]
            if len(leading) == 1:
                is_leaving = node.piece.control is Control.LEAVE
                yield _Condition(self._guard(above), wanted=not is_leaving and leading[0] != above + 1)
            above = self._branch_above(above)

    def _branch_above(self, number: int) -> int | None:
        """The nearest node on all ways to a node that ends with a branch about threads; found once for all below it."""
        passed: list[int] = []
        found = self._graph.dominance.immediate(number)
        while found is not None and not self._divides(found):
            if found in self._branches:
                found = self._branches[found]
                break
            passed.append(found)
            found = self._graph.dominance.immediate(found)
        self._branches.update(dict.fromkeys(passed, found))
        return found

    def _divides(self, number: int) -> bool:
        """Whether a node ends with a branch that some threads take."""
        found = self._dividing.get(number)
        if found is None:
            piece = self._graph.nodes[number].piece
            found = piece.guarded and piece.control is not Control.TABLE
            found = found and (piece.control is Control.LEAVE or len(tuple(self._graph.ways(number))) == 2)
            found = self._dividing[number] = found and self._is_about_threads(self._guard(number))
        return found

    def _guard(self, number: int) -> Step:
        """The branch at the end of a node."""
        return self._steps.at(number, self._graph.nodes[number].piece.end - 1)

    def _is_about_threads(self, guard: Step) -> bool:
        """Whether a guard holds for some threads only."""
        last = self._limits.most[0] - 1
        admitted = self._paths.admitted(guard)
        known = admitted.holds | admitted.fails
        return any(known >> thread & 1 for thread in (0, 1, _WARP, last)) or self._elects(guard)

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
        key = start, without
        if key not in self._reached:
            self._reached[key] = self._reaching(start, without)
        found = self._reached[key]
        return found is None or target in found

    def _reaching(self, start: int, without: int) -> frozenset[int] | None:
        """The nodes to which a node leads without another one; None if these are too many."""
        waiting, seen = [start], {start, without}
        while waiting:
            number = waiting.pop()
            if len(seen) > _MOST_NODES:
                return None
            for following in self._graph.nodes[number].successors:
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return frozenset(seen - {without} | {start})
