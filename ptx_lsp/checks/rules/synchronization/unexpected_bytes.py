"""W807 unexpected-bytes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier, counts_bytes, expects_bytes, users
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import PHASE, Verb

RULE = warning("W807")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A copy that completes bytes on an mbarrier without an `expect_tx` for them.

    A phase completes when its pending arrivals and its pending bytes are 0. Without `expect_tx` it can complete before
    the copy, and the data is read too early; the bytes then count against a later phase.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    fence.mbarrier_init.release.cluster;
    mbarrier.arrive.shared::cta.b64 _, [full];
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 4096, [full];
    // <--- warning[W807]: the arrival (line 11) has no 'expect_tx' for the bytes of this copy; the wait can end before they arrive
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    fence.mbarrier_init.release.cluster;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 4096;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 4096, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    ---

    `mbarrier.expect_tx` on any path and by any thread is enough, and so is one whose address is not known. Not reported
    in functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    found, made = users(kernel), frozenset(kernel.facts.steps(Verb.INITIALIZES, PHASE))
    arriving = frozenset(kernel.facts.steps(Verb.ARRIVES, PHASE))
    expected = ByLocation((barrier(kernel, step), step) for step in found if expects_bytes(step))
    inits = ByLocation((barrier(kernel, step), step) for step in found if step in made)
    for step in found:
        if not counts_bytes(step):
            continue
        spot = barrier(kernel, step)
        is_set_up = any(inits.maybe_same(spot))  # what never was is another mistake
        if is_set_up and not any(expected.maybe_same(spot)):
            arrivals = ByLocation((barrier(kernel, one), one) for one in found if one in arriving)
            beside = [RelatedPlace(one.place, "this arrival") for one in islice(arrivals.maybe_same(spot), 1)]
            what = f"the arrival{HERE} has no" if beside else "no"
            message = f"{what} 'expect_tx' for the bytes of this copy; the wait can end before they arrive"
            finding = RULE.at(kernel.context(step).opcode_span(), message)
            yield PlacedFinding(step.place, finding.related_to(*beside))
            return
