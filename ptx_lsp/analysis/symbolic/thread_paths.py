"""Instructions that single threads of a kernel execute for sure: jumps with known predicates are followed."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.paths import Dominance
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loops
from ptx_lsp.analysis.symbolic.launch_limits import LaunchLimits
from ptx_lsp.analysis.symbolic.predicates import Predicates
from ptx_lsp.analysis.symbolic.substitution import Substitution
from ptx_lsp.analysis.symbolic.trip_counts import TripCounts
from ptx_lsp.analysis.symbolic.value_sources import Source
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

_MOST_THREADS = 32
"""The number of threads of which all that was found is kept: one of each warp of a CTA."""


class _Known:
    """The edges and nodes that were found for one thread."""

    def __init__(self) -> None:
        self.ways: dict[int, tuple[int, ...]] = {}
        self.reached: frozenset[int] | None = None
        self.passed: frozenset[int] | None = None


class ThreadPaths:
    """The paths of single threads through one function.

    Args:
        steps: its instructions.
        predicates: its predicates.
        loops: its loops.
        limits: the threads that it is launched with.

    """

    def __init__(self, steps: Steps, predicates: Predicates, loops: Loops, limits: LaunchLimits) -> None:
        self._steps = steps
        self._graph: Graph = steps.graph
        self._predicates = predicates
        self._loops = loops
        self._limits = limits
        self._trips = TripCounts(steps.graph, predicates)
        self._threads: dict[int, _Known] = {}
        self._guards: dict[tuple[int, int], tuple[StatementContext, Source | None]] = {}
        """Instructions with guards, and where the predicates come from, by node and statement."""

    def specials(self, thread: int) -> dict[str | int, int]:
        """The special registers of a thread."""
        return self._limits.specials(thread)

    def executes(self, step: Step, thread: int) -> bool:
        """Whether a thread executes an instruction at least once if it comes to the end of the function, for sure."""
        if not self.passes(step.node, thread):
            return False
        return not step.guarded or self._guard_holds(step, self._limits.specials(thread))

    def admits(self, step: Step, thread: int) -> bool | None:
        """Whether the guard of an instruction lets a thread execute it; None if that is not known."""
        return self._guard(step, self._limits.specials(thread))

    def never_executes(self, step: Step, thread: int) -> bool:
        """Whether a thread cannot come to an instruction, for sure."""
        if step.node not in self.reached(thread):
            return True
        return step.guarded and self._guard(step, self._limits.specials(thread)) is False

    def numbers(self, step: Step, thread: int) -> dict[str | int, int] | None:
        """The special registers of a thread, and the last iterations of the loops around an instruction.

        None if it is not certain that the thread executes the instruction in these iterations.
        """
        found = self._limits.specials(thread)
        around = [*self._loops.around(step.node)][::-1]
        inner = [*(one.header for one in around[1:]), step.node]
        start = around[0].header if around else step.node
        if not self.passes(start, thread):
            return None
        for loop, node in zip(around, inner, strict=True):
            last = self._trips.last_iteration(loop, node, found)
            if last is None or last < 0:
                return None
            found[loop.header] = last
        if step.guarded and not self._guard_holds(step, found):
            return None
        return found

    def passes(self, node: int, thread: int) -> bool:
        """Whether all ways of a thread from the start to an end of the function lead through a node."""
        known = self._known(thread)
        if known.passed is None:
            known.passed = self._passed_by(thread)
        return node in known.passed

    def _passed_by(self, thread: int) -> frozenset[int]:
        """The nodes on all ways of a thread to an end of the function; all that it comes to if it never ends."""
        reached = self.reached(thread)
        end = len(self._graph.nodes)
        after: list[list[int]] = [[] for _ in range(end + 1)]
        before: list[list[int]] = [[] for _ in range(end + 1)]
        for node in reached:
            after[node] = [*self.ways(node, thread), *([end] if self._leaves(node, thread) else ())]
            for following in after[node]:
                before[following].append(node)
        if not before[end]:
            return reached
        dominance = Dominance(0, after, before)
        found, above = set[int](), dominance.immediate(end)
        while above is not None:
            found.add(above)
            above = dominance.immediate(above)
        return frozenset(found)

    def _leaves(self, number: int, thread: int) -> bool:
        """Whether a thread may return from the function after a node."""
        node = self._graph.nodes[number]
        if not self._graph.leaves(node):
            return False
        if number == self._graph.falls_off or not node.piece.guarded:
            return True
        step = self._steps.at(number, node.piece.end - 1)
        return self._guard(step, self._limits.specials(thread)) is not False

    def reached(self, thread: int) -> frozenset[int]:
        """The nodes to which a thread may come."""
        known = self._known(thread)
        if known.reached is None:
            known.reached = frozenset(self._walk(0, thread))
        return known.reached

    def _known(self, thread: int) -> _Known:
        if thread not in self._threads:
            if len(self._threads) >= _MOST_THREADS:
                self._threads.clear()
            self._threads[thread] = _Known()
        return self._threads[thread]

    def after(self, node: int, thread: int) -> frozenset[int]:
        """The nodes to which a thread may come from a node."""
        return frozenset(one for next_ in self.ways(node, thread) for one in self._walk(next_, thread))

    def _walk(self, start: int, thread: int) -> Iterator[int]:
        waiting = [start]
        seen = {start}
        while waiting:
            number = waiting.pop()
            yield number
            for one in self.ways(number, thread):
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)

    def ways(self, number: int, thread: int) -> tuple[int, ...]:
        """The nodes to which a thread may come directly from a node."""
        known = self._known(thread).ways
        if number not in known:
            known[number] = self._ways(number, thread)
        return known[number]

    def _ways(self, number: int, thread: int) -> tuple[int, ...]:
        node = self._graph.nodes[number]
        ways = tuple(self._graph.ways(number))
        if not node.piece.guarded or node.piece.control is Control.TABLE or len(node.successors) < 1:
            return ways
        step = self._steps.at(number, node.piece.end - 1)
        value = self._guard(step, self._limits.specials(thread))
        if value is None:
            return ways
        if node.piece.control is Control.LEAVE:
            return () if value else ways
        if len(ways) != 2:
            return ways
        return tuple(one for one in ways if (one != number + 1) is value)

    def _guard_holds(self, step: Step, numbers: dict[str | int, int]) -> bool:
        return self._guard(step, numbers) is True

    def _guard(self, step: Step, numbers: dict[str | int, int]) -> bool | None:
        """Whether the guard of an instruction lets a thread execute it."""
        place = step.node, step.statement
        if place not in self._guards:
            graph = self._graph
            context = StatementContext(graph.module, graph.function, step.chunk, step.statement)
            self._guards[place] = context, self._predicates.guard(context)
        tree = SHAPES[step.chunk.shapes[step.statement]].tree
        if not isinstance(tree, Instruction) or tree.guard is None:
            return None
        context, source = self._guards[place]
        value = self._predicates.holds(source, context, Substitution(self._predicates.atoms, numbers))
        return None if value is None else value is not tree.guard.negated
