"""W802 uncommitted-copy."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.groups import BULK_COPIES, COPIES
from ptx_lsp.analysis.synchronization.kernel import Kernel, is_copy
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_before

RULE = warning("W802")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `wait_group` after copies that no `commit_group` has committed.

    `wait_group` waits only for committed groups: it returns at once, and the data is read too early.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[256];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    cp.async.wait_group 0;
    // <--- warning[W802]: no 'cp.async.commit_group' before this; it waits for no copy
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

    `cp.async.wait_all` needs no commit.

    **Fixes offered:** insert the commit.

    ---

    The same applies to bulk copies with `.bulk_group`, `cp.async.bulk.commit_group` and `cp.async.bulk.wait_group`. A
    commit on any path before the wait is enough. Not reported in functions, in kernels with calls, and in bodies
    without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for scheme in (COPIES, BULK_COPIES):
        for step in kernel.all(scheme.wait):
            if kernel.is_before(step, scheme.commit):
                continue
            copies = filter(is_copy, kernel.all("cp.async")) if scheme is COPIES else _bulk_copies(kernel)
            if not any(kernel.leads(copy, step) for copy in copies):
                continue
            context = kernel.context(step)
            message = f"no '{scheme.commit}' before this; it waits for no copy"
            fixes = (insert_before(context, f"{scheme.commit};"),)
            yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            break


def _bulk_copies(kernel: Kernel) -> Iterator[Step]:
    return (step for step in kernel.all("cp") if ".bulk_group" in step.opcode)
