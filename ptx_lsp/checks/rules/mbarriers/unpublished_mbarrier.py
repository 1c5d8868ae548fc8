"""W833 unpublished-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.mbarriers import name_of_mbarrier
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.isa.model.ordering import LANES, PHASE, THREADS, TIME, Verb
from ptx_lsp.stepwise import first

RULE = warning("W833")
_MAY_ORDER = (
    (Verb.WAITS, THREADS),
    (Verb.WAITS, PHASE),
    (Verb.ARRIVES, THREADS),
    (Verb.WAITS, LANES),
    (Verb.WAITS, TIME),
    (Verb.ORDERS, THREADS),
)
"""Facts of instructions after which a thread may know what another one has done."""

_WARP = 32
_MOST_THREADS = 1024


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
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

    Reported if a guard or a branch lets only some lanes of a warp initialize it, and all of these lanes come to the
    use; also if `.reqntid` gives the number of threads and one of another warp comes to the use for sure. A use of some
    mbarrier of an array counts if all of them are initialized together. Anything by which threads can learn of each
    other counts as a barrier: an instruction with `.acquire`, `vote`, `atom`, another mbarrier. Not reported in
    functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`. PTX ISA,
    "Memory consistency model", causality order.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    barriers = mbarrier_uses(flow)
    inits = [use for use in barriers.initializations if use.place is not None and use.place.offset is not None]
    if not inits or len(barriers.uses) == len(inits):
        return
    yield from flow.lanes.preparing()
    around = flow.lanes.innermost({use.step.node for use in inits})
    branches = {use.step: use.step if flow.lanes.divided(use.step) else around.get(use.step.node) for use in inits}
    after = kernel.graph.postdominance
    ends = [step for fact in _MAY_ORDER for step in kernel.facts.steps(*fact)]
    for init, place in inits:
        branch = branches[init]
        if branch is None or place is None:
            continue

        def is_reached_by_all(use: Step, branch: Step = branch) -> bool:
            return not use.guarded and after.dominates(use.node, branch.node)

        row = {branches[one.step] for one in inits if one.place and one.place.variable is place.variable}
        any_of_row = place._replace(offset=None) if len(row) == 1 else place
        named = [use.step for use in barriers.uses if use.place in (place, any_of_row)]
        uses = [use for use in named if is_reached_by_all(use)]
        others = [use for use in uses if use != init and not _may_be_same_thread(flow, use)]
        work = work_until([init], ends)
        hazards = AsyncHazards(kernel, work)
        hazard = yield from first(hazards.accessing(others, lambda *_: True, lambda *_: Verdict.FOUND))
        if hazard is not None:
            message = (
                f"some threads come here before '{name_of_mbarrier(place)}' is initialized{HERE} by another; "
                "'bar.sync' must be between"
            )
            context = kernel.context(hazard.use)
            beside = RelatedPlace(init.place, "only some lanes of a warp execute this")
            yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
            return
        for use in named:
            thread = _comes_unordered(flow, init, use, ends) if use != init else None
            if thread is not None:
                message = (
                    f"thread {thread} comes here before '{name_of_mbarrier(place)}' is initialized{HERE} by another; "
                    "'bar.sync' must be between"
                )
                context = kernel.context(use)
                beside = RelatedPlace(init.place, "only some lanes of a warp execute this")
                yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
                return


def _comes_unordered(flow: Flow, init: Step, use: Step, ends: list[Step]) -> int | None:
    """The first thread of a warp that executes a use for sure, not the initialization, and nothing that orders them."""
    facts = flow.derived(ThreadFacts)
    threads, paths = facts.limits.threads(), facts.paths
    if threads is None or paths is None:
        return None
    for thread in range(0, min(threads, _MOST_THREADS), _WARP):
        if not paths.never_executes(init, thread) or not paths.executes(use, thread):
            continue
        reached = paths.reached(thread)
        before = {node for node in reached if node != use.node and flow.graph.reachability.leads(node, use.node)}
        is_ordered = any(
            one.node in before or (one.node == use.node and one.statement < use.statement) for one in ends if one != use
        )
        if not is_ordered:
            return thread
    return None


def _may_be_same_thread(flow: Flow, use: Step) -> bool:
    """Whether a use is in code that only some lanes execute, perhaps the same."""
    return bool(flow.lanes.innermost({use.node}))
