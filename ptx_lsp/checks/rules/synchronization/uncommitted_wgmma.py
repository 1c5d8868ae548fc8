"""W804 uncommitted-wgmma."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.groups import PRODUCTS
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_after

RULE = warning("W804")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `wgmma.mma_async` with no `wgmma.commit_group` after it.

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

    A commit on any path after the `wgmma` is enough. Not reported in functions, in kernels with calls, and in bodies
    without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    missing = [step for step in kernel.all("wgmma.mma_async") if not kernel.is_after(step, PRODUCTS.commit)]
    if missing:
        context = kernel.context(missing[-1])  # those before it can be of the same group
        fixes = (insert_after(context, "wgmma.commit_group.sync.aligned;"),)
        message = "no 'wgmma.commit_group' follows; no wait includes this"
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes))
