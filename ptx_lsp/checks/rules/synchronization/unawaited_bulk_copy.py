"""W809 unawaited-bulk-copy."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard, AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict, is_missed_by_wait
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, information, warning
from ptx_lsp.checks.support.in_flight import operation_and_wait
from ptx_lsp.checks.support.insertion import insert_after, insert_before
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W809")
_AT_END = information("W809")
"""Kernels in wide use, such as those of DeepGEMM, end with a copy in flight."""
_COMMIT, _WAIT = (Verb.COMMITS, "bulk-copies"), (Verb.WAITS, "bulk-copies")
_SOURCE = "srcMem"


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A bulk copy out of shared memory without a wait for it, or whose source is overwritten before the wait.

    The copy reads shared memory asynchronously. If the source is overwritten first, the wrong data is copied. The
    manual does not say that a CTA keeps its shared memory until its copies have read it; kernels in wide use rely on
    that, so a copy in flight at the end of a kernel is not a warning but an information.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    cp.async.bulk.commit_group;
    // <--- information[W809]: no 'cp.async.bulk.wait_group' follows; the CTA may exit before its shared memory is read
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
    the kernel ends. Groups are counted on each path and around loops. A store, or another copy, is reported if the
    first thread of the CTA would write what the copy reads: its addresses are computed along the path, those of the
    stages of a loop too. A wait that leaves the last groups unfinished before the end of the kernel is not reported.
    Not reported in functions, in kernels that call functions which may take part, and in bodies without `ret` or
    `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    hazards = flow.asynchronous.of("bulk-copies")
    copies = [step for step in hazards.work.operations if kernel.operand(step, _SOURCE) is not None]
    uncommitted = [step for step in copies if not kernel.is_after(step, _COMMIT)]
    if uncommitted:
        context = kernel.context(uncommitted[-1])
        waits = kernel.is_after(uncommitted[-1], _WAIT)
        if waits and not kernel.facts.steps(*_COMMIT):
            return  # reported at the wait
        rule = RULE if waits else _AT_END
        fixes = (insert_after(context, "cp.async.bulk.commit_group;"),)
        message = "no 'cp.async.bulk.commit_group' follows; no wait includes this copy"
        yield PlacedFinding(context.place, rule.at(context.opcode_span(), message, fixes=fixes))
        return
    for commit in kernel.facts.steps(*_COMMIT) if copies else ():
        if not kernel.is_after(commit, _WAIT):
            context = kernel.context(commit)
            fixes = (insert_after(context, "cp.async.bulk.wait_group 0;"),)
            message = "no 'cp.async.bulk.wait_group' follows; the CTA may exit before its shared memory is read"
            yield PlacedFinding(commit.place, _AT_END.at(context.opcode_span(), message, fixes=fixes))
            return
    known = frozenset(copies)
    found = (yield from _overwritten(kernel, hazards)) if copies else None
    if found is not None:
        message = f"a bulk copy{HERE} in flight may still read this; add 'cp.async.bulk.wait_group.read' before it"
        context = kernel.context(found.use)
        fixes = (insert_before(context, "cp.async.bulk.wait_group.read 0;"),)
        places = operation_and_wait(kernel, found, "this copy may still be in flight")
        yield PlacedFinding(found.use.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places))
        return

    def leaves(step: Step, arrival: Arrival) -> Verdict:
        # CUTLASS leaves the last group unfinished at the end of some kernels.
        return Verdict.FOUND if step in known and arrival.wait is None else Verdict.PASS

    hazard = yield from first(hazards.leaving(leaves))
    if hazard is not None:
        message = "no wait follows this copy on some path; the CTA may exit before its shared memory is read"
        context = kernel.context(hazard.operation)
        yield PlacedFinding(context.place, _AT_END.at(context.opcode_span(), message))


def _overwritten(kernel: Kernel, hazards: AsyncHazards) -> Generator[None, None, AsyncHazard | None]:
    """The first store, or copy, into what a bulk copy in flight reads."""
    meets = Meeting(kernel, Verb.READS, Verb.WRITES)
    writes = yield from kernel.facts.finding_shared_accesses(Verb.WRITES)

    def judge(_: Step, arrival: Arrival) -> Verdict:
        return Verdict.PASS if is_missed_by_wait(arrival) else Verdict.FOUND  # reported at the wait

    return (yield from first(hazards.accessing(writes, meets.may_meet, judge, meets.is_met, likeness=meets.likeness)))
