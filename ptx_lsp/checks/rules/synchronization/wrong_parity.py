"""W808 wrong-parity."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier, counts_bytes, expects_bytes, is_arrival, is_wait, users
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins
from ptx_lsp.analysis.synchronization.memory_locations import maybe_same, surely_same
from ptx_lsp.checks.support.finding import PlacedFinding, warning

RULE = warning("W808", opcodes=frozenset({"mbarrier"}))


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A wait for a phase with the wrong parity.

    Phases are counted from 0. A wait with the parity of the preceding phase returns at once, because that phase is
    complete. So the first wait for data has parity 0, and in a loop the parity changes with each phase.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 1;
    //                                                    ^ warning[W808]: a new mbarrier is in phase 0; a wait with parity 1 returns at once
    @!%p1 bra WAIT;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    The next phases have the parities 1, 0, 1 …

    ---

    A producer's first wait for an empty buffer has parity 1, and returns at once as it should: no thread has arrived
    before it. Reported if the parity is a constant, the mbarrier is known, and no other wait on it has another parity.
    Not reported in functions, in kernels with calls, and in bodies without `ret` or `exit`.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    found = users(kernel)
    waits = [step for step in found if is_wait(step)]
    for wait in waits:
        operand = kernel.operand(wait, "phaseParity")
        parity = kernel.constant(wait, "phaseParity")
        spot = barrier(kernel, wait)
        if operand is None or parity is None or spot is None or spot.offset is None:
            continue
        others = [one for one in waits if one != wait and maybe_same(spot, barrier(kernel, one))]
        if any(kernel.constant(one, "phaseParity") != parity for one in others):
            continue
        own = [step for step in found if not is_wait(step) and surely_same(spot, barrier(kernel, step))]
        message = _reason(kernel, wait, others, own, parity)
        if message is not None:
            yield PlacedFinding(wait.place, RULE.at(kernel.context(wait).operand_span(operand), message))


def _reason(kernel: Kernel, wait: Step, others: list[Step], own: list[Step], parity: int) -> str | None:
    """The reason why a wait for ``parity`` is wrong, given the other waits for the mbarrier and its other uses."""
    brings = [step for step in own if is_arrival(step) or expects_bytes(step) or counts_bytes(step)]
    before = [step for step in brings if kernel.leads(step, wait)]
    after = [step for step in brings if kernel.leads(wait, step)]
    if parity == 1 and not others and before and not after:
        return "a new mbarrier is in phase 0; a wait with parity 1 returns at once"
    renewed = any(begins(step, "mbarrier.init", "mbarrier.inval") and kernel.leads(wait, step) for step in own)
    if not renewed and any(step in after for step in before):
        return "the parity is constant in this loop; flip it with 'xor' after each wait"
    return None
