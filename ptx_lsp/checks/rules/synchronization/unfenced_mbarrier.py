"""W820 unfenced-mbarrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barrier_addresses import BarrierAddress, BarrierAddresses, are_of_one
from ptx_lsp.analysis.synchronization.barriers import barrier, barrier_operand, users
from ptx_lsp.analysis.synchronization.before_and_after import AfterWithout
from ptx_lsp.analysis.synchronization.memory_locations import MappedAddresses, MemoryLocation
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_after
from ptx_lsp.isa.model.ordering import CLUSTER, CTAS, PHASE, PROXIES, THREADS, Verb
from ptx_lsp.syntax.tree import Operand

RULE = warning("W820")
_FENCE = "fence.mbarrier_init.release.cluster;"
_RELEASING = frozenset((Verb.FENCES, what) for what in (THREADS, *PROXIES))
_MAY_RELEASE = (*_RELEASING, (Verb.ARRIVES, CLUSTER))
_MOST_ADDRESSES = 64
"""So many addresses are compared with that of an mbarrier where they are not equal."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
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
    facts = kernel.facts
    arrivals = [step for step in facts.steps(Verb.ARRIVES, CLUSTER) if ".relaxed" in step.opcode]
    inits = facts.steps(Verb.INITIALIZES, PHASE) if arrivals else []
    releasing = [step for fact in _MAY_RELEASE for step in facts.possible(*fact) if _releases(step)]
    if not inits:
        return
    unfenced = AfterWithout(kernel.graph, inits, releasing)
    if not any(step in unfenced for step in arrivals):
        return
    yield from flow.preparing_expressions()
    shared = _Shared(flow)
    yield from shared.finding()
    made: set[Step] = set()
    for step in inits:
        yield None
        if shared.has(step):
            made.add(step)
    unfenced = AfterWithout(kernel.graph, made, releasing)
    arrive = next((step for step in arrivals if step in unfenced), None)
    if arrive is None:
        return
    before = [step for step in kernel.steps.before(arrive, _releases) if step in made]
    last = max(before, key=lambda step: (step.node, step.statement))
    context = kernel.context(last)
    message = "other CTAs may not see this: no fence before the relaxed 'barrier.cluster.arrive'"
    beside = (RelatedPlace(arrive.place, "this arrive is relaxed and releases no writes"),)
    fixes = (insert_after(context, _FENCE),)
    yield PlacedFinding(last.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*beside))


_Base = tuple[tuple[int, int], ...]


class _Shared:
    """The mbarriers whose counterparts in other CTAs a kernel uses, as far as their addresses are known."""

    def __init__(self, flow: Flow) -> None:
        self._kernel = flow.kernel
        self._spots: set[MemoryLocation] = set()
        self._addresses = BarrierAddresses(flow.steps, flow.expressions)
        self._mapped = MappedAddresses(flow.steps)
        self._strides: dict[tuple[_Base, int], set[int]] = {}
        """Of addresses of mbarriers in other CTAs, also those of stages in a loop, by base and offset."""
        self._arrays: dict[_Base, list[BarrierAddress]] = {}
        """Those of arrays, as many as are compared with others, by base."""
        self._singles: dict[_Base, list[BarrierAddress]] = {}

    def finding(self) -> Iterator[None]:
        """Find the addresses, in steps of a few milliseconds."""
        kernel = self._kernel
        for step in kernel.facts.steps(Verb.MAPS):
            self._add_spot(kernel.spot(step, *kernel.facts.roles(step, Verb.MAPS)))
            yield
        for step in kernel.facts.steps(Verb.SIGNALS, CTAS):
            self._add_spot(barrier(kernel, step))
            self._add(self._address(step, barrier_operand(kernel, step)))
            yield
        for step in users(kernel):
            spot = barrier(kernel, step)
            if spot is None or spot.offset is None:  # else it is one of this CTA
                self._add(self._address_elsewhere(step, barrier_operand(kernel, step)))
            yield

    def _add_spot(self, spot: MemoryLocation | None) -> None:
        if spot is not None and spot.offset is not None:
            self._spots.add(spot)

    def _add(self, address: BarrierAddress | None) -> None:
        if address is None or not address.base:
            return
        strides = self._strides.setdefault((address.base, address.offset), set())
        if address.stride not in strides:
            strides.add(address.stride)
            alike = (self._arrays if address.stride else self._singles).setdefault(address.base, [])
            if len(alike) < _MOST_ADDRESSES:
                alike.append(address)

    def has(self, init: Step) -> bool:
        """Whether an initialization is that of such an mbarrier."""
        if barrier(self._kernel, init) in self._spots:
            return True
        own = self._address(init, barrier_operand(self._kernel, init)) if self._strides else None
        if own is None:
            return False
        strides = self._strides.get((own.base, own.offset), ())
        if strides and (not own.stride or 0 in strides):
            return True
        others = (*self._arrays.get(own.base, ()), *(self._singles.get(own.base, ()) if own.stride else ()))
        return any(are_of_one(own, one) for one in others)

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
