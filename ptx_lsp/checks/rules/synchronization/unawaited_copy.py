"""W801 unawaited-copy."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import counts_bytes, users
from ptx_lsp.analysis.synchronization.groups import COPIES, pending
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins, is_copy
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_after_another, insert_before

RULE = warning("W801")
_SIGNALS = "cp.async.mbarrier.arrive"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An asynchronous copy without a wait for it, or whose data is read before the wait.

    `cp.async` returns before the copy is complete. A read before the wait gets the old contents of shared memory, or
    part of the new data.

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
    need an `mbarrier.try_wait` or `test_wait` somewhere in the kernel. `cp.async.wait_group N` allows the last N groups
    to be still in flight. Only reads whose address is known to be inside the destination are checked. Not reported in
    functions, in kernels with calls, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for step in filter(is_copy, kernel.all("cp.async")):
        if not kernel.is_after(step, *COPIES.waits):
            message = "no 'cp.async.wait_all' or 'cp.async.wait_group' follows this copy"
            copies = filter(is_copy, kernel.all("cp.async"))
            last = [one for one in copies if one is step or kernel.leads(step, one)][-1]
            fix = insert_after_another(kernel.context(last), "cp.async.wait_all;")
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message).fixed_elsewhere(fix))
            return
    signal = next((step for step in users(kernel) if counts_bytes(step) or begins(step, _SIGNALS)), None)
    if signal is not None and kernel.has("mbarrier.init") and not kernel.has("mbarrier.try_wait", "mbarrier.test_wait"):
        message = "no 'mbarrier.try_wait' in this kernel waits for this copy"
        yield PlacedFinding(signal.place, RULE.at(kernel.context(signal).opcode_span(), message))
        return
    for step in filter(is_copy, kernel.all("cp.async")):
        early = _early_read(kernel, step)
        if early is not None:
            message = "reads the destination of a 'cp.async' in flight; add 'cp.async.wait_all' before this"
            fixes = (insert_before(kernel.context(early), "cp.async.wait_all;"),)
            yield PlacedFinding(early.place, RULE.at(kernel.context(early).opcode_span(), message, fixes=fixes))
            return


def _early_read(kernel: Kernel, step: Step) -> Step | None:
    """The first instruction that reads from what ``step`` copies before anything waits."""
    start, size = kernel.spot(step, "dst"), kernel.constant(step, "cp-size", "16")
    if start is None or start.offset is None or size is None:
        return None
    if not kernel.is_after(step, COPIES.commit, *COPIES.others):
        return None  # another mistake
    for one in pending(kernel, step, COPIES):
        if one.opcode[0] in ("ld", "ldmatrix") and any(_inside(spot, start, size) for spot in kernel.addresses(one)):
            return one
    return None


def _inside(spot: MemoryLocation | None, start: MemoryLocation, size: int) -> bool:
    if spot is None or spot.variable is not start.variable or spot.offset is None or start.offset is None:
        return False
    return start.offset <= spot.offset < start.offset + size
