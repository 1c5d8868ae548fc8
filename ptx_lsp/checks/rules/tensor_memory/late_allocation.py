"""W840 late-allocation."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W840")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `tcgen05.alloc` after `tcgen05.relinquish_alloc_permit`.

    With `relinquish_alloc_permit` the CTA gives up its right to allocate Tensor Memory. An allocation after it is
    undefined behavior.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    // <--- warning[W840]: the permit to allocate was relinquished before (line 8)
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    ret;
    ```

    **Right:** the two in the other order: first `tcgen05.alloc`, then `tcgen05.relinquish_alloc_permit`.

    ---

    Reported if one path leads from the one to the other. PTX ISA, "tcgen05.relinquish_alloc_permit".
    """
    kernel = flow.kernel
    gone, allocations = kernel.facts.steps(Verb.RELINQUISHES), kernel.facts.steps(Verb.ALLOCATES)
    if not gone or not allocations or not kernel.is_complete:
        return
    hazards = AsyncHazards(kernel, work_until(gone, []))
    hazard = yield from first(hazards.accessing(allocations, lambda *_: True, lambda *_: Verdict.FOUND))
    if hazard is not None:
        context = kernel.context(hazard.use)
        message = "the permit to allocate was relinquished before"
        beside = RelatedPlace(hazard.operation.place, "no allocation is allowed after this")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
