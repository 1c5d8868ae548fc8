"""W838 arrival-count."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.mbarriers import Mbarriers
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.first_parities import FirstParities
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.isa.model.ordering import COUNT, CTAS, PHASE, Verb

RULE = warning("W838")
_OTHERS = ((Verb.SIGNALS, CTAS), (Verb.CHANGES, COUNT), (Verb.COMPLETES, "copies"))
"""Facts of an arrival: other CTAs arrive too, the number of arrivals changes, or it comes later."""

_MOST_ARRIVALS = 64
"""The arrivals at an mbarrier are counted if there are no more."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An `mbarrier.init` for another number of arrivals than there are.

    A phase ends when as many arrivals have come as `mbarrier.init` says. If fewer threads arrive, the wait never ends:
    an `mbarrier.arrive` that one elected thread executes is one arrival, not one of each thread. If more arrive, phases
    end too early, and waits return before all threads have arrived.

    ```ptx
    //- module
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel() .reqntid 128
    {
        .reg .pred %p<3>;
        .reg .b32 %r<2>;
        .shared .align 8 .b64 done;
        mov.u32 %r1, %tid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra READY;
        mbarrier.init.shared::cta.b64 [done], 128;
    //                                        ^^^ warning[W838]: made for 128 arrivals, at most 1 comes (line 18): the wait never ends
    READY:
        bar.sync 0;
        @%p1 bra WAIT;
        mbarrier.arrive.shared::cta.b64 _, [done];
    WAIT:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 0;
        @!%p2 bra WAIT;
        ret;
    }
    ```

    **Right:** the number of arrivals of one phase: `mbarrier.init.shared::cta.b64 [done], 1;`

    ---

    The threads that execute an arrival are counted with `.reqntid` or `.maxntid`, guards on `%tid.x` and `elect.sync`.
    Reported if fewer can arrive before a wait with parity 0 must have ended, or if all threads of `.reqntid` arrive
    before any wait, and are more. Not reported if an arrival may come from another CTA or has an unknown address, with
    `mbarrier.arrive_drop` or `cp.async.mbarrier.arrive`, in functions, in kernels that call functions which may take
    part, and in bodies without `ret` or `exit`. PTX ISA, "mbarrier.init".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    uses = mbarrier_uses(flow)
    if not uses.initializations or not uses.arrivals or kernel.facts.has(Verb.MAPS):
        return
    seen: set[MemoryLocation] = set()
    for init, place in uses.initializations:
        if place is None or place.offset is None or place in seen:
            continue
        yield None
        seen.add(place)
        found = _of_mbarrier(flow, uses, init, place)
        if found is not None:
            yield found


def _of_mbarrier(flow: Flow, uses: Mbarriers, init: Step, place: MemoryLocation) -> PlacedFinding | None:
    kernel, facts = flow.kernel, flow.derived(ThreadFacts)
    inits = list(islice(uses.initializations_by_place.maybe_same(place), 2))
    arrivals = list(islice(uses.arrivals_by_place.maybe_same(place), _MOST_ARRIVALS + 1))
    sure = uses.arrivals_of.get(place, [])
    count = kernel.constant(init, "count")
    operand = kernel.operand(init, "count")
    if (
        len(arrivals) > _MOST_ARRIVALS
        or inits != [init]
        or arrivals != sure
        or not sure
        or count is None
        or operand is None
        or facts.counts is None
    ):
        return None
    if any(kernel.facts.find(step, *fact) is not None for step in sure for fact in _OTHERS):
        return None
    waits = uses.waits_of.get(place, [])
    total: int | None = 0
    for step in sure:
        weight = _weight(kernel, step)
        threads = facts.counts.most(step) if weight and _is_once_in_a_phase(flow, step, waits) else None
        total = total + threads * weight if total is not None and threads is not None and weight is not None else None
        row = facts.limits.threads()
        if weight and row and row * weight > count and _all_arrive_first(kernel, step, waits):
            message = f"made for {counted(count, 'arrival')}, {row * weight} come before any wait"
            return _finding(kernel, init, step, message)
    blocks = any(flow.derived(FirstParities).of(wait) == 0 for wait in waits)
    if total is None or total >= count or not blocks:
        return None
    come = f"at most {total} come{'s' if total == 1 else ''}"
    return _finding(kernel, init, sure[0], f"made for {counted(count, 'arrival')}, {come}\0: the wait never ends")


def _finding(kernel: Kernel, init: Step, arrival: Step, message: str) -> PlacedFinding:
    operand = kernel.operand(init, "count")
    assert operand is not None
    context = kernel.context(init)
    found = RULE.at(context.operand_span(operand), message)
    return PlacedFinding(init.place, found.related_to(RelatedPlace(arrival.place, "the threads arrive here")))


def _weight(kernel: Kernel, step: Step) -> int | None:
    """The number of arrivals of each execution."""
    fact = kernel.facts.find(step, Verb.ARRIVES, PHASE)
    if fact is None:
        return None
    return 1 if kernel.operand(step, *fact.operands[1:]) is None else kernel.constant(step, *fact.operands[1:])


def _is_once_in_a_phase(flow: Flow, step: Step, waits: list[Step]) -> bool:
    """Whether a thread that comes back to an arrival has seen a wait end that begins with parity 0."""
    kernel = flow.kernel
    ends: set[Edge] = set()
    for wait in waits:
        edges = kernel.wait_edges(wait) if flow.derived(FirstParities).of(wait) == 0 else None
        ends |= edges.complete if edges is not None else set()
    cycle = kernel.graph.reachability.cycle
    waiting, seen = [step.node], set()
    while waiting:
        number = waiting.pop()
        for following in kernel.graph.nodes[number].successors:
            if cycle(following) != cycle(step.node):
                continue
            if following == step.node and (number, following) not in ends:
                return False
            if following not in seen and (number, following) not in ends:
                seen.add(following)
                waiting.append(following)
    return True


def _all_arrive_first(kernel: Kernel, step: Step, waits: list[Step]) -> bool:
    """Whether all threads come to an arrival, at first before any wait."""
    graph = kernel.graph
    if step.guarded or not graph.postdominance.dominates(step.node, 0):
        return False
    return bool(waits) and not any(
        graph.dominance.dominates(wait.node, step.node) and (wait.node != step.node or wait.statement < step.statement)
        for wait in waits
    )
