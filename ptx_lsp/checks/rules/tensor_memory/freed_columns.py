"""W851 freed-columns."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import TENSOR_MEMORY, Verb
from ptx_lsp.stepwise import first

RULE = warning("W851")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A use of Tensor Memory after the `tcgen05.dealloc` of the only allocation.

    As soon as columns are free, another CTA of the multiprocessor may get them: what is read is of that CTA, and what
    is written changes its data.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];
    // <--- warning[W851]: the columns were freed before (line 12)
    // ptxas: accepts it
    tcgen05.wait::ld.sync.aligned;
    ret;
    ```

    **Right:** the `tcgen05.dealloc` after the last `tcgen05.wait::ld`.

    ---

    Reported in kernels with one `tcgen05.alloc`, if one path leads from the `tcgen05.dealloc` to the use and past no
    `tcgen05.alloc`. Not reported in functions, in kernels that call functions which may take part, and in bodies
    without `ret` or `exit`. PTX ISA, "tcgen05.dealloc".
    """
    kernel = flow.kernel
    frees, allocations = kernel.facts.steps(Verb.FREES), kernel.facts.steps(Verb.ALLOCATES)
    if not frees or len(allocations) != 1 or not kernel.is_known:
        return
    uses = [step for kind in sorted(TENSOR_MEMORY) for step in kernel.facts.steps(Verb.STARTS, kind)]
    hazards = AsyncHazards(kernel, work_until(frees, allocations))
    hazard = yield from first(hazards.accessing(uses, lambda *_: True, lambda *_: Verdict.FOUND))
    if hazard is not None:
        context = kernel.context(hazard.use)
        message = f"the columns were freed before{HERE}"
        beside = RelatedPlace(hazard.operation.place, "the columns are freed here")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
