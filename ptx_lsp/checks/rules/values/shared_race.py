"""W629 shared-race."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import LANES, Verb
from ptx_lsp.syntax.tree import OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.linear_values import LinearValue
    from ptx_lsp.analysis.symbolic.thread_places import AccessPlaces

RULE = warning("W629")
_SHORT = 400
"""Functions with more statements are not looked at."""
_MOST = 16
"""So many stores and loads are compared."""
_MOST_THREADS = 1024
_WARP = 32
_ORDERING = frozenset(Verb) - {
    *(Verb.READS, Verb.WRITES, Verb.MAPS, Verb.PROXY, Verb.RAISES, Verb.LOWERS, Verb.MODIFIES),
    *(Verb.ALLOCATES, Verb.FREES, Verb.RELINQUISHES),
}
"""The facts of whatever may order the accesses of threads of different warps."""
_COLLECTIVE = ".aligned"
"""In the opcode of an instruction that all lanes of a warp execute together."""


class _Access:
    """A plain access of shared memory; no two are equal."""

    __slots__ = ("is_store", "size", "step", "value")

    def __init__(self, step: Step, size: int, value: LinearValue, *, is_store: bool) -> None:
        self.step, self.size, self.value, self.is_store = step, size, value, is_store


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A load from shared memory of what another warp has stored, without a barrier between.

    ```ptx
    //- sm_80 ptx 7.0 module flow
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<8>;
        .shared .align 4 .b8 line[512];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, line;
        mad.lo.u32 %r3, %r1, 4, %r2;
        st.shared.u32 [%r3], %r1;
        sub.u32 %r4, 127, %r1;
        mad.lo.u32 %r5, %r4, 4, %r2;
        ld.shared.u32 %r6, [%r5];
    //                     ^^^^^ warning[W629]: thread 0 reads what thread 127 stores (line 12), without a barrier between
    // ptxas: accepts it
        bar.sync 0;
        st.shared.u32 [%r3], %r6;
        ret;
    }
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module flow
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<8>;
        .shared .align 4 .b8 line[512];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, line;
        mad.lo.u32 %r3, %r1, 4, %r2;
        st.shared.u32 [%r3], %r1;
        bar.sync 0;
        sub.u32 %r4, 127, %r1;
        mad.lo.u32 %r5, %r4, 4, %r2;
        ld.shared.u32 %r6, [%r5];
        bar.sync 0;
        st.shared.u32 [%r3], %r6;
        ret;
    }
    ```

    ---

    Reported if `.reqntid` gives more than one warp, both threads execute the accesses for sure, and no way between them
    has anything that could order them; `bar.warp.sync` orders only the lanes of a warp. Also reported: a store to what
    another warp loads before, without a barrier between, also in the next iteration of a loop that is known to have
    one. Functions of up to 400 statements. Manual: memory consistency model, "Data races"; `bar`.
    """  # noqa: E501 (a caret line carries its message)
    facts = flow.derived(ThreadFacts)
    threads = facts.limits.threads()
    if threads is None or not _WARP < threads <= _MOST_THREADS or not flow.graph.is_whole:
        return
    if sum(map(len, flow.function.chunks)) > _SHORT or facts.paths is None:
        return
    storing, loading = (
        [step for step in flow.kernel.facts.shared_accesses(verb) if _plain(step, verb)]
        for verb in (Verb.WRITES, Verb.READS)
    )
    if not storing or not loading:
        return
    stores, loads = _accesses(flow, storing, is_store=True), _accesses(flow, loading, is_store=False)
    pairs = [(one, two) for one in stores for two in loads] + [(one, two) for one in loads for two in stores]
    if not pairs:
        return
    from ptx_lsp.analysis.symbolic.thread_conflicts import AllComers, ThreadConflicts
    from ptx_lsp.analysis.symbolic.thread_places import PlacesOfValues

    ways = _Ways(flow)
    met = [(one, two) for one, two in pairs if ways.meet_without_barrier(one.step, two.step)]
    yield None
    of_values = PlacesOfValues(flow.expressions.values.atoms, facts.paths, threads)
    places: dict[_Access, AccessPlaces] = {}
    for access in dict.fromkeys(access for pair in met for access in pair):
        found_places = of_values.of(access.value)
        if found_places is not None:
            places[access] = found_places
        yield None
    conflicts = ThreadConflicts((one, access.size) for access, one in places.items())
    comers = AllComers(facts.paths, threads)
    reported: set[_Access] = set()
    for one, two in met:
        if two in reported or one not in places or two not in places:
            continue
        encounter = conflicts.encounter(places[one], one.size, places[two], two.size)
        if encounter is None:
            continue
        yield None
        loop = ways.loop_between(one.step, two.step)
        found = conflicts.between(encounter, comers.of(one.step, loop), comers.of(two.step, loop))
        if found is not None:
            reported.add(two)
            context = flow.steps.context(two.step)
            operand = next(operand for operand, *_ in extents(context) if operand.kind is OperandKind.ADDRESS)
            first, second = found
            if one.is_store:
                message = f"thread {second} reads what thread {first} stores{HERE}, without a barrier between"
            else:
                message = f"thread {second} overwrites what thread {first} reads{HERE}, without a barrier between"
            beside = RelatedPlace(one.step.place, "the other access")
            yield PlacedFinding(two.step.place, RULE.at(context.operand_span(operand), message).related_to(beside))


