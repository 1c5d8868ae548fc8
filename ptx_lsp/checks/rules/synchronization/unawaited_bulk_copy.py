"""W809 unawaited-bulk-copy."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.groups import BULK_COPIES, pending
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.memory_locations import surely_same
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_after, insert_before

RULE = warning("W809")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A bulk copy out of shared memory without a wait for it, or whose source is overwritten before the wait.

    The copy reads shared memory asynchronously. If the source is overwritten first, or the CTA has exited and its
    shared memory is reused, the wrong data is copied.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    cp.async.bulk.commit_group;
    // <--- warning[W809]: no 'cp.async.bulk.wait_group' follows; the CTA may exit before its shared memory is read
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;
    ```

    **Fixes offered:** insert the missing commit or wait.

    ---

    `cp.async.bulk.wait_group.read` waits until the source has been read, which is enough before it is overwritten or
    the kernel ends. Only stores in straight-line code after the copy are checked, and only if their address is known to
    be the first byte of the source. Not reported in functions, in kernels with calls, and in bodies without `ret` or
    `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    copies = [step for step in kernel.all("cp") if ".bulk_group" in step.opcode]
    uncommitted = [step for step in copies if not kernel.is_after(step, BULK_COPIES.commit)]
    if uncommitted:
        context = kernel.context(uncommitted[-1])
        if kernel.is_after(uncommitted[-1], BULK_COPIES.wait) and not kernel.has(BULK_COPIES.commit):
            return  # reported at the wait
        fixes = (insert_after(context, "cp.async.bulk.commit_group;"),)
        message = "no 'cp.async.bulk.commit_group' follows; no wait includes this copy"
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes))
        return
    for commit in kernel.all(BULK_COPIES.commit) if copies else ():
        if not kernel.is_after(commit, BULK_COPIES.wait):
            context = kernel.context(commit)
            fixes = (insert_after(context, "cp.async.bulk.wait_group 0;"),)
            message = "no 'cp.async.bulk.wait_group' follows; the CTA may exit before its shared memory is read"
            yield PlacedFinding(commit.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return
    for step in copies:
        store = _early_store(kernel, step)
        if store is not None:
            message = "a bulk copy in flight may still read this; add 'cp.async.bulk.wait_group.read' before it"
            fixes = (insert_before(kernel.context(store), "cp.async.bulk.wait_group.read 0;"),)
            yield PlacedFinding(store.place, RULE.at(kernel.context(store).opcode_span(), message, fixes=fixes))
            return


def _early_store(kernel: Kernel, step: Step) -> Step | None:
    """The first store into what ``step`` copies from before anything waits."""
    source = kernel.spot(step, "srcMem")
    if source is None:
        return None
    for one in pending(kernel, step, BULK_COPIES):
        if one.opcode[0] in ("st", "stmatrix") and any(surely_same(spot, source) for spot in kernel.addresses(one)):
            return one
    return None
