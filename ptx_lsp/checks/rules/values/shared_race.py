"""W629 shared-race."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
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

RULE = warning("W629")
_SHORT = 400
"""Functions with more statements are not looked at."""
_MOST = 16
"""So many stores and loads are compared."""
_MOST_THREADS = 1024
_WARP = 32
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


class _Places(NamedTuple):
    variable: tuple[tuple[int, int], ...]
    """The atoms of the address."""
    distances: list[int]
    """The distance from it, of each thread."""


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
    reported = set()
    of_values = _PlacesOfValues(flow, facts.paths, threads)
    places: dict[Step, _Places | None] = {}
    for one, two in pairs:
        if two.step in reported or not _meet_without_barrier(flow, one.step, two.step):
            continue
        for access in (one, two):
            if access.step not in places:
                places[access.step] = of_values.of(access.value)
                yield None
        yield None
        found = _conflict(flow, facts.paths, one, two, (places[one.step], places[two.step]))
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


def _meet_without_barrier(flow: Flow, one: Step, two: Step) -> bool:
    """Whether a way leads from one access to the other, and all of them are free of what may order threads.

    A way around a loop counts only if each iteration of the loop passes both accesses.
    """
    if one.node == two.node and one.statement < two.statement:
        steps = flow.steps.of(one.node)
        return not any(_orders(step) for step in steps if one.statement < step.statement < two.statement)
    nodes = flow.graph.nodes
    after = _forward(flow, one.node, two.node)
    if two.node not in after:
        return False
    before = _walk(nodes[two.node].predecessors, one.node, lambda node: nodes[node].predecessors)
    between = [step for step in flow.steps.of(one.node) if step.statement > one.statement]
    between += [step for step in flow.steps.of(two.node) if step.statement < two.statement]
    for node in (after & before) - {one.node, two.node}:
        between += flow.steps.of(node)
    return not any(map(_orders, between))


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


def _orders(step: Step) -> bool:
    """Whether an instruction may order accesses of different warps, and not only of the lanes of one."""
    return any(verb in _ORDERING and what != LANES for verb, what in possible_facts(step.opcode))


def _conflict(
    flow: Flow, paths: ThreadPaths, one: _Access, two: _Access, places: tuple[_Places | None, _Places | None]
) -> tuple[int, int] | None:
    """Two threads of different warps that execute the accesses for sure, of the same bytes."""
    first, second = places
    if first is None or second is None or first.variable != second.variable:
        return None
    users: dict[int, dict[int, list[int]]] = {}
    for thread, place in enumerate(first.distances):
        for byte in range(place, place + one.size):
            users.setdefault(byte, {}).setdefault(thread // _WARP, []).append(thread)
    loop = _loop_between(flow, one.step, two.step)
    come = _Comers(paths, one.step, loop)
    meet = _Comers(paths, two.step, loop)
    owners: dict[int, list[int]] = {}
    for thread, place in enumerate(second.distances):
        for byte in range(place, place + two.size):
            warps = users.get(byte, {})
            if warps.keys() <= {thread // _WARP}:
                continue
            if byte not in owners:
                owners[byte] = _two_of_them(warps.values(), come)
            for own in owners[byte]:
                if own // _WARP != thread // _WARP and meet.comes(thread):
                    return own, thread
    return None


def _two_of_them(warps: Iterable[list[int]], come: _Comers) -> list[int]:
    """Threads of two warps, if there are so many, that execute an access: the first or the last lane of each."""
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

    def comes(self, thread: int) -> bool:
        """Whether a thread does; False after many of them."""
        if thread not in self._known:
            self._known[thread] = len(self._known) < _MOST_TRIES and self._comes(thread)
        return self._known[thread]

    def _comes(self, thread: int) -> bool:
        if self._loop is None:
            return self._paths.executes(self._step, thread)
        return (self._paths.numbers(self._step, thread) or {}).get(self._loop.header, 0) >= 1


def _loop_between(flow: Flow, one: Step, two: Step) -> Loop | None:
    """The loop whose next iteration executes the second of two instructions; None if the same one does."""
    if one.node == two.node and one.statement < two.statement:
        return None
    for loop in flow.expressions.loops.around(one.node):
        inside = set(loop.all_nodes())
        if two.node in inside:
            ways = _forward(flow, one.node, loop.header)
            return loop if two.node not in ways or two.node == loop.header else None
    return None


class _PlacesOfValues:
    """The places of accesses for each thread, found once for all addresses that differ by a constant."""

    def __init__(self, flow: Flow, paths: ThreadPaths, threads: int) -> None:
        self._flow = flow
        self._specials = [paths.specials(thread) for thread in range(threads)]
        self._known: dict[tuple[tuple[int, int], ...], _Places | None] = {}

    def of(self, value: LinearValue) -> _Places | None:
        """The places of an address; None if they are not known."""
        if value.terms not in self._known:
            self._known[value.terms] = self._found(value._replace(number=0))
        found = self._known[value.terms]
        if found is None:
            return None
        return found._replace(distances=[value.number + one for one in found.distances])

    def _found(self, value: LinearValue) -> _Places | None:
        from ptx_lsp.analysis.symbolic.substitution import Substitution

        found: list[int] = []
        terms = None
        for specials in self._specials:
            here = Substitution(self._flow.expressions.values.atoms, specials).of(value)
            if terms is None and all(_is_same(self._flow, token) for token, _ in here.terms):
                terms = here.terms
            if terms is None or here.terms != terms:
                return None
            found.append(here.number)
        return _Places(terms or (), found)


def _is_same(flow: Flow, token: int) -> bool:
    """Whether an atom is the same in all threads: the address of a variable."""
    from ptx_lsp.analysis.symbolic.atoms import AtomKind

    return flow.expressions.values.atoms.atom(token).kind is AtomKind.SYMBOL
