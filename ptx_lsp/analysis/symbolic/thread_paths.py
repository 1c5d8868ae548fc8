"""Instructions that single threads of a kernel execute for sure: jumps with known predicates are followed."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from ptx_lsp.analysis.dataflow.branch_regions import on_all_ways
from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loop, Loops
from ptx_lsp.analysis.symbolic.launch_limits import LaunchLimits
from ptx_lsp.analysis.symbolic.linear_values import Line, LinearValue
from ptx_lsp.analysis.symbolic.predicate_series import PredicateSeries, Truth
from ptx_lsp.analysis.symbolic.predicates import Predicates
from ptx_lsp.analysis.symbolic.substitution import Substitution
from ptx_lsp.analysis.symbolic.trip_counts import TripCounts
from ptx_lsp.analysis.symbolic.value_sources import Source
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

_MOST_THREADS = 64
"""The ways of so many threads are kept: of all warps of a CTA, and of all lanes of a warp."""
_NODES_IN_A_STEP = 128
_MOST_IN_SERIES = 1024
"""Guards are evaluated for so many threads at once."""
_FEW_THREADS = 2
"""A guard is evaluated for so many threads one by one."""
_OF_THREADS = ("%tid", "%lane")
"""With these begin the names of the special registers that differ from thread to thread."""
_END = -1
"""The place of a thread that has returned."""


class _ThreadWays(NamedTuple):
    """The ways of one thread from the start of the function."""

    chosen: dict[int, tuple[int, ...]]
    """Of nodes whose jump is decided the nodes to which the thread may come directly."""
    reached: frozenset[int]
    """The nodes to which it may come."""
    passed: frozenset[int]
    """Those on all its ways to an end of the function; all of them if no way leads to one."""


class ThreadPaths:
    """The paths of single threads through one function.

    Args:
        steps: its instructions.
        predicates: its predicates.
        loops: its loops.
        limits: the threads that it is launched with.
        calls: its nodes with calls, from which threads may not return.

    """

    def __init__(
        self,
        steps: Steps,
        predicates: Predicates,
        loops: Loops,
        limits: LaunchLimits,
        calls: frozenset[int] = frozenset(),
    ) -> None:
        self._steps = steps
        self._calls = calls
        self._graph: Graph = steps.graph
        self._predicates = predicates
        self._loops = loops
        self._limits = limits
        self._trips = TripCounts(steps.graph, predicates)
        self._of_threads: dict[int, _ThreadWays] = {}
        self._classes: list[tuple[int, _ThreadWays]] = []
        self._followed = 0
        self._guards: dict[tuple[int, int], tuple[Source | None, StatementContext, bool]] = {}
        self._admitted: dict[tuple[int, int], Truth] = {}
        self._asked: dict[tuple[int, int], int] = {}
        self._specials: dict[int, dict[str | int, int]] = {}
        self._inwards: dict[int, tuple[int, tuple[tuple[Loop, int], ...]]] = {}

    def specials(self, thread: int) -> dict[str | int, int]:
        """The special registers of a thread."""
        return self._limits.specials(thread)

    def executes(self, step: Step, thread: int) -> bool:
        """Whether a thread executes an instruction at least once if it comes to the end of the function, for sure."""
        if not self.passes(step.node, thread):
            return False
        return not step.guarded or self._guard_of(step, thread) is True

    def admits(self, step: Step, thread: int) -> bool | None:
        """Whether the guard of an instruction lets a thread execute it; None if that is not known."""
        return self._guard_of(step, thread)

    def admitted(self, step: Step) -> Truth:
        """For which threads of a CTA the guard of an instruction is known to hold, or to fail."""
        key = step.node, step.statement
        if key not in self._admitted:
            found, known = Truth(), self._known_guard(step)
            if known is not None:
                source, context, negated = known
                found = self._series.truth(source, context)
                found = Truth(found.fails, found.holds, found.is_open) if negated else found
            self._admitted[key] = found
        return self._admitted[key]

    def values(self, value: LinearValue) -> tuple[list[int], tuple[tuple[int, int], ...], int | None]:
        """The number in a value for each of the first threads of a CTA, what is unknown in it, and the step."""
        found = self._series.of(value)
        step = found.numbers.step if isinstance(found.numbers, Line) else None
        return self._series.numbers(found), found.terms, step

    @once
    def _series(self) -> PredicateSeries:
        """The predicates for the threads of a CTA."""
        count = self._limits.threads() or (self._limits.most[0] if self._limits.most else _MOST_IN_SERIES)
        count = max(1, min(count, _MOST_IN_SERIES))
        return PredicateSeries(self._predicates, count, self._limits.series(count))

    def never_executes(self, step: Step, thread: int) -> bool:
        """Whether a thread cannot come to an instruction, for sure."""
        if step.node not in self.reached(thread):
            return True
        return step.guarded and self._guard_of(step, thread) is False

    def numbers(self, step: Step, thread: int) -> dict[str | int, int] | None:
        """The special registers of a thread, and the last iterations of the loops around an instruction.

        None if it is not certain that the thread executes the instruction in these iterations.
        """
        start, loops = self._loops_to(step.node)
        if not self.passes(start, thread):
            return None
        found = self._limits.specials(thread)
        for loop, node in loops:
            last = self._trips.last_iteration(loop, node, found)
            if last is None or last < 0:
                return None
            found[loop.header] = last
        if step.guarded and not self._guard_holds(step, found):
            return None
        return found

    def _loops_to(self, node: int) -> tuple[int, tuple[tuple[Loop, int], ...]]:
        """The first node on the way into the loops around a node, and each of these, with the next one further in."""
        if node not in self._inwards:
            around = [*self._loops.around(node)][::-1]
            inwards = [*(one.header for one in around), node]
            self._inwards[node] = inwards[0], tuple(zip(around, inwards[1:], strict=True))
        return self._inwards[node]

    def alike(self, step: Step, thread: int) -> int:
        """Threads, as bits, for which :meth:`executes` and :meth:`numbers` say the same of an instruction as of one.

        The numbers are the same but for its place. Only this thread, if no other is known to be such a one.
        """
        self._ways_of(thread)
        found = next((same for same, _ in self._classes if same >> thread & 1), 1 << thread)
        around = [*self._loops.around(step.node)]
        guard = self._known_guard(step) if step.guarded else None
        contents = frozenset().union(*map(self._trips.contents, around))
        if guard is not None:
            contents |= self._predicates.contents(guard[0], guard[1])
        is_same = not any(isinstance(one, str) and one.startswith(_OF_THREADS) for one in contents)
        return found if is_same else 1 << thread

    def passes(self, node: int, thread: int) -> bool:
        """Whether all ways of a thread from the start to an end of the function lead through a node."""
        return node in self._ways_of(thread).passed and node not in self._calls

    def preparing(self, threads: Iterable[int]) -> Iterator[None]:
        """Find the ways of some threads, in steps of some milliseconds."""
        for thread in threads:
            yield from self._finding(thread)
            yield

    def _ways_of(self, thread: int) -> _ThreadWays:
        """The ways of a thread, found once for all that ask about it."""
        return self._of_threads.get(thread) or run_to_completion(self._finding(thread))

    def _finding(self, thread: int) -> Generator[None, None, _ThreadWays]:
        if thread not in self._of_threads:
            found = next((ways for same, ways in self._classes if same >> thread & 1), None)
            if found is None:
                found = yield from self._following(thread)
                self._add_class(thread, found)
            if len(self._of_threads) >= _MOST_THREADS:
                self._of_threads.clear()
            self._of_threads[thread] = found
        return self._of_threads[thread]

    def _add_class(self, thread: int, ways: _ThreadWays) -> None:
        """Keep the ways of a thread for all threads for which all guards on them are equal."""
        self._followed += 1
        if self._followed <= _FEW_THREADS or thread >= self._series.count:
            return
        same = (1 << self._series.count) - 1
        for number in ways.reached:
            piece = self._graph.nodes[number].piece
            if piece.guarded:
                holds, fails, is_open = self.admitted(self._steps.at(number, piece.end - 1))
                unknown = ~(holds | fails | is_open)
                own = next((one for one in (holds, fails, unknown) if one >> thread & 1), 1 << thread)
                same &= own
        if len(self._classes) >= _MOST_THREADS:
            self._classes.clear()
        self._classes.append((same, ways))

    def _following(self, thread: int) -> Generator[None, None, _ThreadWays]:
        chosen: dict[int, tuple[int, ...]] = {}
        following: dict[int, tuple[int, ...]] = {}
        waiting = [0]
        while waiting:
            number = waiting.pop()
            if number in following:
                continue
            if not (len(following) + 1) % _NODES_IN_A_STEP:
                yield
            every = tuple(self._graph.ways(number))
            ways = self._decided(number, every, thread)
            if ways != every:
                chosen[number] = ways
            waiting += ways
            following[number] = (*ways, _END) if self._leaves(number, thread) else ways
        reached = frozenset(following)
        return _ThreadWays(chosen, reached, on_all_ways(0, _END, following) or reached)

    def _leaves(self, number: int, thread: int) -> bool:
        """Whether a thread may return from the function after a node."""
        node = self._graph.nodes[number]
        if number in self._calls:
            return True
        if not self._graph.leaves(node):
            return False
        if number == self._graph.falls_off or not node.piece.guarded:
            return True
        step = self._steps.at(number, node.piece.end - 1)
        return self._guard_of(step, thread) is not False

    def reached(self, thread: int) -> frozenset[int]:
        """The nodes to which a thread may come."""
        return self._ways_of(thread).reached

    def after(self, node: int, thread: int) -> frozenset[int]:
        """The nodes to which a thread may come from a node."""
        chosen = self._ways_of(thread).chosen
        found: set[int] = set()
        waiting = [node]
        while waiting:
            number = waiting.pop()
            for one in chosen[number] if number in chosen else self._graph.ways(number):
                if one not in found:
                    found.add(one)
                    waiting.append(one)
        return frozenset(found)

    def _decided(self, number: int, ways: tuple[int, ...], thread: int) -> tuple[int, ...]:
        """Those of the ways from a node that a thread may take."""
        node = self._graph.nodes[number]
        if not node.piece.guarded or node.piece.control is Control.TABLE or len(node.successors) < 1:
            return ways
        step = self._steps.at(number, node.piece.end - 1)
        value = self._guard_of(step, thread)
        if value is None:
            return ways
        if node.piece.control is Control.LEAVE:
            return () if value else ways
        if len(ways) != 2:
            return ways
        return tuple(one for one in ways if (one != number + 1) is value)

    def _guard_holds(self, step: Step, numbers: dict[str | int, int]) -> bool:
        return self._guard(step, numbers) is True

    def _guard_of(self, step: Step, thread: int) -> bool | None:
        """Whether the guard of an instruction lets a thread execute it; of many threads found for all at once."""
        key = step.node, step.statement
        asked = self._asked[key] = self._asked.get(key, 0) + 1
        if asked > _FEW_THREADS:
            found = self.admitted(step)
            if (found.holds | found.fails) >> thread & 1:
                return bool(found.holds >> thread & 1)
            if thread < self._series.count and not found.is_open >> thread & 1:
                return None
        return self.for_one(step, thread)

    def for_one(self, step: Step, thread: int) -> bool | None:
        """Whether the guard of an instruction lets a thread execute it, evaluated for it alone."""
        if thread not in self._specials:
            if len(self._specials) >= _MOST_THREADS:
                self._specials.clear()
            self._specials[thread] = self._limits.specials(thread)
        return self._guard(step, self._specials[thread])

    def _guard(self, step: Step, numbers: dict[str | int, int]) -> bool | None:
        """Whether the guard of an instruction lets a thread execute it."""
        known = self._known_guard(step)
        if known is None:
            return None
        source, context, negated = known
        value = self._predicates.holds(source, context, Substitution(self._predicates.atoms, numbers))
        return None if value is None else value is not negated

    def _known_guard(self, step: Step) -> tuple[Source | None, StatementContext, bool] | None:
        """The source of the predicate of a guard, and whether it is negated."""
        tree = SHAPES[step.chunk.shapes[step.statement]].tree
        if not isinstance(tree, Instruction) or tree.guard is None:
            return None
        known = self._guards.get((step.node, step.statement))
        if known is None:
            context = StatementContext(self._graph.module, self._graph.function, step.chunk, step.statement)
            known = self._predicates.guard(context), context, tree.guard.negated
            self._guards[step.node, step.statement] = known
        return known
