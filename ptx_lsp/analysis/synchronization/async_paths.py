"""Single paths on which work is still in flight at an instruction: the evidence for a finding.

The states of all paths (:mod:`in_flight`) say where it is worth to look. A search from the operation then follows the
number of commits since it, and leaves out what cannot be: a predicate that decides twice decides the same way until it
is written.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.synchronization.async_work import Action, AsyncWork, Event
from ptx_lsp.analysis.synchronization.in_flight import OLDEST
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

_MOST_STATES = 1500
"""So many states are visited for one operation; what would need more counts as not found."""

Assumed = frozenset[tuple[str, bool]]
"""Predicate registers and their values on a path."""


class PathSegment(NamedTuple):
    """The statements ``(after, before)`` of a node that a path executes; None: to the end."""

    node: int
    after: int
    before: int | None


class Arrival(NamedTuple):
    """A path from an operation to an instruction, or out of the function, on which the work is still in flight."""

    use: Step | None
    """None at the end of the function."""
    age: int
    """The number of commits since the operation, or ``OLDEST`` for more."""
    wait: Step | None
    """The last wait on the path, which was not enough."""
    trace: Callable[[], tuple[PathSegment, ...]]
    """Finds the path."""


class Verdict(Enum):
    """The meaning of an instruction on a path for the work."""

    PASS = 0
    FOUND = 1
    ENDS = 2
    """The instruction waits for the work itself, such as a read of a result."""


class _State(NamedTuple):
    node: int
    age: int
    assumed: Assumed
    is_first: bool = False
    """Whether only what follows the operation in its node is meant."""


_Parents = dict[_State, tuple["_State | None", "Step | None"]]
"""For each state the one before it, and the last wait on the way."""


class AsyncPaths:
    """Searches for the work of one kind.

    Args:
        steps: the instructions of the function.
        work: the operations and events.

    """

    def __init__(self, steps: Steps, work: AsyncWork) -> None:
        self._steps = steps
        self._graph: Graph = steps.graph
        self._work = work

    def follow(
        self,
        start: Step,
        uses: Callable[[int], list[Step]],
        judge: Callable[[Arrival], Verdict],
        *,
        to_end: bool = False,
    ) -> Arrival | None:
        """The first path from an operation to an instruction that ``judge`` finds.

        Args:
            start: the operation.
            uses: the instructions of a node that ``judge`` is asked about, in order.
            judge: asked about each of them, and about the ends of the function if ``to_end``.
            to_end: whether the ends of the function count.

        """
        first = _State(start.node, self._work.first_age, self._assumed_at(start), is_first=True)
        parents: _Parents = {first: (None, None)}
        waiting = deque([first])

        def ask(use: Step | None, state: _State, age: int, wait: Step | None) -> tuple[Arrival, Verdict]:
            arrival = Arrival(use, age, wait, lambda: self._segments(state, use, parents, start))
            return arrival, judge(arrival)

        while waiting and len(parents) < _MOST_STATES:
            state = waiting.popleft()
            after = start.statement if state.is_first else -1
            age, wait = state.age, parents[state][1]
            for step, event in self._entries(state, after, uses):
                if event is None:
                    arrival, verdict = ask(step, state, age, wait)
                    if verdict is Verdict.FOUND:
                        return arrival
                    if verdict is Verdict.ENDS and not step.guarded:
                        break
                elif event.action is Action.COMMIT:
                    age = min(age + 1, OLDEST)
                elif event.action is Action.WAIT:
                    if age > event.number or age == OLDEST:
                        break
                    wait = step
            else:
                if to_end and self._graph.leaves(self._graph.nodes[state.node]):
                    arrival, verdict = ask(None, state, age, wait)
                    if verdict is Verdict.FOUND:
                        return arrival
                for following in self._successors(state, age):
                    if following not in parents:
                        parents[following] = (state, wait)
                        waiting.append(following)
        return None

    def _entries(
        self, state: _State, after: int, uses: Callable[[int], list[Step]]
    ) -> Iterator[tuple[Step, Event | None]]:
        """The uses and events (a use has none) of a node that can be executed, in order; a use before its event."""
        events = self._work.events.get(state.node, ())
        found: list[tuple[Step, Event | None]] = [(step, None) for step in uses(state.node)]
        found += [(event.step, event) for event in events]
        assumed = dict(state.assumed)
        for step, event in sorted(found, key=lambda entry: (entry[0].statement, entry[1] is not None)):
            if step.statement > after and not (step.guarded and self._is_off(step, assumed)):
                yield step, event

    def _segments(self, state: _State, use: Step | None, parents: _Parents, start: Step) -> tuple[PathSegment, ...]:
        """The path to a state, and on to an instruction of its node."""
        end = None if use is None else use.statement
        found: list[PathSegment] = []
        at: _State | None = state
        while at is not None:
            found.append(PathSegment(at.node, start.statement if at.is_first else -1, end))
            at, end = parents[at][0], None
        return tuple(reversed(found))

    # ------------------------------------------------------------------ predicates

    def _successors(self, state: _State, age: int) -> Iterator[_State]:
        """The states after a node."""
        node = self._graph.nodes[state.node]
        written = self._graph.written[state.node]
        assumed = [one for one in state.assumed if one[0] not in written]
        branch = guard_of(self._steps, state.node)
        for number in node.successors:
            if branch is None or branch.register not in self._tracked:
                yield _State(number, age, frozenset(assumed))
                continue
            holds = branch.value_on(number)
            known = dict(assumed).get(branch.register)
            if holds is None or known is None or known is holds:
                more = [] if holds is None else [(branch.register, holds)]
                yield _State(number, age, frozenset([*assumed, *more]))

    def _assumed_at(self, start: Step) -> Assumed:
        """What the guard of the operation says."""
        if not start.guarded or start.reads[0] not in self._tracked:
            return frozenset()
        return frozenset({(start.reads[0], not _is_negated(start))})

    @staticmethod
    def _is_off(step: Step, assumed: dict[str, bool]) -> bool:
        """Whether the guard of an instruction is known to be false."""
        known = assumed.get(step.reads[0])
        return known is not None and known is _is_negated(step)

    @cached_property
    def _tracked(self) -> frozenset[str]:
        """The predicates that decide more than once."""
        counts: Counter[str] = Counter()
        for node in self._graph.nodes:
            branch = guard_of(self._steps, node.number)
            if branch is not None:
                counts[branch.register] += 1
        for events in self._work.events.values():
            counts.update(event.step.reads[0] for event in events if event.step.guarded)
        return frozenset(register for register, count in counts.items() if count > 1)


class PathsFromStart:
    """The shortest path from the start of a function to each instruction: of those in loops, the first round.

    Args:
        graph: the control-flow graph.

    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def of(self, step: Step) -> Iterator[tuple[PathSegment, ...]]:
        """The path to an instruction, up to the one before it; none if no path leads there."""
        if step.node not in self._before:
            return
        found = [PathSegment(step.node, -1, step.statement)]
        while found[-1].node:
            found.append(PathSegment(self._before[found[-1].node], -1, None))
        yield tuple(reversed(found))

    @cached_property
    def _before(self) -> dict[int, int]:
        """For each node the one before it."""
        found = {0: 0}
        waiting = deque([0])
        while waiting:
            number = waiting.popleft()
            for following in self._graph.nodes[number].successors:
                if following not in found:
                    found[following] = number
                    waiting.append(following)
        return found


