"""W830 unsignaled-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier_operand
from ptx_lsp.analysis.synchronization.mbarriers import name_of_mbarrier
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses

RULE = warning("W830")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A wait for an mbarrier that no instruction of the kernel arrives on.

    A phase ends when the pending arrivals are 0 *and* the pending bytes are 0. `mbarrier.init` sets the number of
    arrivals, at least 1; `mbarrier.expect_tx` and copies with `.complete_tx::bytes` change only the number of bytes. So
    without an arrive the wait never returns, also if all data has come.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 128 .b8 tile[4096];
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [full], 4096;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 4096, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    //                                             ^^^^ warning[W830]: nothing arrives on 'full', bytes do not count as arrivals; this wait never ends (line 9)
    @!%p1 bra WAIT;
    ret;
    ```

    **Right:** announce them with an arrival: `mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 4096;`

    ---

    An arrive on any path counts, and so does one whose address is not known. A wait with the constant parity 1 is not
    reported: it returns at once while the mbarrier is in its first phase. Not reported in functions, in kernels that
    call functions which may take part, and in bodies without `ret` or `exit`. PTX ISA, "Phase completion of the
    mbarrier object".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    barriers = mbarrier_uses(flow)
    brought = {use.place for use in (*barriers.expectations, *barriers.copies)}
    seen: set[MemoryLocation] = set()
    for wait, place in barriers.waits:
        if place is None or place in seen or any(barriers.arrivals_by_place.maybe_same(place)):
            continue
        seen.add(place)
        inits = list(islice(barriers.initializations_by_place.maybe_same(place), 1))
        operand = barrier_operand(kernel, wait)
        if not inits or operand is None or kernel.constant(wait, "phaseParity") == 1:
            continue
        context = kernel.context(wait)
        why = ", bytes do not count as arrivals" if place in brought else ""
        message = f"nothing arrives on '{name_of_mbarrier(place)}'{why}; this wait never ends"
        beside = RelatedPlace(inits[0].place, "it is initialized here, for at least one arrival")
        inner = operand.parts[0] if operand.parts else operand
        yield PlacedFinding(wait.place, RULE.at(context.operand_span(inner), message).related_to(beside))
