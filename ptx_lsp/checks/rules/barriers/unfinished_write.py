"""W849 unfinished-write."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import EVERYTHING, unfinished_groups, work_until
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, hint
from ptx_lsp.isa.model.ordering import SOURCES, Verb
from ptx_lsp.stepwise import first

RULE = hint("W849")
_KIND = "bulk-copies"
_RELEASES = frozenset({".release", ".acq_rel"})
_OTHERS = frozenset({".gpu", ".sys", ".cluster"})


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A release for other CTAs after a bulk copy to global memory of which only the source has been read.

    `cp.async.bulk.wait_group.read` waits until the *source* has been read: then shared memory can be overwritten. What
    the copy writes is complete, and visible to this thread, only after `cp.async.bulk.wait_group` without `.read`. A
    flag that is set before tells others to read data that may not be there.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 0;
    st.release.gpu.global.b32 [%rd2], %r1;
    // <--- hint[W849]: the bulk copy (line 8) may still write what this release publishes; wait without '.read' before it
    cp.async.bulk.wait_group 0;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 4096;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    st.release.gpu.global.b32 [%rd2], %r1;
    ret;
    ```

    ---

    A hint, because the release may be about other data. Reported if one path leads from the copy through a wait with
    `.read` to a `st`, `atom` or `red` with `.release` or `.acq_rel` at a scope beyond the CTA, without a wait for the
    copy itself. Not reported in functions, in kernels that call functions which may take part, and in bodies without
    `ret` or `exit`. PTX ISA, "cp.async.bulk.wait_group".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known or not kernel.facts.has(Verb.STARTS, _KIND):
        return
    waits = kernel.facts.steps(Verb.WAITS, _KIND)
    half = kernel.facts.steps(Verb.WAITS, SOURCES)
    writes = yield from kernel.facts.finding_global_accesses(Verb.WRITES)
    releases = [step for step in writes if _publishes(step)]
    if not half or not releases:
        return
    whole = [step for step in waits if step not in half]
    copies = [step for step in kernel.facts.steps(Verb.STARTS, _KIND) if kernel.facts.roles(step, Verb.READS)]
    after_half = AsyncHazards(kernel, work_until(half, whole))
    for found in after_half.accessing(releases, lambda *_: True, lambda *_: Verdict.FOUND):
        if found is None:
            yield None
            continue
        wait = found.operation
        if unfinished_groups(kernel, wait, _KIND) not in (0, EVERYTHING):
            continue
        written = AsyncHazards(kernel, work_until(copies, whole))
        copy = yield from first(written.accessing([wait], lambda *_: True, lambda *_: Verdict.FOUND))
        if copy is not None:
            context = kernel.context(found.use)
            message = f"the bulk copy{HERE} may still write what this release publishes; wait without '.read' before it"
            beside = (
                RelatedPlace(copy.operation.place, "this copy writes global memory"),
                RelatedPlace(wait.place, "this wait is for the source only"),
            )
            yield PlacedFinding(found.use.place, RULE.at(context.opcode_span(), message).related_to(*beside))
            return


def _publishes(step: Step) -> bool:
    """Whether an instruction makes earlier writes visible to other CTAs."""
    return not _RELEASES.isdisjoint(step.opcode) and not _OTHERS.isdisjoint(step.opcode)
