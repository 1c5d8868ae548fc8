"""W820 unfenced-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.flow.flow import Flow
from ptx_lsp.analysis.flow.steps import Step
from ptx_lsp.analysis.protocols.barriers import barrier, counts_bytes, users
from ptx_lsp.analysis.protocols.kernel import begins
from ptx_lsp.analysis.protocols.spots import surely_same
from ptx_lsp.checks.finding import PlacedFinding, warning
from ptx_lsp.checks.insertion import insert_before

RULE = warning("W820")
OPCODES = frozenset({"mbarrier"})
_ORDERING = ("fence", "membar", "bar", "barrier", "mbarrier.try_wait", "mbarrier.test_wait", "call")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An mbarrier that a bulk copy counts on right after its `mbarrier.init`, without a fence.

    The copy works through the async proxy and may find what was in shared memory before: its bytes are lost, and the
    wait never ends.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 16 .b8 tile[4096];
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 4096;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 4096, [full];
    // <--- warning[W820]
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    **Right:** `fence.mbarrier_init.release.cluster;` behind `mbarrier.init`.

    **Fixes offered:** insert the fence.

    ---

    Any fence or barrier between the two is enough for this rule, on any path.
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    found = users(kernel)
    inits = [step for step in found if begins(step, "mbarrier.init")]
    for step in found if inits else ():
        if not counts_bytes(step) and not begins(step, "tcgen05.commit"):
            continue
        spot = barrier(kernel, step)
        own = {init for init in inits if surely_same(barrier(kernel, init), spot)}
        between = list(kernel.steps.before(step, lambda one, own=own: one in own)) if own else []  # type: ignore[misc]
        if not own.intersection(between) or any(map(_orders, between)):
            continue
        use = kernel.use(step)
        fixes = (insert_before(use, "fence.mbarrier_init.release.cluster;"),)
        message = "no fence since 'mbarrier.init'; 'fence.mbarrier_init.release.cluster' is missing"
        yield PlacedFinding(step.place, RULE.at(use.opcode_span(), message, fixes=fixes))
        return


def _orders(step: Step) -> bool:
    return begins(step, *_ORDERING)
