"""W820 unfenced-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_after
from ptx_lsp.isa.model.ordering import CLUSTER, CTAS, PHASE, PROXIES, THREADS, Verb

RULE = warning("W820")
_FENCE = "fence.mbarrier_init.release.cluster;"
_RELEASING = frozenset((Verb.FENCES, what) for what in (THREADS, *PROXIES))


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An mbarrier for other CTAs whose initialization a relaxed `barrier.cluster.arrive` does not release.

    `barrier.cluster.arrive.relaxed` orders no memory accesses: another CTA can pass its `barrier.cluster.wait` and
    use the mbarrier before it sees it initialized.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    // <--- warning[W820]: other CTAs may not see this: no fence before the relaxed 'barrier.cluster.arrive' (line 10)
    barrier.cluster.arrive.relaxed;
    barrier.cluster.wait;
    mov.u32 %r1, full;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    mbarrier.arrive.shared::cluster.b64 _, [%r2];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.relaxed;
    barrier.cluster.wait;
    mov.u32 %r1, full;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    mbarrier.arrive.shared::cluster.b64 _, [%r2];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ret;
    ```

    Or `barrier.cluster.arrive` without `.relaxed`.

    **Fixes offered:** insert the fence.

    ---

    Reported for mbarriers that are accessed in other CTAs by `mapa`, `.multicast::cluster` or `.cta_group::2`, if their
    address is known. Any fence between the two is enough for this rule. A bulk copy by the thread that has initialized
    the mbarrier needs no fence: it accesses the mbarrier through the generic proxy (PTX ISA, `cp.async.bulk`); other
    threads of the CTA need a `bar.sync`.
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    arrivals = [step for step in kernel.facts.steps(Verb.ARRIVES, CLUSTER) if ".relaxed" in step.opcode]
    shared = set(_reached(kernel)) if arrivals else set()
    made = frozenset(kernel.facts.steps(Verb.INITIALIZES, PHASE)) if shared else frozenset()
    for arrive in arrivals if made else ():
        before = kernel.steps.before(arrive, _releases)
        inits = [step for step in before if step in made and barrier(kernel, step) in shared]
        if not inits:
            continue
        last = max(inits, key=lambda step: (step.node, step.statement))
        context = kernel.context(last)
        message = "other CTAs may not see this: no fence before the relaxed 'barrier.cluster.arrive'"
        beside = (RelatedPlace(arrive.place, "this arrive is relaxed and releases no writes"),)
        fixes = (insert_after(context, _FENCE),)
        yield PlacedFinding(last.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*beside))
        return


def _reached(kernel: Kernel) -> Iterator[MemoryLocation]:
    """The places in shared memory, as far as they are known, whose counterparts in other CTAs the kernel uses."""
    spots = [kernel.spot(step, *kernel.facts.roles(step, Verb.MAPS)) for step in kernel.facts.steps(Verb.MAPS)]
    spots += [barrier(kernel, step) for step in kernel.facts.steps(Verb.SIGNALS, CTAS)]
    yield from (spot for spot in spots if spot is not None and spot.offset is not None)


def _releases(step: Step) -> bool:
    facts = possible_facts(step.opcode)
    if not _RELEASING.isdisjoint(facts):
        return True
    return (Verb.ARRIVES, CLUSTER) in facts and ".relaxed" not in step.opcode
