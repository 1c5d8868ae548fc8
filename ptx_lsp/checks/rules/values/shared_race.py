"""W629 shared-race."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from math import gcd
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import LANES, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.structure.loops import Loop
    from ptx_lsp.analysis.symbolic.linear_values import LinearValue
    from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths
    from ptx_lsp.analysis.symbolic.thread_places import ThreadPlaces, Users

RULE = warning("W629")
_SHORT = 400
"""Functions with more statements are not looked at."""
_MOST = 16
"""So many stores and loads are compared."""
_MOST_THREADS = 1024
_WARP = 32
_MOST_SEARCHES = 32
"""So many pairs of accesses of the same bytes are looked at thread by thread in one function."""
_MOST_TRIES = 64
"""The paths of so many threads are followed to an access."""
_ORDERING = frozenset(Verb) - {
    *(Verb.READS, Verb.WRITES, Verb.MAPS, Verb.PROXY, Verb.RAISES, Verb.LOWERS, Verb.MODIFIES),
    *(Verb.ALLOCATES, Verb.FREES, Verb.RELINQUISHES),
}
"""The facts of whatever may order the accesses of threads of different warps."""
_COLLECTIVE = ".aligned"
"""In the opcode of an instruction that all lanes of a warp execute together."""


class _Access(NamedTuple):
    step: Step
    size: int
    value: LinearValue


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
    stores, loads = (_accesses(flow, verb) for verb in (Verb.WRITES, Verb.READS))
    pairs = [(one, two) for one in stores for two in loads] + [(one, two) for one in loads for two in stores]
    if not pairs:
        return
    from ptx_lsp.analysis.symbolic.thread_places import PlacesOfValues

    ways = _Ways(flow)
    met = [(one, two) for one, two in pairs if ways.meet_without_barrier(one.step, two.step)]
    yield None
    of_values = PlacesOfValues(flow.expressions.values.atoms, facts.paths, threads)
    places: dict[Step, ThreadPlaces | None] = {}
    for access in (access for pair in met for access in pair):
        if access.step not in places:
            places[access.step] = of_values.of(access.value)
            yield None
    conflicts = _Conflicts(ways, facts.paths, places, met)
    reported = set()
    for one, two in met:
        if two.step in reported:
            continue
        yield None
        found = conflicts.between(one, two)
        if found is not None:
            reported.add(two.step)
            context = flow.steps.context(two.step)
            operand = next(operand for operand, *_ in extents(context) if operand.kind is OperandKind.ADDRESS)
            first, second = found
            if one in stores:
                message = f"thread {second} reads what thread {first} stores{HERE}, without a barrier between"
            else:
                message = f"thread {second} overwrites what thread {first} reads{HERE}, without a barrier between"
            beside = RelatedPlace(one.step.place, "the other access")
            yield PlacedFinding(two.step.place, RULE.at(context.operand_span(operand), message).related_to(beside))


def _accesses(flow: Flow, verb: Verb) -> list[_Access]:
    """The plain accesses of shared memory whose addresses are known for each thread."""
    from ptx_lsp.analysis.symbolic.substitution import loops_in
    from ptx_lsp.analysis.symbolic.symbolic_values import width_of

    found: list[_Access] = []
    atoms = flow.expressions.values.atoms
    for step in flow.kernel.facts.shared_accesses(verb):
        shared = any(word.startswith(".shared") for word in step.opcode)
        if not shared or possible_facts(step.opcode) != {(verb, "")} or _COLLECTIVE in step.opcode:
            continue
        context = flow.steps.context(step)
        for operand, size, _ in extents(context):
            base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and len(operand.parts) == 1 else None
            if base is None or base.name < 0 or not size:
                continue
            value = flow.expressions.values.operand(context, operand)
            if value is None:
                continue
            resolved = flow.expressions.resolved(value, width_of(context.visible(context.word(base.name))) or 64)
            if not loops_in(atoms, resolved):
                found.append(_Access(step, size, resolved))
    return found[:_MOST]


class _Ways:
    """The ways between accesses, found once for all accesses of two nodes."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._orderings: dict[int, list[int]] = {}
        self._free: dict[tuple[int, int], bool] = {}
        self._loops: dict[tuple[int, int], Loop | None] = {}

    def meet_without_barrier(self, one: Step, two: Step) -> bool:
        """Whether a way leads from one access to the other, and all of them are free of what may order threads.

        A way around a loop counts only if each iteration of the loop passes both accesses.
        """
        before, after = self._orders(one.node), self._orders(two.node)
        if one.node == two.node and one.statement < two.statement:
            return not any(one.statement < statement < two.statement for statement in before)
        if (before and before[-1] > one.statement) or (after and after[0] < two.statement):
            return False
        key = one.node, two.node
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

    def loop_between(self, one: Step, two: Step) -> Loop | None:
        """The loop whose next iteration executes the second of two instructions; None if the same one does."""
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


