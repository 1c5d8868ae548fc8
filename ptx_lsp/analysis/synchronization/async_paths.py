"""Single paths on which work is still in flight at an instruction: the evidence for a finding.

The states of all paths (:mod:`in_flight`) say where it is worth to look. A search from the operation then follows the
number of commits since it, and leaves out what cannot be: a predicate that decides twice decides the same way until it
is written.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Set
from enum import Enum
from heapq import merge

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.async_work import Action, AsyncWork, Event
from ptx_lsp.analysis.synchronization.branch_guards import BranchGuards, PathSegment, is_negated
from ptx_lsp.analysis.synchronization.in_flight import OLDEST
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple

_MOST_STATES = 5_000
"""So many states are visited for one question about a kernel; what would need more counts as not found."""

_MOST_STATES_OF_OPERATION = 1_000
"""So many of them for one operation."""

_MOST_ENTRIES = 100_000
"""So many uses and events are passed for one question: single nodes can have thousands."""

Assumed = frozenset[tuple[str, bool]]
"""Predicate registers and their values on a path."""


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


def _is_off(step: Step, state: _State) -> bool:
    """Whether the guard of an instruction is false in a state."""
    return step.guarded and bool(state.assumed) and (step.reads[0], is_negated(step)) in state.assumed


def _statement(event: Event) -> int:
    return event.step.statement


def _place(entry: tuple[Step, Event | None]) -> tuple[int, bool]:
    return entry[0].statement, entry[1] is not None


class AsyncPaths:
    """Searches for the work of one kind.

    Args:
        graph: the control-flow graph.
        branches: the guards of its jumps.
        work: the operations and events.

    """

    def __init__(self, graph: Graph, branches: BranchGuards, work: AsyncWork) -> None:
        self._graph = graph
        self._branches = branches
        self._work = work
        self._ends: dict[int, tuple[list[Event], list[Event]]] = {}
        """The commits and waits of nodes, and the waits alone, as far as somebody asked."""
        self._left = _MOST_STATES
        self._entries_left = _MOST_ENTRIES

    def begin(self) -> None:
        """Begin a question: the bounds hold from here on."""
        self._left = _MOST_STATES
        self._entries_left = _MOST_ENTRIES

    def follow(
        self,
        start: Step,
        uses: Callable[[int], list[Step]],
        judge: Callable[[Arrival], Verdict],
        *,
        to_end: bool = False,
        oldest: int = OLDEST,
        without: Set[Edge] = frozenset(),
    ) -> Arrival | None:
        """The first path from an operation to an instruction that ``judge`` finds.

        Args:
            start: the operation.
            uses: the instructions of a node that ``judge`` is asked about, in order.
            judge: asked about each of them, and about the ends of the function if ``to_end``.
            to_end: whether the ends of the function count.
            oldest: the greatest age with which an arrival counts.
            without: edges that are not taken.

        """
        first = _State(start.node, self._work.first_age, self._assumed_at(start), is_first=True)
        parents: _Parents = {first: (None, None)}
        waiting = deque([first])

        def ask(use: Step | None, state: _State, age: int, wait: Step | None) -> tuple[Arrival, Verdict]:
            arrival = Arrival(use, age, wait, lambda: self._segments(state, use, parents, start))
            return arrival, judge(arrival)

        while waiting and len(parents) < _MOST_STATES_OF_OPERATION and self._left > 0:
            self._left -= 1
            state = waiting.popleft()
            after = start.statement if state.is_first else -1
            age, wait = state.age, parents[state][1]
            for step, event in self._entries(state, after, uses):
                self._entries_left -= 1
                if self._entries_left < 0:
                    return None
                if event is None:
                    arrival, verdict = ask(step, state, age, wait)
                    if verdict is Verdict.FOUND:
                        return arrival
                    if verdict is Verdict.ENDS and not step.guarded:
                        break
                elif event.action is Action.COMMIT:
                    age = min(age + 1, OLDEST)
                    if age > oldest:
                        break
                elif event.action is Action.WAIT:
                    if age > event.number or age == OLDEST:
                        break
                    wait = step
            else:
                if to_end and state.node != self._graph.falls_off and self._graph.leaves(self._graph.nodes[state.node]):
                    arrival, verdict = ask(None, state, age, wait)
                    if verdict is Verdict.FOUND:
                        return arrival
                for following in self._successors(state, age):
                    if following not in parents and (state.node, following.node) not in without:
                        parents[following] = (state, wait)
                        waiting.append(following)
        return None

    def _entries(
        self, state: _State, after: int, uses: Callable[[int], list[Step]]
    ) -> Iterable[tuple[Step, Event | None]]:
        """The uses and events (a use has none) of a node that can be executed, in order; a use before its event.

        Starts of other operations are left out.
        """
        used: list[tuple[Step, Event | None]] = [
            (step, None) for step in uses(state.node) if step.statement > after and not _is_off(step, state)
        ]
        if state.node not in self._work.events:
            return used
        ends: Iterator[tuple[Step, Event | None]] = ((event.step, event) for event in self._ending(state, after))
        return merge(used, ends, key=_place) if used else ends

    def _ending(self, state: _State, after: int) -> Iterator[Event]:
        """The commits and waits of a node that can be executed; no commits of work that cannot become older."""
        if state.node not in self._ends:
            ends = [one for one in self._work.events.get(state.node, ()) if one.action is not Action.START]
            self._ends[state.node] = ends, [one for one in ends if one.action is Action.WAIT]
        ends, waits = self._ends[state.node]
        age, at = state.age, bisect_right(ends, after, key=_statement)
        while at < len(ends) and age < OLDEST:
            if not _is_off(ends[at].step, state):
                age += ends[at].action is Action.COMMIT
                yield ends[at]
            at += 1
        if at < len(ends):
            following = range(bisect_left(waits, _statement(ends[at]), key=_statement), len(waits))
            yield from (waits[one] for one in following if not _is_off(waits[one].step, state))

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
        assumed = state.assumed
        if assumed:
            written = self._graph.written[state.node]
            assumed = frozenset([one for one in assumed if one[0] not in written])
        branch = self._branches.of(state.node)
        is_free = branch is None or branch.register not in self._tracked
        for number in self._graph.nodes[state.node].successors:
            event = self._work.on_edges.get((state.node, number))
            if event is not None and (age > event.number or age == OLDEST):
                continue
            if branch is None or is_free:
                yield _State(number, age, assumed)
                continue
            holds = (branch.register, branch.value_on(number))
            if (holds[0], not holds[1]) not in assumed:
                yield _State(number, age, assumed | {holds})

    def _assumed_at(self, start: Step) -> Assumed:
        """The predicate that the guard of the operation decides, with its value."""
        if not start.guarded or start.reads[0] not in self._tracked:
            return frozenset()
        return frozenset({(start.reads[0], not is_negated(start))})

    @once
    def _tracked(self) -> frozenset[str]:
        """The predicates that decide more than once."""
        counts = self._branches.counts.copy()
        for events in self._work.events.values():
            counts.update(event.step.reads[0] for event in events if event.step.guarded)
        return frozenset(register for register, count in counts.items() if count > 1)


_MOST_SHARED = 16
"""So many nodes are in the end that paths share."""

_MOST_PARTS = 300
"""So many beginnings of paths are looked at."""


class PathsFromStart:
    """The shortest path from the start of a function to each instruction: of those in loops, the first round.

    Args:
        graph: the control-flow graph.

    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._before: dict[Set[Edge], dict[int, int]] = {}

    def of(self, step: Step, without: frozenset[Edge] = frozenset()) -> Iterator[tuple[PathSegment, ...]]:
        """The path to an instruction, up to the one before it; none if no path without some edges leads there."""
        before = self._before.get(without)
        if before is None:
            before = self._before[without] = self._search(without)
        if step.node not in before:
            return
        found = [PathSegment(step.node, -1, step.statement)]
        while found[-1].node:
            found.append(PathSegment(before[found[-1].node], -1, None))
        yield tuple(reversed(found))

    def nearest(self, step: Step) -> tuple[PathSegment, ...]:
        """The end that all paths to an instruction share, with the branches that lead only there; may be empty."""
        nodes, number = self._graph.nodes, step.node
        found = [PathSegment(number, -1, step.statement)]
        while len(found) < _MOST_SHARED and len({*nodes[number].predecessors}) == 1 and number:
            number = nodes[number].predecessors[0]
            if not number and nodes[number].predecessors:
                break  # the function begins here or continues
            found.append(PathSegment(number, -1, None))
        return tuple(reversed(found)) if len(found) > 1 else ()

    def several(self, step: Step) -> Iterator[tuple[PathSegment, ...]]:
        """Some of the paths to an instruction that pass no node twice, the shortest ones first."""
        leads = self._graph.reachability.leads
        waiting: deque[tuple[int, ...]] = deque([(0,)])
        left = _MOST_PARTS
        while waiting and left:
            left -= 1
            nodes = waiting.popleft()
            if nodes[-1] == step.node:
                yield (
                    *(PathSegment(node, -1, None) for node in nodes[:-1]),
                    PathSegment(step.node, -1, step.statement),
                )
                continue
            for following in self._graph.nodes[nodes[-1]].successors:
                if following not in nodes and (following == step.node or leads(following, step.node)):
                    waiting.append((*nodes, following))

    def _search(self, without: Set[Edge]) -> dict[int, int]:
        """For each node the one before it."""
        found = {0: 0}
        waiting = deque([0])
        while waiting:
            number = waiting.popleft()
            for following in self._graph.nodes[number].successors:
                if following not in found and (number, following) not in without:
                    found[following] = number
                    waiting.append(following)
        return found


def is_missed_by_wait(arrival: Arrival) -> bool:
    """Whether a path passed a wait that does not include the operation, since it is not committed."""
    return arrival.age == 0 and arrival.wait is not None
