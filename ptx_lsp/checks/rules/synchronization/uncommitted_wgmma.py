"""W804 uncommitted-wgmma."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict, is_missed_by_wait
from ptx_lsp.analysis.synchronization.operation_registers import (
    COPIES_OF_REGISTERS,
    product_registers,
    touched_registers,
)
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_after
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import collected

RULE = warning("W804")
_COMMIT = (Verb.COMMITS, "products")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `wgmma.mma_async` with no `wgmma.commit_group` after it, or none before the wait.

    `wgmma.wait_group` waits only for committed operations: it returns while the `wgmma` is in flight, and the contents
    of the accumulators are undefined.

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    // <--- warning[W804]: no 'wgmma.commit_group' follows; no wait includes this
    wgmma.wait_group.sync.aligned 0;
    st.global.f32 [%rd3], %f0;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    st.global.f32 [%rd3], %f0;
    ret;
    ```

    **Fixes offered:** insert the commit.

    ---

    A commit after the wait is too late: reported if some path leads from the `wgmma` through a wait to an instruction
    that uses its registers without a commit before the wait. Not reported in functions, in kernels that call functions
    which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    missing = [step for step in kernel.facts.steps(Verb.STARTS, "products") if not kernel.is_after(step, _COMMIT)]
    if missing:
        context = kernel.context(missing[-1])  # those before it can be of the same group
        fixes = (insert_after(context, "wgmma.commit_group.sync.aligned;"),)
        message = "no 'wgmma.commit_group' follows; no wait includes this"
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes))
        return

    def judge(step: Step, arrival: Arrival) -> Verdict:
        is_used = is_missed_by_wait(arrival) and touched_registers(kernel, step, arrival)
        return Verdict.FOUND if is_used else Verdict.PASS

    hazards = flow.asynchronous.of("products")
    missed = yield from hazards.finding_missed()
    found = yield from collected(
        hazards.touching(partial(product_registers, kernel), COPIES_OF_REGISTERS, judge, among=missed)
    )
    same = [hazard for hazard in found if hazard.arrival.wait == found[0].arrival.wait]
    for hazard in same[-1:]:  # those before it can be of the same group
        wait = hazard.arrival.wait
        assert wait is not None
        context = kernel.context(hazard.operation)
        message = f"no 'wgmma.commit_group' between this and the wait{HERE}, which does not include it"
        use = RelatedPlace(hazard.use.place, "this uses its registers")
        places = (RelatedPlace(wait.place, "this wait does not include it"), use)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(*places))
