"""W808 wrong-parity."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier, counts_bytes, expects_bytes, is_arrival, is_wait, users
from ptx_lsp.analysis.synchronization.before_and_after import LeadingTo
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, MemoryLocation
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.first_parities import FirstParities
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.isa.model.ordering import PHASE, Verb

RULE = warning("W808")
_TWO_PHASES = 2
_MOST_WAITS = 64
"""So many waits for one mbarrier are compared with each of them."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
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

    **Right:** `mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;`

    The next phases have the parities 1, 0, 1 …

    ---

    Also reported is a second wait with parity 0, if one arrival is before the first wait and one between the two.

    A producer's first wait for an empty buffer has parity 1, and returns at once as it should: no thread has arrived
    before it. Reported if the parity is a constant, the mbarrier is known, no other wait on it has another parity, and
    an arrive or an `expect_tx` precedes the wait on some path of a thread: what other threads signal does not show
    which of them waits for the other. A parity in a register is reported if copies complete bytes on the mbarrier, and
    all waits that may be for it begin with 1 on all paths: then none is for the first copy. Not reported in functions,
    in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    waits: list[tuple[Step, MemoryLocation | None, int | None]] = []
    others: dict[MemoryLocation, list[Step]] = {}
    for step in users(kernel):
        yield None
        spot = barrier(kernel, step)
        if is_wait(step):
            waits.append((step, spot, kernel.constant(step, "phaseParity")))
        elif spot is not None:
            others.setdefault(spot, []).append(step)
    uses: dict[MemoryLocation, _Uses] = {}
    parities = ByLocation((spot, (wait, parity)) for wait, spot, parity in waits)
    yield None
    arrivals = ByLocation((barrier(kernel, step), step) for step in users(kernel) if is_arrival(step))
    yield None
    yield from _without_first(flow)
    for wait, spot, parity in waits:
        yield None
        operand = kernel.operand(wait, "phaseParity")
        if operand is None or parity is None or spot is None or spot.offset is None:
            continue
        if spot not in uses:
            uses[spot] = _Uses(kernel, list(parities.maybe_same(spot)), others.get(spot, []))
        if uses[spot].parities != {parity}:
            continue
        span = kernel.context(wait).operand_span(operand)
        message = _reason(kernel, wait, uses[spot], parity)
        if message is not None:
            yield PlacedFinding(wait.place, RULE.at(span, message))
            continue
        arriving = [*islice(arrivals.maybe_same(spot), _TWO_PHASES + 1)] if parity == 0 else []
        earlier = _earlier_wait(kernel, wait, uses[spot], arriving)
        if earlier is not None:
            message = f"phase 0 is complete since the wait before{HERE}: this one returns at once; phase 1 has parity 1"
            beside = RelatedPlace(earlier.place, "the wait for phase 0")
            yield PlacedFinding(wait.place, RULE.at(span, message).related_to(beside))


def _without_first(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Parities in registers: all waits for the data of a copy begin with parity 1, which is that of no data yet."""
    kernel, barriers, parities = flow.kernel, mbarrier_uses(flow), flow.derived(FirstParities)
    copies = ByLocation((use.place, one) for one in enumerate(barriers.copies) for use in one[1:] if use.place)
    wrong: dict[MemoryLocation, Step | None] = {}
    """By mbarrier the first copy for it; None if there is none, or if some wait begins otherwise."""
    for wait, place in barriers.waits if barriers.copies else ():
        yield None
        operand = kernel.operand(wait, "phaseParity")
        if place is None or operand is None or kernel.constant(wait, "phaseParity") is not None:
            continue
        if place not in wrong:
            _, copy = min(copies.firsts(place), default=(0, None))
            if copy is not None:
                yield from flow.preparing_expressions()
            others = barriers.waits_by_place.maybe_same(place)
            is_wrong = copy is not None and all(parities.of(one) == 1 for one in others)
            wrong[place] = copy.step if copy is not None and is_wrong else None
        brought = wrong[place]
        if brought is None:
            continue
        message = "the first wait has parity 1 and returns at once: a new mbarrier is in phase 0"
        beside = RelatedPlace(brought.place, "it is to wait for this copy")
        span = kernel.context(wait).operand_span(operand)
        yield PlacedFinding(wait.place, RULE.at(span, message).related_to(beside))


class _Uses:
    """The uses of one mbarrier.

    Args:
        kernel: all of its instructions.
        waits: those that may be for it, each with its parity; None for one that is not known.
        steps: the other uses.

    """

    def __init__(self, kernel: Kernel, waits: list[tuple[Step, int | None]], steps: list[Step]) -> None:
        self.waits = [wait for wait, _ in waits]
        self.parities = frozenset(parity for _, parity in waits)
        self.has_one_wait = len(waits) == 1
        self.brings = [step for step in steps if is_arrival(step) or expects_bytes(step) or counts_bytes(step)]
        """Those that bring the phase nearer to its end."""
        self.renews = [
            step
            for step in steps
            if any(kernel.facts.find(step, verb, PHASE) for verb in (Verb.INITIALIZES, Verb.INVALIDATES))
        ]
        self.cycles = {kernel.graph.reachability.cycle(step.node) for step in self.brings}
        """The strongly connected components of the graph in which they are."""
        self.before_renewals = LeadingTo(kernel.graph, self.renews)


def _reason(kernel: Kernel, wait: Step, uses: _Uses, parity: int) -> str | None:
    """The reason why a wait for ``parity`` is wrong."""
    is_after_one = parity == 1 and uses.has_one_wait and any(kernel.leads(step, wait) for step in uses.brings)
    if is_after_one and not any(kernel.leads(wait, step) for step in uses.brings):
        return "a new mbarrier is in phase 0; a wait with parity 1 returns at once"
    # Both before and after the wait is only what lies on a cycle with it.
    is_beside = kernel.graph.reachability.cycle(wait.node) in uses.cycles
    if is_beside and kernel.leads(wait, wait) and wait not in uses.before_renewals:
        return "the parity is constant in this loop; flip it with 'xor' after each wait"
    return None


def _earlier_wait(kernel: Kernel, wait: Step, uses: _Uses, arrivals: list[Step]) -> Step | None:
    """A wait that each thread has left before this one, if one arrival is before it and one between the two."""
    if len(arrivals) != _TWO_PHASES or len(uses.renews) > 1 or kernel.facts.has(Verb.MAPS):
        return None
    reachability, dominance, nodes = kernel.graph.reachability, kernel.graph.dominance, kernel.graph.nodes
    if any(reachability.leads(step.node, step.node) for step in arrivals):
        return None
    first, second = arrivals if kernel.leads(*arrivals) else reversed(arrivals)
    for other in uses.waits[:_MOST_WAITS] if kernel.leads(second, wait) else ():
        is_between = kernel.leads(first, other) and kernel.leads(other, second)
        is_apart = nodes[other.node].straight != nodes[wait.node].straight
        if is_between and is_apart and dominance.dominates(other.node, wait.node):
            return None if kernel.leads(wait, second) or kernel.leads(second, other) else other
    return None
