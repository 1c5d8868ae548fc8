"""W820 unfenced-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barrier_addresses import BarrierAddress, BarrierAddresses, are_of_one
from ptx_lsp.analysis.synchronization.barriers import barrier, barrier_operand, users
from ptx_lsp.analysis.synchronization.memory_locations import MappedAddresses
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_after
from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.ordering import CLUSTER, CTAS, PHASE, PROXIES, THREADS, Verb
from ptx_lsp.syntax.tree import Operand

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

    Reported for mbarriers that are accessed in other CTAs by `mapa`, `.multicast::cluster`, `.cta_group::2` or an
    address whose bits for the CTA a mask clears (`and.b32 d, a, 0xfeffffff`), if their address is known, also as one of
    several stages in a loop. Any fence between the two is enough for this rule. A bulk copy by the thread that has
    initialized the mbarrier needs no fence: it accesses the mbarrier through the generic proxy (PTX ISA,
    `cp.async.bulk`); other threads of the CTA need a `bar.sync`.
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    arrivals = [step for step in kernel.facts.steps(Verb.ARRIVES, CLUSTER) if ".relaxed" in step.opcode]
    made = frozenset(kernel.facts.steps(Verb.INITIALIZES, PHASE)) if arrivals else frozenset()
    shared: _Shared | None = None
    for arrive in arrivals if made else ():
        inits = [step for step in kernel.steps.before(arrive, _releases) if step in made]
        shared = shared or (_Shared(flow) if inits else None)
        inits = [step for step in inits if shared is not None and shared.has(step)]
        if not inits:
            continue
        last = max(inits, key=lambda step: (step.node, step.statement))
        context = kernel.context(last)
        message = "other CTAs may not see this: no fence before the relaxed 'barrier.cluster.arrive'"
        beside = (RelatedPlace(arrive.place, "this arrive is relaxed and releases no writes"),)
        fixes = (insert_after(context, _FENCE),)
        yield PlacedFinding(last.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*beside))
        return


class _Shared:
    """The mbarriers whose counterparts in other CTAs a kernel uses, as far as their addresses are known."""

    def __init__(self, flow: Flow) -> None:
        self._kernel = kernel = flow.kernel
        spots = [kernel.spot(step, *kernel.facts.roles(step, Verb.MAPS)) for step in kernel.facts.steps(Verb.MAPS)]
        spots += [barrier(kernel, step) for step in kernel.facts.steps(Verb.SIGNALS, CTAS)]
        self._spots = frozenset(spot for spot in spots if spot is not None and spot.offset is not None)
        self._addresses = BarrierAddresses(flow.steps, flow.expressions)
        self._mapped = MappedAddresses(flow.steps)

    def has(self, init: Step) -> bool:
        """Whether an initialization is that of such an mbarrier."""
        if barrier(self._kernel, init) in self._spots:
            return True
        own = self._address(init, barrier_operand(self._kernel, init))
        return own is not None and any(are_of_one(own, one) for one in self._elsewhere)

    @once
    def _elsewhere(self) -> tuple[BarrierAddress, ...]:
        """The addresses of mbarriers in other CTAs, also those of stages in a loop."""
        kernel = self._kernel
        signals = kernel.facts.steps(Verb.SIGNALS, CTAS)
        signaled = [self._address(step, barrier_operand(kernel, step)) for step in signals]
        used = [self._address_elsewhere(step, barrier_operand(kernel, step)) for step in users(kernel)]
        return (*filter(None, signaled), *filter(None, used))

    def _address_elsewhere(self, step: Step, operand: Operand | None) -> BarrierAddress | None:
        """An address in another CTA; a mask without effect on addresses of this CTA shows one too."""
        found = self._address(step, operand)
        if found is None or operand is None:
            return None
        return found if found.is_elsewhere or self._mapped.has(step, operand) else None

    def _address(self, step: Step, operand: Operand | None) -> BarrierAddress | None:
        return None if operand is None else self._addresses.of(step, operand)


def _releases(step: Step) -> bool:
    facts = possible_facts(step.opcode)
    if not _RELEASING.isdisjoint(facts):
        return True
    return (Verb.ARRIVES, CLUSTER) in facts and ".relaxed" not in step.opcode
