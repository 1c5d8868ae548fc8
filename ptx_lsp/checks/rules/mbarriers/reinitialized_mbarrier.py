"""W831 reinitialized-mbarrier."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard, AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.before_and_after import AfterWithout
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.mbarriers import MbarrierUse, by_place, name_of_mbarrier
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, MemoryLocation
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_before
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.stepwise import first

RULE = warning("W831")
_MOST_NODES = 100_000
"""So many blocks are searched in all for the mbarriers of a kernel: in a long kernel not all are looked at."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An `mbarrier.init` of an mbarrier that is still one, or a use of one after `mbarrier.inval`.

    An mbarrier begins with `mbarrier.init` and ends with `mbarrier.inval`. To initialize a live one is undefined: its
    arrivals, bytes and phase are lost, threads that still wait for it hang or continue too early. After
    `mbarrier.inval` the memory is only memory.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    mbarrier.arrive.shared::cta.b64 _, [done];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [done], 0;
    @!%p1 bra WAIT;
    mbarrier.init.shared::cta.b64 [done], 2;
    // <--- warning[W831]: 'done' is still an mbarrier here (line 8); end it with 'mbarrier.inval' first
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    mbarrier.arrive.shared::cta.b64 _, [done];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [done], 0;
    @!%p1 bra WAIT;
    mbarrier.inval.shared::cta.b64 [done];
    mbarrier.init.shared::cta.b64 [done], 2;
    ret;
    ```

    **Fixes offered:** insert `mbarrier.inval` before the second `mbarrier.init`.

    ---

    Reported if one path leads from the one to the other and both addresses are known. An `mbarrier.inval` whose address
    is not known counts for all. Not reported in functions, in kernels that call functions which may take part, and in
    bodies without `ret` or `exit`. PTX ISA, "mbarrier.init", "mbarrier.inval".
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    barriers = mbarrier_uses(flow)
    begins, ends = barriers.initializations, barriers.invalidations
    places = {use.place for use in begins if use.place is not None and use.place.offset is not None}
    left = max(_MOST_NODES, len(kernel.graph.nodes))
    ends_by_place = ByLocation((use.place, use.step) for use in ends)
    ends_of, are_known = by_place(ends), bool(ends) and _are_known(ends)
    for place in sorted(places, key=lambda one: (one.variable.name, one.offset or 0)):
        yield None
        left -= len(kernel.graph.nodes)
        if left < 0:
            return
        own = barriers.initializations_of[place]
        ended = list(ends_by_place.maybe_same(place))
        if len(own) > 1 or any(kernel.leads(step, step) for step in own):
            hazard = yield from _first(kernel, own, ended, own)
            if hazard is not None:
                yield _again(kernel, hazard, place)
        if ended and are_known:
            made = frozenset(own)
            used = [step for step in barriers.of_place[place] if step not in made]
            begun = list(barriers.initializations_by_place.maybe_same(place))
            hazard = yield from _first(kernel, ends_of.get(place, []), begun, used)
            if hazard is not None:
                message = f"'{name_of_mbarrier(place)}' is no mbarrier any more after 'mbarrier.inval'"
                beside = RelatedPlace(hazard.operation.place, "it ends here")
                context = kernel.context(hazard.use)
                yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))


def _again(kernel: Kernel, hazard: AsyncHazard, place: MemoryLocation) -> PlacedFinding:
    context = kernel.context(hazard.use)
    inner = next((one for one in (kernel.operand(hazard.use, "addr"),) if one is not None), None)
    fixes = () if inner is None else (insert_before(context, f"mbarrier.inval.shared.b64 {context.text_of(inner)};"),)
    message = f"'{name_of_mbarrier(place)}' is still an mbarrier here{HERE}; end it with 'mbarrier.inval' first"
    beside = RelatedPlace(hazard.operation.place, "it is initialized here")
    return PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(beside))


def _first(
    kernel: Kernel, starts: list[Step], ends: list[Step], uses: list[Step]
) -> Generator[None, None, AsyncHazard | None]:
    """The first use on a path from a start that no end precedes."""
    first_use = AfterWithout(kernel.graph, starts, [step for step in ends if not step.guarded])
    if not any(use in first_use for use in uses):
        return None
    hazards = AsyncHazards(kernel, work_until(starts, ends))
    return (yield from first(hazards.accessing(uses, lambda *_: True, lambda *_: Verdict.FOUND)))


def _are_known(uses: tuple[MbarrierUse, ...]) -> bool:
    return all(use.place is not None and use.place.offset is not None for use in uses)
