"""W808 wrong-parity."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier, counts_bytes, expects_bytes, is_arrival, is_wait, users
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, MemoryLocation
from ptx_lsp.checks.support.finding import PlacedFinding, warning

RULE = warning("W808")


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
    waits: list[tuple[Step, MemoryLocation | None, int | None]] = []
    others: dict[MemoryLocation, list[Step]] = {}
    for step in users(kernel):
        spot = barrier(kernel, step)
        if is_wait(step):
            waits.append((step, spot, kernel.constant(step, "phaseParity")))
        elif spot is not None:
            others.setdefault(spot, []).append(step)
    parities = ByLocation((spot, parity) for _, spot, parity in waits)
    for wait, spot, parity in waits:
        operand = kernel.operand(wait, "phaseParity")
        if operand is None or parity is None or spot is None or spot.offset is None:
            continue
        same = list(parities.maybe_same(spot))
        if any(one != parity for one in same):
            continue
        message = _reason(kernel, wait, others.get(spot, []), parity, is_only_wait=len(same) == 1)
        if message is not None:
            yield PlacedFinding(wait.place, RULE.at(kernel.context(wait).operand_span(operand), message))


def _reason(kernel: Kernel, wait: Step, others: list[Step], parity: int, *, is_only_wait: bool) -> str | None:
    """The reason why a wait for ``parity`` is wrong, given the uses of the mbarrier other than waits."""
    brings = [step for step in others if is_arrival(step) or expects_bytes(step) or counts_bytes(step)]
    before = [step for step in brings if kernel.leads(step, wait)]
    if parity == 1 and is_only_wait and before and not any(kernel.leads(wait, step) for step in brings):
        return "a new mbarrier is in phase 0; a wait with parity 1 returns at once"
    renewed = any(begins(step, "mbarrier.init", "mbarrier.inval") and kernel.leads(wait, step) for step in others)
    if not renewed and any(kernel.leads(wait, step) for step in before):
        return "the parity is constant in this loop; flip it with 'xor' after each wait"
    return None
