"""W833 unpublished-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.barriers import is_wait
from ptx_lsp.analysis.synchronization.mbarriers import name_of_mbarrier
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.isa.model.ordering import PHASE, THREADS, Verb

RULE = warning("W833")
_MAY_ORDER = frozenset({"bar", "barrier", "atom", "vote", "shfl", "match", "redux", "call", "nanosleep"})
"""Instructions after which a thread may know what another one has done, though no fact about order says so."""

_ACQUIRING = frozenset({".acquire", ".acq_rel", ".relaxed", ".volatile", ".mmio"})


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An mbarrier that one thread initializes and all threads use, with no barrier between.

    The other threads come to their arrive or wait while the memory may still be uninitialized: the kernel hangs, traps
    or runs through, from one run to the next. Fences order the accesses of the one thread; they do not make others
    wait.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra READY;
    mbarrier.init.shared::cta.b64 [full], 128;
    fence.mbarrier_init.release.cluster;
    READY:
    mbarrier.arrive.shared::cta.b64 _, [full];
    // <--- warning[W833]: some threads come here before 'full' is initialized (line 11) by another; 'bar.sync' must be between
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
    @!%p2 bra WAIT;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra READY;
    mbarrier.init.shared::cta.b64 [full], 128;
    fence.mbarrier_init.release.cluster;
    READY:
    bar.sync 0;
    mbarrier.arrive.shared::cta.b64 _, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
    @!%p2 bra WAIT;
    ret;
    ```

    ---

    Reported if a guard or a branch lets only some lanes of a warp initialize it, and all of these lanes come to the use.
    Anything by which threads can learn of each other counts as a barrier: an instruction with `.acquire`, `vote`,
    `atom`, another mbarrier. Not reported in functions, in kernels with calls, and in bodies without `ret` or `exit`.
    PTX ISA, "Memory consistency model", causality order.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    barriers = mbarrier_uses(flow)
    inits = [use for use in barriers.initializations if use.place is not None and use.place.offset is not None]
    if not inits or len(barriers.uses) == len(inits):
        return
    around = flow.lanes.innermost({use.step.node for use in inits})
    after = kernel.graph.postdominance
    ends = [*kernel.facts.steps(Verb.WAITS, THREADS), *kernel.facts.steps(Verb.WAITS, PHASE)]
    ends += kernel.all(*_MAY_ORDER)
    ends += [step for step in kernel.all("ld", "fence", "mbarrier") if _may_acquire(step)]
    for init, place in inits:
        branch = init if flow.lanes.divided(init) is not None else around.get(init.node)
        if branch is None or place is None:
            continue

        def is_reached_by_all(use: Step, branch: Step = branch) -> bool:
            return not use.guarded and after.dominates(use.node, branch.node)

        uses = [use.step for use in barriers.uses if use.place == place and is_reached_by_all(use.step)]
        others = [use for use in uses if use != init and not _may_be_same_thread(flow, use)]
        work = work_until([init], ends)
        for hazard in AsyncHazards(kernel, work).accessing(others, lambda *_: True, lambda *_: Verdict.FOUND):
            message = (
                f"some threads come here before '{name_of_mbarrier(place)}' is initialized{HERE} by another; "
                "'bar.sync' must be between"
            )
            context = kernel.context(hazard.use)
            beside = RelatedPlace(init.place, "only some lanes of a warp execute this")
            yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
            return


def _may_acquire(step: Step) -> bool:
    """Whether an instruction may wait for another thread: a strong load, or a wait for any mbarrier."""
    return (step.opcode[0] == "ld" and not _ACQUIRING.isdisjoint(step.opcode)) or is_wait(step)


def _may_be_same_thread(flow: Flow, use: Step) -> bool:
    """Whether a use is in code that only some lanes execute, perhaps the same."""
    return bool(flow.lanes.innermost({use.node}))
