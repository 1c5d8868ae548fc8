"""W846 same-destination."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W846")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Two `cp.async` of one group that write the same place in shared memory.

    The copies of a group are not ordered among each other: which of the two values remains is not defined. Mostly the
    address of the second one lacks a step.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[1024];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    cp.async.cg.shared.global [tile], [%rd1+16], 16;
    // <--- warning[W846]: writes what another copy of this group (line 8) writes; they are not ordered
    cp.async.commit_group;
    cp.async.wait_group 0;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[1024];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    cp.async.cg.shared.global [tile+16], [%rd1+16], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    ret;
    ```

    ---

    Reported if a path leads from one to the other without a commit or a wait, on which the first thread has the same
    address for both. Copies under different guards are not compared. Not reported in functions, in kernels that call
    functions which may take part, and in bodies without `ret` or `exit`. PTX ISA, "cp.async".
    """
    kernel = flow.kernel
    if not kernel.facts.has(Verb.STARTS, "copies") or not kernel.is_known:
        return
    copies = kernel.facts.steps(Verb.STARTS, "copies")
    if not copies:
        return
    meets = Meeting(kernel, Verb.WRITES, Verb.WRITES)

    def judge(operation: Step, arrival: Arrival) -> Verdict:
        use = arrival.use
        is_same_group = use is not None and _guard(operation) == _guard(use)
        return Verdict.FOUND if is_same_group else Verdict.PASS

    hazards = flow.asynchronous.of("copies")
    hazard = yield from first(
        hazards.accessing(copies, meets.may_meet, judge, meets.is_met, oldest=0, likeness=meets.likeness)
    )
    if hazard is not None:
        context = kernel.context(hazard.use)
        message = f"writes what another copy of this group{HERE} writes; they are not ordered"
        beside = RelatedPlace(hazard.operation.place, "the other copy")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))


def _guard(step: Step) -> str:
    return step.reads[0] if step.guarded else ""
