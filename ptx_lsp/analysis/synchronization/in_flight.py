"""Work that may be in flight at the nodes of a graph, over all paths and around loops.

A state is one set of operations for each *age*: the number of commits since the operation, which count its own group.
0 is not committed; the last age stands for all older ones. A wait for at most N unfinished groups ends all that is
older than N. Paths are joined by union, so a set is what may be in flight on some path. The sets are the bits of
integers: thousands of operations cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.synchronization.async_work import Action, AsyncWork, Event

OLDEST = 8
"""The last age; a wait that leaves as many groups unfinished counts as a wait for all of that age."""

State = tuple[int, ...]
"""For each age the operations that may be in flight, as bits."""

_NODES_IN_A_STEP = 64

NOTHING: State = (0,) * (OLDEST + 1)


def after_event(state: State, event: Event, first_age: int) -> State:
    """The state after an event, if it happens."""
    if event.action is Action.START:
        return (*state[:first_age], state[first_age] | 1 << event.number, *state[first_age + 1 :])
    if event.action is Action.COMMIT:
        return (0, *state[: OLDEST - 1], state[OLDEST - 1] | state[OLDEST])
    kept = min(event.number, OLDEST - 1) + 1
    return (*state[:kept], *NOTHING[kept:])


class InFlight:
    """The states before all nodes of a graph that can be executed; known when :meth:`solving` has ended.

    Args:
        graph: the control-flow graph.
        work: the operations and events of one kind.

    """

    def __init__(self, graph: Graph, work: AsyncWork) -> None:
        self._graph = graph
        self._work = work
        self._before: dict[int, State] = {}

    def solving(self) -> Iterator[None]:
        """Find the states, in steps of a few milliseconds."""
        found: dict[int, State] = {}
        # Begin at the nodes with operations: before them nothing is in flight.
        waiting = sorted({step.node for step in self._work.operations})
        listed = set(waiting)
        count = 0
        while waiting:
            number = heappop(waiting)
            listed.discard(number)
            count += 1
            if not count % _NODES_IN_A_STEP:
                yield
            state = self._through(number, found.get(number, NOTHING))
            if not any(state):
                continue
            for following in self._graph.nodes[number].successors:
                known = found.get(following, NOTHING)
                event = self._work.on_edges.get((number, following))
                passed = state if event is None else after_event(state, event, self._work.first_age)
                joined = tuple(map(int.__or__, known, passed))
                if joined != known:
                    found[following] = joined
                    if following not in listed:
                        listed.add(following)
                        heappush(waiting, following)
        self._before = found

    def _through(self, number: int, state: State) -> State:
        for event in self._work.events.get(number, ()):
            state = self._joined_event(state, event)
        return state

    def _joined_event(self, state: State, event: Event) -> State:
        """The state after an event that may not happen, if it has a guard."""
        after = after_event(state, event, self._work.first_age)
        return tuple(map(int.__or__, state, after)) if event.step.guarded else after

    @property
    def busy(self) -> list[int]:
        """The nodes in which something may be in flight, in order."""
        return sorted(self._before.keys() | {step.node for step in self._work.operations})

    def at_end(self, number: int) -> State:
        """The state after a node."""
        return self._through(number, self._before.get(number, NOTHING))

    def any_in(self, number: int) -> int:
        """All operations that may be in flight somewhere in a node."""
        found = 0
        for one in self._before.get(number, ()):
            found |= one
        for event in self._work.events.get(number, ()):
            if event.action is Action.START:
                found |= 1 << event.number
        return found

    def states(self, number: int, statements: list[int], oldest: int = OLDEST) -> Iterator[tuple[int, int]]:
        """For each of some statements of a node, in order, the operations that may be in flight before it.

        Args:
            number: the node.
            statements: statements, ascending.
            oldest: the greatest age that counts.

        """
        state = self._before.get(number, NOTHING)
        events = iter(self._work.events.get(number, ()))
        event = next(events, None)
        for statement in statements:
            while event is not None and event.step.statement < statement:
                state = self._joined_event(state, event)
                event = next(events, None)
            found = 0
            for one in state[: oldest + 1]:
                found |= one
            yield statement, found
