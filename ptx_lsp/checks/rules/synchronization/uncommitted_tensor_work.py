"""W814 uncommitted-tensor-work."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.in_flight import UNREPEATED, unrepeated_wait
from ptx_lsp.isa.model.ordering import PHASE, Verb
from ptx_lsp.stepwise import first

RULE = warning("W814")
_COMMIT = (Verb.COMPLETES, "tensor-work")
_ACCESSES = (("tensor-loads", Verb.READS, "reads"), ("tensor-stores", Verb.WRITES, "overwrites"))
"""The kinds of work that are not in order with it: how they access Tensor Memory, and the word for it."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `tcgen05.mma`, `.cp` or `.shift` whose completion nothing can observe, or whose result is accessed before it.

    These operations are asynchronous. They are complete after `tcgen05.commit`, by the same thread, and a wait on its
    mbarrier; until then the results are not valid and the operands must not be modified.

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;
    // <--- warning[W814]: no 'tcgen05.commit' follows; its completion cannot be observed
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1];
    tcgen05.wait::ld.sync.aligned;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    fence.mbarrier_init.release.cluster;
    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 0;
    @!%p2 bra WAIT;
    tcgen05.fence::after_thread_sync;
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1];
    tcgen05.wait::ld.sync.aligned;
    ret;
    ```

    ---

    A `tcgen05.ld` or `tcgen05.st` of the same address is reported if some path leads to it without a commit, or without
    a wait for an mbarrier or a barrier after the commit; another thread may have waited before a barrier. Not reported
    in functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    work = kernel.facts.steps(Verb.STARTS, "tensor-work")
    missing = [step for step in work if not kernel.is_after(step, _COMMIT)]
    if missing:
        context = kernel.context(missing[-1])
        message = "no 'tcgen05.commit' follows; its completion cannot be observed"
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message))
        return
    if work and not kernel.facts.steps(Verb.WAITS, PHASE):
        for step in kernel.facts.steps(*_COMMIT):
            message = "no 'mbarrier.try_wait' in this kernel waits for what is committed"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
            return
    hazards = flow.asynchronous.of("tensor-work")
    for kind, access, verb in _ACCESSES:
        meets = Meeting(kernel, Verb.WRITES, access)
        accesses = kernel.facts.steps(Verb.STARTS, kind)
        hazard = yield from first(hazards.accessing(accesses, lambda *_: True, lambda *_: Verdict.FOUND, meets.is_met))
        if hazard is not None:
            yield _finding(kernel, hazard, verb)
            return


def _finding(kernel: Kernel, hazard: AsyncHazard, verb: str) -> PlacedFinding:
    name = "".join(hazard.operation.opcode[:2])
    message = (
        f"{verb} what a '{name}'{HERE} in flight writes; wait for the mbarrier of its 'tcgen05.commit' before this"
    )
    if hazard.arrival.age == 0:
        message = f"{verb} what a '{name}'{HERE} writes, and no 'tcgen05.commit' is between them"
    context = kernel.context(hazard.use)
    places = [RelatedPlace(hazard.operation.place, "this operation may still be in flight")]
    wait = unrepeated_wait(kernel, hazard) if hazard.arrival.age else None
    if wait is not None:
        message = f"{verb} what a '{name}'{HERE} in flight writes: {UNREPEATED}"
        places.append(RelatedPlace(wait.place, "this wait does not block until the phase is complete"))
    return PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(*places))
