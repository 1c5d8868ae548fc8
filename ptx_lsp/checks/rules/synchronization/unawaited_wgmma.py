"""W805 unawaited-wgmma."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict, is_missed_by_wait
from ptx_lsp.analysis.synchronization.operation_registers import (
    COPIES_OF_REGISTERS,
    product_registers,
    touched_registers,
)
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, warning
from ptx_lsp.checks.support.in_flight import operation_and_wait
from ptx_lsp.checks.support.insertion import insert_after, insert_before
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W805")
_COMMIT, _WAIT, _START = ((verb, "products") for verb in (Verb.COMMITS, Verb.WAITS, Verb.STARTS))


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Registers of a `wgmma.mma_async` that are accessed while it is in flight, or a `wgmma` without a wait for it.

    Until `wgmma.wait_group` the operation may read and write its registers at any time. Accessing the accumulators, or
    modifying the registers of A, before the wait is undefined behaviour.

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    st.global.f32 [%rd3], %f0;
    // <--- warning[W805]: '%f0' is used by a 'wgmma' (line 8) in flight; add 'wgmma.wait_group' before this
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
    no group. Groups are counted on each path and around loops: one path on which the operation is in flight is enough.
    A path that a predicate, a constant or an earlier branch contradicts does not count. A `mov` is ignored, because
    compilers put them anywhere. Not reported in functions, in kernels that call functions which may take part, and in
    bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for commit in kernel.facts.steps(*_COMMIT):
        if not kernel.is_after(commit, _WAIT) and kernel.is_before(commit, _START):
            context = kernel.context(commit)
            fixes = (insert_after(context, "wgmma.wait_group.sync.aligned 0;"),)
            message = "no 'wgmma.wait_group' follows this group"
            yield PlacedFinding(commit.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return

    def judge(step: Step, arrival: Arrival) -> Verdict:
        if is_missed_by_wait(arrival) or not touched_registers(kernel, step, arrival):
            return Verdict.PASS
        return Verdict.FOUND if kernel.is_after(step, _COMMIT) else Verdict.PASS  # the other is reported there

    hazards = flow.asynchronous.of("products")
    hazard = yield from first(hazards.touching(partial(product_registers, kernel), COPIES_OF_REGISTERS, judge))
    if hazard is not None:
        context = kernel.context(hazard.use)
        name = name_of(min(touched_registers(kernel, hazard.operation, hazard.arrival)))
        message = f"'{name}' is used by a 'wgmma'{HERE} in flight; add 'wgmma.wait_group' before this"
        fixes = (insert_before(context, "wgmma.wait_group.sync.aligned 0;"),)
        places = operation_and_wait(kernel, hazard, "this 'wgmma' may still be in flight")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places))
