"""W803 unfenced-wgmma."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_before

RULE = warning("W803")
_FENCE = "wgmma.fence"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `wgmma.mma_async` with no `wgmma.fence` before it.

    The fence orders earlier accesses to the accumulators and to the registers of A. Without it the behaviour is
    undefined: the `wgmma` may use old values of the registers.

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    // <--- warning[W803]: no 'wgmma.fence' before this; it may use old values of its registers
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    ret;
    ```

    **Fixes offered:** insert the fence.

    ---

    One fence is enough for consecutive `wgmma.mma_async` of the same shape, even with the same accumulators. A fence on
    any path before the `wgmma` is enough for this rule. Not reported in functions, in kernels with calls, and in bodies
    without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for step in kernel.all("wgmma.mma_async"):
        if not kernel.is_before(step, _FENCE):
            context = kernel.context(step)
            fixes = (insert_before(context, "wgmma.fence.sync.aligned;"),)
            message = "no 'wgmma.fence' before this; it may use old values of its registers"
            yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return
