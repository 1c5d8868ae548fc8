"""W832 overwritten-mbarrier."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.mbarriers import name_of_mbarrier
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.isa.model.ordering import PHASE, Verb

RULE = warning("W832")
_SIZES = ("size",)


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A bulk copy to a place in shared memory in which an mbarrier lies.

    The copy overwrites the mbarrier, often the one that it completes: its phase and counts become data of the tile. The
    wait hangs, or returns before the data has come. This happens if the offset of the mbarriers is computed from a
    smaller tile or from fewer stages than the copies have.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 128 .b8 memory[4224];
    mbarrier.init.shared::cta.b64 [memory+2048], 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [memory+2048], 4096;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [memory], [%rd1], 4096, [memory+2048];
    // <--- warning[W832]: bytes 0 to 4095 of 'memory' contain the mbarrier 'memory+2048' (line 8)
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [memory+2048], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    **Right:** the mbarrier after the tile.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 128 .b8 memory[4224];
    mbarrier.init.shared::cta.b64 [memory+4096], 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [memory+4096], 4096;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [memory], [%rd1], 4096, [memory+4096];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [memory+4096], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    ---

    Reported if both offsets in one variable and the size of the copy are known, and no path leads to the copy from an
    `mbarrier.inval`. An offset that changes in a loop counts as unknown, as does one that is made with `or`. Not
    reported in functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    barriers = mbarrier_uses(flow)
    known = {use.place: use.step for use in reversed(barriers.initializations) if use.place is not None}
    offsets: dict[Symbol, list[tuple[int, Step]]] = {}
    for place, init in sorted(known.items(), key=lambda one: one[0].offset or 0):
        if place.offset is not None:
            offsets.setdefault(place.variable, []).append((place.offset, init))
    for copy, _ in barriers.copies:
        yield None
        if kernel.is_before(copy, (Verb.INVALIDATES, PHASE)):
            continue
        size = kernel.constant(copy, *_SIZES)
        spot = kernel.spot(copy, *kernel.facts.roles(copy, Verb.WRITES))
        if size is None or spot is None or spot.offset is None:
            continue
        own = offsets.get(spot.variable, [])
        for offset, init in own[bisect_left(own, spot.offset, key=lambda one: one[0]) :][:1]:
            if offset < spot.offset + size:
                last = spot.offset + size - 1
                name = name_of_mbarrier(MemoryLocation(spot.variable, offset))
                message = f"bytes {spot.offset} to {last} of '{spot.variable.name}' contain the mbarrier '{name}'"
                beside = RelatedPlace(init.place, "the mbarrier is initialized here")
                context = kernel.context(copy)
                yield PlacedFinding(copy.place, RULE.at(context.opcode_span(), message).related_to(beside))