class BranchGuard(NamedTuple):
    """The guard of the jump at the end of a node."""

    step: Step
    register: str
    negated: bool
    next: int
    """The node that follows if the jump is not taken."""
    is_exit: bool

    def value_on(self, following: int) -> bool | None:
        """The value of the predicate if ``following`` is the next node; None if both values lead there."""
        if self.is_exit:
            return self.negated
        return (following != self.next) != self.negated


def guard_of(steps: Steps, number: int) -> BranchGuard | None:
    """The guard of the jump at the end of a node; None if there is none, or if it makes no difference."""
    node = steps.graph.nodes[number]
    if not node.piece.guarded or node.piece.control is Control.TABLE:
        return None
    is_exit = node.piece.control is Control.LEAVE
    if not is_exit and len(node.successors) < 2:
        return None
    step = steps.at(number, node.piece.end - 1)
    return BranchGuard(step, step.reads[0], _is_negated(step), number + 1, is_exit)


def _is_negated(step: Step) -> bool:
    tree = SHAPES[step.chunk.shapes[step.statement]].tree
    return isinstance(tree, Instruction) and tree.guard is not None and tree.guard.negated


def is_missed_by_wait(arrival: Arrival) -> bool:
    """Whether a path passed a wait that does not include the operation, since it is not committed."""
    return arrival.age == 0 and arrival.wait is not None
