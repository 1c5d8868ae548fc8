"""W805 unawaited-wgmma."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.groups import PRODUCTS, pending
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_after, insert_before
from ptx_lsp.syntax.tree import OperandKind

RULE = warning("W805")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """Registers of a `wgmma.mma_async` that are accessed while it is in flight, or a `wgmma` without a wait for it.

    Until `wgmma.wait_group` the operation may read and write its registers at any time. Accessing the accumulators, or
    modifying the registers of A, before the wait is undefined behaviour.

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    st.global.f32 [%rd3], %f0;
    // <--- warning[W805]: '%f0' is used by a 'wgmma' in flight; add 'wgmma.wait_group' before this
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
    st.global.f32 [%rd3], %f0;
    ret;
    ```

    **Fixes offered:** insert the wait.

    ---

    `wgmma.wait_group N` allows the last N groups to be still in flight: with N = 1 after the only commit it waits for
    no group. Only accesses in straight-line code after the `wgmma` are checked; a `mov` is ignored, because compilers
    put them there. Not reported in functions, in kernels with calls, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for commit in kernel.all(PRODUCTS.commit):
        if not kernel.is_after(commit, PRODUCTS.wait) and kernel.is_before(commit, "wgmma.mma_async"):
            context = kernel.context(commit)
            fixes = (insert_after(context, "wgmma.wait_group.sync.aligned 0;"),)
            message = "no 'wgmma.wait_group' follows this group"
            yield PlacedFinding(commit.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return
    for step in kernel.all("wgmma.mma_async"):
        found = _touched(kernel, step)
        if found is not None:
            one, register = found
            name = name_of(register)
            message = f"'{name}' is used by a 'wgmma' in flight; add 'wgmma.wait_group' before this"
            fixes = (insert_before(kernel.context(one), "wgmma.wait_group.sync.aligned 0;"),)
            yield PlacedFinding(one.place, RULE.at(kernel.context(one).opcode_span(), message, fixes=fixes))
            return


def _touched(kernel: Kernel, step: Step) -> tuple[Step, str] | None:
    """The first instruction that reads an accumulator of a running product or writes one of its registers."""
    if not kernel.is_after(step, PRODUCTS.commit):
        return None  # another mistake
    results = frozenset(step.writes + step.updates)
    factors = _factors(kernel, step)
    for one in pending(kernel, step, PRODUCTS):
        if begins(one, "wgmma", "mov"):
            continue
        changed = (results | factors).intersection(one.writes + one.updates)
        touched = changed | results.intersection(one.reads)
        if touched:
            return one, min(touched)
    return None


def _factors(kernel: Kernel, step: Step) -> frozenset[str]:
    """The registers that hold A, if it is not in shared memory."""
    context = kernel.context(step)
    operand = kernel.operand(step, "a")
    if operand is None or operand.kind is not OperandKind.VECTOR:
        return frozenset()
    names = [context.word(part.name) for part in operand.parts if part.name >= 0]
    scope = kernel.graph.nodes[step.node].scope
    return frozenset(kernel.graph.registers.key(name, scope) for name in names)