def _plain(step: Step, verb: Verb) -> bool:
    """Whether an instruction does nothing but access shared memory, for each lane alone."""
    is_shared = any(word.startswith(".shared") for word in step.opcode)
    return is_shared and possible_facts(step.opcode) == {(verb, "")} and _COLLECTIVE not in step.opcode


def _accesses(flow: Flow, steps: Iterable[Step], *, is_store: bool) -> list[_Access]:
    """The accesses whose addresses are known for each thread."""
    from ptx_lsp.analysis.symbolic.substitution import loops_in

    found: list[_Access] = []
    atoms = flow.expressions.values.atoms
    for step in steps:
        context = flow.steps.context(step)
        for operand, size, _ in extents(context):
            base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and len(operand.parts) == 1 else None
            if base is None or base.name < 0 or not size:
                continue
            value = flow.expressions.address(context, operand)
            if value is not None and not loops_in(atoms, value):
                found.append(_Access(step, size, value, is_store=is_store))
                if len(found) == _MOST:
                    return found
    return found


class _Ways:
    """The ways between accesses, found once for all accesses of two nodes."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._orderings: dict[int, list[int]] = {}
        self._free: dict[tuple[int, int], bool] = {}
        self._without_orders: set[tuple[int, int]] = set()
        """Pairs of nodes that have nothing that orders threads."""
        self._loops: dict[tuple[int, int], int | None] = {}

    def meet_without_barrier(self, one: Step, two: Step) -> bool:
        """Whether a way leads from one access to the other, and all of them are free of what may order threads.

        A way around a loop counts only if each iteration of the loop passes both accesses.
        """
        key = one.node, two.node
        free = self._free.get(key)
        if free is not None and key in self._without_orders:  # most pairs
            return free or one.node == two.node and one.statement < two.statement
        before, after = self._orders(one.node), self._orders(two.node)
        if not before and not after:
            self._without_orders.add(key)
        if one.node == two.node and one.statement < two.statement:
            return not any(one.statement < statement < two.statement for statement in before)
        if (before and before[-1] > one.statement) or (after and after[0] < two.statement):
            return False
        if key not in self._free:
            self._free[key] = self._is_free(*key)
        return self._free[key]

    def _is_free(self, first: int, second: int) -> bool:
        """Whether a way leads from one node to another, and the nodes between have nothing that may order threads."""
        nodes = self._flow.graph.nodes
        after = _forward(self._flow, first, second)
        if second not in after:
            return False
        before = _walk(nodes[second].predecessors, first, lambda node: nodes[node].predecessors)
        return not any(map(self._orders, (after & before) - {first, second}))

    def _orders(self, node: int) -> list[int]:
        """The instructions of a node that may order accesses of different warps, and not only of the lanes of one."""
        if node not in self._orderings:
            steps = ((step.statement, possible_facts(step.opcode)) for step in self._flow.steps.of(node))
            self._orderings[node] = [
                one for one, facts in steps if any(verb in _ORDERING and what != LANES for verb, what in facts)
            ]
        return self._orderings[node]

    def loop_between(self, one: Step, two: Step) -> int | None:
        """The header of the loop whose next iteration executes the second of two instructions; None without one."""
        if one.node == two.node and one.statement < two.statement:
            return None
        key = one.node, two.node
        if key not in self._loops:
            self._loops[key] = _loop_between(self._flow, *key)
        return self._loops[key]


def _forward(flow: Flow, start: int, end: int) -> set[int]:
    """The nodes to which ways lead from a node, up to another one."""
    nodes = flow.graph.nodes
    return _walk(nodes[start].successors, end, lambda node: nodes[node].successors)


def _walk(start: Iterable[int], end: int, following: Callable[[int], Iterable[int]]) -> set[int]:
    """The nodes that are reached, up to one."""
    seen = set(start)
    waiting = list(seen)
    while waiting:
        node = waiting.pop()
        if node != end:
            new = set(following(node)) - seen
            seen |= new
            waiting += new
    return seen


def _loop_between(flow: Flow, first: int, second: int) -> int | None:
    """The header of the innermost loop around two nodes, if its next iteration comes to the second."""
    for loop in flow.expressions.loops.around(first):
        inside = set(loop.all_nodes())
        if second in inside:
            ways = _forward(flow, first, loop.header)
            return loop.header if second not in ways or second == loop.header else None
    return None
