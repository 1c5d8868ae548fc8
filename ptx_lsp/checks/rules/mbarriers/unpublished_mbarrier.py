"""W833 unpublished-mbarrier."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from heapq import merge
from itertools import islice

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.barriers import barrier
from ptx_lsp.analysis.synchronization.mbarriers import Mbarriers, name_of_mbarrier
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.isa.model.ordering import LANES, PHASE, THREADS, TIME, Verb
from ptx_lsp.stepwise import collected

RULE = warning("W833")
_MAY_ORDER = (
    (Verb.WAITS, THREADS),
    (Verb.WAITS, PHASE),
    (Verb.ARRIVES, THREADS),
    (Verb.WAITS, LANES),
    (Verb.WAITS, TIME),
    (Verb.ORDERS, THREADS),
)
"""Facts of instructions after which a thread may know what another one has done."""

_TWO = 2
"""Of two nodes one is another than a given one."""
_INITIALIZATIONS_IN_A_STEP = 64
_MOST_COMPARED = 500
"""So many pairs of an initialization and a use are looked at for single threads."""
_WARP = 32
_MOST_THREADS = 1024


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An mbarrier that one thread initializes and all threads use, with no barrier between.

    The other threads come to their arrive or wait while the memory may still be uninitialized: the kernel hangs, traps
    or runs through, from one run to the next. Fences order the accesses of the one thread; they do not make others
    wait.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra READY;
    mbarrier.init.shared::cta.b64 [full], 128;
    fence.mbarrier_init.release.cluster;
    READY:
    mbarrier.arrive.shared::cta.b64 _, [full];
    // <--- warning[W833]: some threads come here before 'full' is initialized (line 11) by another; 'bar.sync' must be between
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
    @!%p2 bra WAIT;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra READY;
    mbarrier.init.shared::cta.b64 [full], 128;
    fence.mbarrier_init.release.cluster;
    READY:
    bar.sync 0;
    mbarrier.arrive.shared::cta.b64 _, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
    @!%p2 bra WAIT;
    ret;
    ```

    ---

    Reported if a guard or a branch lets only some lanes of a warp initialize it, and all of these lanes come to the
    use; also if `.reqntid` gives the number of threads and one of another warp comes to the use for sure. A use of some
    mbarrier of an array counts if all of them are initialized together. Anything by which threads can learn of each
    other counts as a barrier: an instruction with `.acquire`, `vote`, `atom`, another mbarrier. Not reported in
    functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`. PTX ISA,
    "Memory consistency model", causality order.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    barriers = mbarrier_uses(flow)
    inits = [use for use in barriers.initializations if use.place is not None and use.place.offset is not None]
    if not inits or len(barriers.uses) == len(inits):
        return
    yield from flow.lanes.preparing()
    around = flow.lanes.innermost({use.step.node for use in inits})
    branches: dict[Step, Step | None] = {}
    for number, (init, _) in enumerate(inits, 1):
        branches[init] = init if flow.lanes.divided(init) else around.get(init.node)
        if not number % _INITIALIZATIONS_IN_A_STEP:
            yield None
    ends = [step for fact in _MAY_ORDER for step in kernel.facts.steps(*fact)]
    rows: dict[Symbol, set[Step | None]] = {}
    for init, place in inits:
        if place is not None:
            rows.setdefault(place.variable, set()).add(branches[init])
    early = yield from _finding_early(flow, branches, rows, ends)
    threads, left = _Threads(flow, ends), _MOST_COMPARED
    for number, (init, place) in enumerate(inits, 1):
        if not number % _INITIALIZATIONS_IN_A_STEP:
            yield None
        if branches[init] is None or place is None:
            continue
        use, who = early.get(init), "some threads come"
        if use is None:
            named = _named(barriers, place, is_one=len(rows[place.variable]) == 1)
            for one in islice(named, max(left, 0)) if threads.are_known else ():
                left -= 1
                yield None
                thread = (yield from threads.finding_unordered(init, one)) if one != init else None
                if thread is not None:
                    use, who = one, f"thread {thread} comes"
                    break
        if use is not None:
            message = (
                f"{who} here before '{name_of_mbarrier(place)}' is initialized{HERE} by another; "
                "'bar.sync' must be between"
            )
            context = kernel.context(use)
            beside = RelatedPlace(init.place, "only some lanes of a warp execute this")
            yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
            return


def _named(barriers: Mbarriers, place: MemoryLocation, *, is_one: bool) -> Iterator[Step]:
    """The uses of an mbarrier in the order of the text, and if all are made in one branch those of any of its row."""
    places = (place, place._replace(offset=None)) if is_one else (place,)
    return merge(*(barriers.of_place.get(one, ()) for one in places), key=lambda step: (step.node, step.statement))


def _finding_early(
    flow: Flow, branches: Mapping[Step, Step | None], rows: Mapping[Symbol, set[Step | None]], ends: list[Step]
) -> Generator[None, None, dict[Step, Step]]:
    """For initializations by some threads a use to which all threads may come before the initialization is ordered."""
    kernel = flow.kernel
    barriers, after = mbarrier_uses(flow), kernel.graph.postdominance
    starts = [init for init, branch in branches.items() if branch is not None]
    alone = flow.lanes.innermost({use.step.node for use in barriers.uses})  # perhaps of the same threads
    uses = [use.step for use in barriers.uses if not use.step.guarded and use.step.node not in alone]

    def may_meet(init: Step, use: Step) -> bool:
        branch, place, used = branches[init], barrier(kernel, init), barrier(kernel, use)
        if branch is None or place is None or used is None or use == init:
            return False
        is_named = used == place or (
            used.variable is place.variable and used.offset is None and len(rows[place.variable]) == 1
        )
        return is_named and after.dominates(use.node, branch.node)

    hazards = AsyncHazards(kernel, work_until(starts, ends))
    found = yield from collected(hazards.accessing(uses, may_meet, lambda *_: Verdict.FOUND))
    return {hazard.operation: hazard.use for hazard in found}


class _Threads:
    """The first threads of all warps, and where they come unordered.

    Args:
        flow: the function.
        ends: the instructions that may order a thread with another one.

    """

    def __init__(self, flow: Flow, ends: list[Step]) -> None:
        facts = flow.derived(ThreadFacts)
        self._graph = flow.graph
        self._paths, count = facts.paths, facts.limits.threads()
        self._threads = range(0, min(count or 0, _MOST_THREADS), _WARP) if self._paths is not None else range(0)
        self.are_known = bool(self._threads)
        """Whether something is known of single threads."""
        self._leading: dict[int, dict[int, list[int]]] = {}
        self._first: dict[int, int] = {}
        """The first of the ends in each node."""
        for one in ends:
            self._first[one.node] = min(one.statement, self._first.get(one.node, one.statement))

    def finding_unordered(self, init: Step, use: Step) -> Generator[None, None, int | None]:
        """The first thread that executes a use for sure, not the initialization, and nothing that orders them.

        In steps, one for each thread whose way through the kernel is not known yet.
        """
        paths = self._paths
        for thread in self._threads if paths is not None else ():
            if thread not in self._leading:
                yield
            if paths is not None and paths.never_executes(init, thread) and paths.executes(use, thread):
                is_ordered = self._first.get(use.node, use.statement) < use.statement or any(
                    node != use.node for node in self._ends_before(thread).get(use.node, ())
                )
                if not is_ordered:
                    return thread
        return None

    def _ends_before(self, thread: int) -> dict[int, list[int]]:
        """For each node two nodes, if there are as many, that lead to it and in which the thread may be ordered."""
        if thread not in self._leading:
            assert self._paths is not None
            reached = self._paths.reached(thread)
            found: dict[int, list[int]] = {}
            waiting = [(number, number) for number in self._first if number in reached]
            while waiting:
                number, end = waiting.pop()
                for following in self._graph.nodes[number].successors:
                    known = found.setdefault(following, [])
                    if len(known) < _TWO and end not in known:
                        known.append(end)
                        waiting.append((following, end))
            self._leading[thread] = found
        return self._leading[thread]