class _Conflicts:
    """The pairs of threads whose accesses are of the same bytes."""

    def __init__(
        self,
        ways: _Ways,
        paths: ThreadPaths,
        places: dict[Step, ThreadPlaces | None],
        pairs: list[tuple[_Access, _Access]],
    ) -> None:
        self._ways, self._paths, self._places = ways, paths, places
        sizes = (access.size for pair in pairs for access in pair)
        self._unit = gcd(*sizes, *(gcd(*found.distances) for found in places.values() if found is not None))
        """The bytes of a cell: each access is of whole cells."""
        self._known_users: dict[Step, Users] = {}
        self._comers: dict[tuple[Step, int | None], _Comers] = {}
        self._left = _MOST_SEARCHES

    def between(self, one: _Access, two: _Access) -> tuple[int, int] | None:
        """Two threads of different warps that execute the accesses for sure, of the same bytes."""
        first, second = self._places[one.step], self._places[two.step]
        if first is None or second is None or first.variable != second.variable:
            return None
        threads = first.meeting(one.size, second, two.size)
        if not self._left or not threads:
            return None
        users = self._users(one, first)
        is_line = first.step is not None and first.step == second.step
        if not is_line and users.cells.isdisjoint(self._users(two, second).cells):
            return None
        self._left -= 1
        loop = self._ways.loop_between(one.step, two.step)
        come, meet = self._who_comes(one.step, loop), self._who_comes(two.step, loop)
        owners = come.owners
        for thread in threads:
            if not come.may_come or not meet.may_come:
                return None
            place = second.distances[thread]
            for cell in range(place, place + two.size, self._unit):
                own_users = users.of_cells.get(cell)
                if not own_users or own_users[0] // _WARP == own_users[-1] // _WARP == thread // _WARP:
                    continue
                if cell not in owners:
                    owners[cell] = _two_of_them(own_users, come)
                for own in owners[cell]:
                    if own // _WARP != thread // _WARP and meet.comes(thread):
                        return own, thread
        return None

    def _users(self, access: _Access, places: ThreadPlaces) -> Users:
        """The threads of an access by the cells that they access."""
        if access.step not in self._known_users:
            self._known_users[access.step] = places.users(access.size, self._unit)
        return self._known_users[access.step]

    def _who_comes(self, step: Step, loop: Loop | None) -> _Comers:
        key = step, loop.header if loop is not None else None
        return self._comers.setdefault(key, _Comers(self._paths, step, loop))


def _two_of_them(threads: Iterable[int], come: _Comers) -> list[int]:
    """Threads of two warps, if there are so many, that execute an access: the first or the last lane of each."""
    warps = ([*lanes] for _, lanes in groupby(threads, lambda thread: thread // _WARP))
    found = (next(filter(come.comes, (lanes[0], lanes[-1])), None) for lanes in warps)
    return [*islice((thread for thread in found if thread is not None), 2)]


class _Comers:
    """The threads that execute an access for sure; in a loop, those that execute it at least twice.

    Args:
        paths: the paths of threads.
        step: the access.
        loop: the loop whose next iteration meets the other access.

    """

    def __init__(self, paths: ThreadPaths, step: Step, loop: Loop | None) -> None:
        self._paths, self._step, self._loop = paths, step, loop
        self._known: dict[int, bool] = {}
        self.may_come = True
        """False if many threads do not, and no other is tried."""
        self.owners: dict[int, list[int]] = {}
        """Threads of two warps that execute the access, by cells."""

    def comes(self, thread: int) -> bool:
        """Whether a thread does; False after many of them."""
        found = self._known.get(thread)
        if found is None:
            if len(self._known) >= _MOST_TRIES:
                self.may_come = any(self._known.values())
                return False
            found = self._known[thread] = self._comes(thread)
        return found

    def _comes(self, thread: int) -> bool:
        if self._loop is None:
            return self._paths.executes(self._step, thread)
        return (self._paths.numbers(self._step, thread) or {}).get(self._loop.header, 0) >= 1


def _loop_between(flow: Flow, first: int, second: int) -> Loop | None:
    """The innermost loop around two nodes, if its next iteration comes to the second."""
    for loop in flow.expressions.loops.around(first):
        inside = set(loop.all_nodes())
        if second in inside:
            ways = _forward(flow, first, loop.header)
            return loop if second not in ways or second == loop.header else None
    return None
