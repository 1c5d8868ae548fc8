"""W806 uninitialized-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier, barrier_operand, users
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, MemoryLocation
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import PHASE, Verb

RULE = warning("W806")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An mbarrier that is used and never initialized.

    Shared memory is uninitialized when a kernel starts. Operations on memory that contains no valid mbarrier are
    undefined: waits can return at once or never, or the kernel is aborted.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.arrive.shared::cta.b64 _, [full];
    //                                  ^^^^ warning[W806]: 'full' is used before any 'mbarrier.init'
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    **Right:** before the first use, `mbarrier.init.shared::cta.b64 [full], 1;`

    ---

    Reported once for each variable that the kernel names. An `mbarrier.init` whose address is not known may initialize
    any of them, and so may one on another path. Not reported in functions, in kernels that call functions which may
    take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    inits = [(step, barrier(kernel, step)) for step in kernel.facts.steps(Verb.INITIALIZES, PHASE)]
    if any(spot is None for _, spot in inits):
        return
    are_set_up = {spot.variable for _, spot in inits if spot is not None}
    by_place = ByLocation((spot, step) for step, spot in inits)
    seen: set[MemoryLocation] = set()
    made = frozenset(step for step, _ in inits)
    for step in users(kernel):
        if step in made:
            continue
        spot = barrier(kernel, step)
        if spot is not None and spot.variable not in are_set_up:
            spot = spot._replace(offset=None)  # none of them is: one mistake
        if spot is None or spot in seen:
            continue
        seen.add(spot)
        if any(kernel.leads(init, step) or not kernel.leads(step, init) for init in by_place.maybe_same(spot)):
            continue
        context = kernel.context(step)
        operand = barrier_operand(kernel, step)
        assert operand is not None
        inner = operand.parts[0] if operand.parts else operand
        name = f"{spot.variable.name}+{spot.offset}" if spot.offset else spot.variable.name
        message = f"'{name}' is used before any 'mbarrier.init'"
        yield PlacedFinding(step.place, RULE.at(context.operand_span(inner), message))
