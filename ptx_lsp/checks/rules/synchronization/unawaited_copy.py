"""W801 unawaited-copy."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator
from itertools import product

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict, is_missed_by_wait
from ptx_lsp.analysis.synchronization.barriers import counts_bytes, users
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.in_flight import UNREPEATED, operation_and_wait, unrepeated_wait
from ptx_lsp.checks.support.insertion import insert_after_another, insert_before
from ptx_lsp.isa.model.ordering import PHASE, Verb
from ptx_lsp.stepwise import first

RULE = warning("W801")
_SIGNAL = (Verb.COMPLETES, "copies")
_KINDS = ("copies", "bytes")
_ACCESSES = (Verb.READS, Verb.WRITES)
_WAITS = ((Verb.WAITS, "copies"), _SIGNAL)


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An asynchronous copy without a wait for it, or whose data is read or overwritten before the wait.

    `cp.async` returns before the copy is complete. A read before the wait gets the old contents of shared memory, or
    part of the new data; of a store before the wait and the copy either can come last.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[256];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    // <--- warning[W801]: no 'cp.async.wait_all' or 'cp.async.wait_group' follows this copy
    cp.async.commit_group;
    bar.sync 0;
    ld.shared.b32 %r1, [tile];
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[256];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ld.shared.b32 %r1, [tile];
    ret;
    ```

    **Fixes offered:** insert `cp.async.wait_all`, which waits for the copies of this thread; for the copies of other
    threads a barrier must follow.

    ---

    `cp.async.wait_all` is a wait, too. Copies that complete on an mbarrier (`cp.async.mbarrier.arrive`, bulk copies)
    need an `mbarrier.try_wait` or `test_wait` somewhere in the kernel, and for bulk copies one, or a barrier, before
    the data is read. Such a wait does not block until the phase is complete: on a path on which its result is false it
    is none. `cp.async.wait_group N` allows the last N groups to be still in flight; groups are counted on each path and
    around loops. An access is reported if the first thread of the CTA would access what it copies: its addresses are
    computed along the path, those of the stages of a loop too. A store is reported only if it follows each copy: where
    guards or branches decide, it may fill the place of a copy that was left out. Not reported in functions, in kernels
    that call functions which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    copies = kernel.facts.steps(Verb.STARTS, "copies")
    for step in copies:
        if not kernel.is_after(step, *_WAITS):
            message = "no 'cp.async.wait_all' or 'cp.async.wait_group' follows this copy"
            last = [one for one in copies if one is step or kernel.leads(step, one)][-1]
            fix = insert_after_another(kernel.context(last), "cp.async.wait_all;")
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message).fixed_elsewhere(fix))
            return
    signals = kernel.facts.steps(*_SIGNAL)
    signal = next((step for step in users(kernel) if counts_bytes(step) or step in signals), None)
    has_init = bool(kernel.facts.steps(Verb.INITIALIZES, PHASE))
    if signal is not None and has_init and not kernel.facts.steps(Verb.WAITS, PHASE):
        message = "no 'mbarrier.try_wait' in this kernel waits for this copy"
        yield PlacedFinding(signal.place, RULE.at(kernel.context(signal).opcode_span(), message))
        return
    for verb, kind in product(_ACCESSES, _KINDS):
        found = yield from _early_access(flow, kind, verb)
        if found is None:
            continue
        hazard, message, statement = found
        context = kernel.context(hazard.use)
        fixes = (insert_before(context, statement),) if statement else ()
        places = operation_and_wait(kernel, hazard, "this copy may still be in flight")
        wait = unrepeated_wait(kernel, hazard) if not statement else None
        if wait is not None:
            message = f"{message.partition(HERE)[0]}{HERE} in flight: {UNREPEATED}"
            places = (*places, RelatedPlace(wait.place, "this wait does not block until the phase is complete"))
        yield PlacedFinding(hazard.use.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places))
        return


def _early_access(flow: Flow, kind: str, verb: Verb) -> Generator[None, None, tuple[AsyncHazard, str, str] | None]:
    """The first access of the destination of a copy in flight, of a kind: with the message and the missing wait."""
    kernel, hazards = flow.kernel, flow.asynchronous.of(kind)
    if not hazards.work.operations:
        return None

    def judge(_: Step, arrival: Arrival) -> Verdict:
        return Verdict.PASS if is_missed_by_wait(arrival) else Verdict.FOUND  # reported at the wait

    meets = Meeting(kernel, Verb.WRITES, verb)
    accesses = yield from kernel.facts.finding_shared_accesses(verb)
    if verb is Verb.WRITES:  # other copies are not ordered with this one, but may be of another group
        accesses = [step for step in accesses if not any(one.verb is Verb.STARTS for one in kernel.facts.of(step))]

    def may_meet(operation: Step, use: Step) -> bool:
        return (verb is Verb.READS or _follows(kernel, operation, use)) and meets.may_meet(operation, use)

    def likeness(operation: Step, use: Step) -> Hashable:
        if verb is Verb.READS:
            return meets.likeness(operation, use)
        # If the store does not follow this copy, it is not asked what it accesses.
        follows = _follows(kernel, operation, use)
        return (use.node, use.guarded, meets.likeness(operation, use)) if follows else None

    does = "reads" if verb is Verb.READS else "overwrites"
    hazard = yield from first(hazards.accessing(accesses, may_meet, judge, meets.is_met, likeness=likeness))
    if hazard is None:
        return None
    if kind == "copies":
        message = f"{does} the destination of a 'cp.async'{HERE} in flight; add 'cp.async.wait_all' before this"
        return hazard, message, "cp.async.wait_all;"
    return hazard, f"{does} the destination of a copy{HERE} in flight; wait for its mbarrier before this", ""


def _follows(kernel: Kernel, copy: Step, store: Step) -> bool:
    """Whether a store is executed whenever a copy is: often one of the two brings data, and the other one zeros."""
    if copy.guarded or store.guarded:
        return False
    return copy.node == store.node or kernel.graph.postdominance.dominates(store.node, copy.node)
