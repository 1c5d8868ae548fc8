"""Asynchronous work of one kind in a kernel: where it starts, is committed, and is waited for.

Source: PTX ISA, "Asynchronous operations", "cp.async.wait_group", "cp.async.bulk.wait_group", "wgmma.wait_group",
"tcgen05.commit", "tcgen05.wait".
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from enum import Enum
from itertools import chain

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.isa.model.ordering import ALL, PHASE, THREADS, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.constants import evaluate

GROUPED = frozenset({"copies", "bulk-copies", "products"})
"""The kinds of work that form groups."""

COMMITTED = GROUPED | {"tensor-work"}
"""The kinds of work that a wait includes only once it is committed."""

ON_MBARRIER = frozenset({"bytes", "tensor-work"})
"""The kinds that a wait for an mbarrier completes, and so does a barrier after such a wait by another thread."""

_IN_A_STEP = 32
_EVENTS_IN_A_STEP = 256

EVERYTHING = -1
"""The number of a wait that includes what is not committed."""


class Action(Enum):
    """The effect of an instruction on the work of a kind."""

    START = 0
    COMMIT = 1
    WAIT = 2


class Event(NamedTuple):
    """An instruction that concerns the work of a kind."""

    step: Step
    action: Action
    number: int = 0
    """Of a start its operation; of a wait the number of groups that it leaves unfinished."""


class AsyncWork:
    """The operations of one kind, and the events that concern them.

    Args:
        operations: the instructions that start work.
        ends: commits and waits.
        are_committed: whether a wait includes work only once it is committed.
        on_edges: waits that end on some edges of the graph only: their result is true there.

    """

    def __init__(
        self,
        operations: list[Step],
        ends: Sequence[Event],
        *,
        are_committed: bool,
        on_edges: dict[Edge, Event] | None = None,
    ) -> None:
        self.operations = operations
        self.on_edges = on_edges or {}
        self.first_age = 0 if are_committed else 1
        """The age of work that was just started: the number of commits that include it or are younger."""
        self._ends = ends
        self.events: dict[int, list[Event]] = {}
        """All events by node, in order; none until :meth:`sorting` has ended."""

    def sorting(self) -> Iterator[None]:
        """Find :attr:`events`, in steps of a few milliseconds."""
        starts = (Event(step, Action.START, number) for number, step in enumerate(self.operations))
        found: dict[int, list[Event]] = {}
        for number, event in enumerate(chain(starts, self._ends)):
            found.setdefault(event.step.node, []).append(event)
            if not number % _EVENTS_IN_A_STEP:
                yield
        for events in found.values():
            events.sort(key=lambda one: one.step.statement)
        self.events = found


def asynchronous_work(kernel: Kernel, kind: str) -> AsyncWork:
    """The work of a kind in a kernel."""
    return run_to_completion(finding_work(kernel, kind))


def finding_work(kernel: Kernel, kind: str) -> Generator[None, None, AsyncWork]:
    """:func:`asynchronous_work` in steps of a few milliseconds."""
    facts = kernel.facts
    operations = facts.steps(Verb.STARTS, kind)
    if not operations:  # what would commit them or wait for them concerns nothing
        return AsyncWork([], (), are_committed=kind in COMMITTED)
    events = [Event(step, Action.COMMIT) for step in facts.steps(Verb.COMMITS, kind)]
    # Groups and mbarriers complete the same copies: what arrives at an mbarrier is not followed further.
    action, number = (Action.WAIT, EVERYTHING) if kind in GROUPED else (Action.COMMIT, 0)
    events += [Event(step, action, number) for step in facts.steps(Verb.COMPLETES, kind)]
    yield
    for count, step in enumerate(facts.steps(Verb.WAITS, kind)):
        events.append(Event(step, Action.WAIT, unfinished_groups(kernel, step, kind)))
        if not count % _IN_A_STEP:
            yield
    on_edges: dict[Edge, Event] = {}
    if kind in ON_MBARRIER:
        events += [Event(step, Action.WAIT) for step in facts.steps(Verb.WAITS, THREADS)]
        for count, step in enumerate(facts.steps(Verb.WAITS, PHASE)):
            edges = kernel.wait_edges(step)
            if edges is None:
                events.append(Event(step, Action.WAIT))
            else:
                on_edges.update(dict.fromkeys(edges.complete, Event(step, Action.WAIT)))
            if not count % _IN_A_STEP:
                yield
    yield
    return AsyncWork(operations, events, are_committed=kind in COMMITTED, on_edges=on_edges)


def work_until(starts: list[Step], ends: list[Step]) -> AsyncWork:
    """Instructions with an effect that lasts until the next of some others."""
    return AsyncWork(starts, [Event(step, Action.WAIT) for step in ends], are_committed=False)


def unfinished_groups(kernel: Kernel, wait: Step, kind: str) -> int:
    """The number of groups that a wait leaves unfinished; if that is not known, it counts as a wait for everything."""
    fact = kernel.facts.find(wait, Verb.WAITS, kind)
    if fact is None or fact.operands == (ALL,):
        return EVERYTHING
    if not fact.operands:
        return 0
    operand = kernel.operand(wait, *fact.operands)
    value = None if operand is None else evaluate(kernel.context(wait).statement, operand)
    return value if isinstance(value, int) and value >= 0 else EVERYTHING
