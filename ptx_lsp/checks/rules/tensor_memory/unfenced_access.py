"""W857 unfenced-tensor-access."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import pairwise

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.async_work import Action, AsyncWork, Event, work_until
from ptx_lsp.analysis.synchronization.barriers import barrier
from ptx_lsp.analysis.synchronization.before_and_after import Before
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, hint, warning
from ptx_lsp.checks.support.insertion import insert_before
from ptx_lsp.isa.model.ordering import PHASE, TENSOR_MEMORY, TENSOR_SIGNALS, TENSOR_WAITS, THREADS, Verb
from ptx_lsp.stepwise import first

RULE = warning("W857")
_SIGNAL = hint("W857")
"""A hint: the operations of the other thread after its wait may be independent of those before the arrival."""
_RELAXED = ".relaxed"
_WORK = "tensor-work"
_AFTER, _BEFORE = "tcgen05.fence::after_thread_sync;", "tcgen05.fence::before_thread_sync;"
_ORDERING = ((Verb.FENCES, THREADS), (Verb.WAITS, THREADS), (Verb.ORDERS, THREADS))
"""The facts of instructions that order memory, and with it Tensor Memory."""
_ACCESSES = (("tensor-loads", Verb.READS), ("tensor-stores", Verb.WRITES))


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `.relaxed` wait or arrival at an mbarrier without the `tcgen05.fence` that orders Tensor Memory.

    With `.relaxed` an mbarrier orders no memory. `tcgen05.fence::after_thread_sync` orders the later `tcgen05`
    operations after the wait; without the fence a `tcgen05.ld` may be executed before the product is complete.
    `tcgen05.fence::before_thread_sync` orders the earlier ones before an arrival.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    fence.mbarrier_init.release.cluster;
    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 0;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
    mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p1, [done], 0;
    @!%p1 bra WAIT;
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1];
    // <--- warning[W857]: the wait (line 13) is '.relaxed'; add 'tcgen05.fence::after_thread_sync' after it
    // ptxas: accepts it
    tcgen05.wait::ld.sync.aligned;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    fence.mbarrier_init.release.cluster;
    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 0;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
    mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p1, [done], 0;
    @!%p1 bra WAIT;
    tcgen05.fence::after_thread_sync;
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1];
    tcgen05.wait::ld.sync.aligned;
    ret;
    ```

    **Fixes offered:** insert the fence.

    ---

    A load or store is reported if one path leads from an operation on the same address, past its commit and a
    `.relaxed` wait, and no fence, barrier or other ordering instruction is on it after the commit, also not before the
    wait. A wait without `.relaxed` acquires: the memory model then orders Tensor Memory too, and compilers rely on it.
    An arrival is a hint, if a wait on the same mbarrier leads to operations on Tensor Memory other than
    `tcgen05.dealloc`. Not reported in functions, in kernels that call functions which may take part, and in bodies
    without `ret` or `exit`. PTX ISA, "tcgen05 memory consistency model: canonical synchronization patterns".
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    relaxed = [step for step in kernel.facts.steps(Verb.WAITS, PHASE) if _RELAXED in step.opcode]
    found = (yield from _unfenced_access(kernel, relaxed)) if relaxed else None
    found = found or (yield from _unfenced_signal(kernel))
    if found is not None:
        yield found


def _unfenced_access(kernel: Kernel, relaxed: list[Step]) -> Generator[None, None, PlacedFinding | None]:
    """The first access after a relaxed wait without a fence between them."""
    ending: dict[Edge, Step] = {}
    for wait in relaxed:
        edges = kernel.wait_edges(wait)
        if edges is not None:
            ending.update(dict.fromkeys(edges.complete, wait))
    hazards = AsyncHazards(kernel, _until_ordered(kernel))
    for kind, access in _ACCESSES:
        meets = Meeting(kernel, Verb.WRITES, access)

        def is_met(operation: Step, arrival: Arrival, values: PathValues, meets: Meeting = meets) -> bool:
            return _last_wait(arrival, ending) is not None and meets.is_met(operation, arrival, values)

        accesses = kernel.facts.steps(Verb.STARTS, kind)
        for hazard in hazards.accessing(accesses, lambda *_: True, _is_committed, is_met):
            last = None if hazard is None else _last_wait(hazard.arrival, ending)
            if hazard is None or last is None:
                yield
                continue
            context = kernel.context(hazard.use)
            message = f"the wait{HERE} is '{_RELAXED}'; add '{_AFTER[:-1]}' after it"
            places = (
                RelatedPlace(last.place, "this wait orders no memory"),
                RelatedPlace(hazard.operation.place, "this operation writes what is accessed"),
            )
            fixes = (insert_before(context, _AFTER),)
            finding = RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places)
            return PlacedFinding(context.place, finding)
    return None


def _until_ordered(kernel: Kernel) -> AsyncWork:
    """The operations that commits complete, until something orders Tensor Memory after a commit."""
    facts = kernel.facts
    events = [Event(step, Action.COMMIT) for step in facts.steps(Verb.COMPLETES, _WORK)]
    ends = [step for fact in ((Verb.FENCES, TENSOR_WAITS), *_ORDERING) for step in facts.steps(*fact)]
    events += [Event(step, Action.WAIT) for step in ends]
    on_edges: dict[Edge, Event] = {}
    for wait in facts.steps(Verb.WAITS, PHASE):
        if _RELAXED in wait.opcode:
            continue
        edges = kernel.wait_edges(wait)
        if edges is None:
            events.append(Event(wait, Action.WAIT))
        else:
            on_edges.update(dict.fromkeys(edges.complete, Event(wait, Action.WAIT)))
    return AsyncWork(facts.steps(Verb.STARTS, _WORK), events, are_committed=True, on_edges=on_edges)


def _is_committed(_: Step, arrival: Arrival) -> Verdict:
    return Verdict.FOUND if arrival.age else Verdict.PASS


def _last_wait(arrival: Arrival, ending: dict[Edge, Step]) -> Step | None:
    """The last wait that a path leaves because the phase is complete."""
    path = [segment.node for segment in arrival.trace()]
    return next((ending[edge] for edge in reversed([*pairwise(path)]) if edge in ending), None)


def _unfenced_signal(kernel: Kernel) -> Generator[None, None, PlacedFinding | None]:
    """The first relaxed arrival after work on Tensor Memory without a fence between them."""
    facts = kernel.facts
    work = [step for kind in sorted(TENSOR_MEMORY) for step in facts.steps(Verb.STARTS, kind)]
    relaxed = [step for step in facts.steps(Verb.ARRIVES, PHASE) if _RELAXED in step.opcode]
    awaited = _before_work(kernel, work) if relaxed else frozenset()
    arrivals = [step for step in relaxed if barrier(kernel, step) in awaited]
    if not arrivals:
        return None
    ends = [step for fact in ((Verb.FENCES, TENSOR_SIGNALS), *_ORDERING) for step in facts.steps(*fact)]
    ends += facts.steps(Verb.COMPLETES, _WORK)
    hazards = AsyncHazards(kernel, work_until(work, ends))
    hazard = yield from first(hazards.accessing(arrivals, lambda *_: True, lambda *_: Verdict.FOUND))
    if hazard is None:
        return None
    context = kernel.context(hazard.use)
    name = "".join(hazard.operation.opcode[:2])
    message = f"this '{_RELAXED}' arrival does not order the '{name}'{HERE}; add '{_BEFORE[:-1]}' before it"
    places = (RelatedPlace(hazard.operation.place, "this operation"),)
    fixes = (insert_before(context, _BEFORE),)
    finding = _SIGNAL.at(context.opcode_span(), message, fixes=fixes).related_to(*places)
    return PlacedFinding(context.place, finding)


def _before_work(kernel: Kernel, work: list[Step]) -> frozenset[MemoryLocation]:
    """The mbarriers of which a wait leads to work on Tensor Memory."""
    before = Before(kernel.graph, work)
    places = (barrier(kernel, step) for step in kernel.facts.steps(Verb.WAITS, PHASE) if step in before)
    return frozenset(place for place in places if place is not None and place.offset is not None)
