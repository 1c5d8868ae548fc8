"""W837 circular-wait."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.mbarriers import Mbarriers, MbarrierUse, name_of_mbarrier
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, MemoryLocation
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.first_parities import FirstParities
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses

RULE = warning("W837")
_MOST_PAIRS = 4_000
"""So many pairs of a wait and an arrival are compared."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Waits for mbarriers on which nothing can arrive before these waits have ended.

    A producer waits for an empty buffer and then arrives on `full`; a consumer waits for `full` and then arrives on
    `empty`. One of them must not wait at first: the first wait of the producer has parity 1, which returns at once,
    because a new mbarrier is in phase 0. With parity 0 both wait for ever. The same happens if a thread waits before it
    executes the arrival that it waits for.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    .shared .align 8 .b64 empty;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.init.shared::cta.b64 [empty], 1;
    bar.sync 0;
    mov.u32 %r2, %tid.x;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra CONSUMER;
    WAIT1:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [empty], 0;
    // <--- warning[W837]: never ends: all arrivals on 'empty' come after a wait that needs this one to end first (line 25)
    @!%p2 bra WAIT1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    ret;
    CONSUMER:
    WAIT2:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
    @!%p2 bra WAIT2;
    mbarrier.arrive.shared::cta.b64 _, [empty];
    ret;
    ```

    **Right:** the producer's first wait has parity 1: `mbarrier.try_wait.parity.shared::cta.b64 %p2, [empty], 1;`

    ---

    Reported if each arrival that may be on the mbarrier is after a wait that repeats until its result is true, that
    begins with parity 0 on all paths, and for which the same holds. Not reported in functions, in kernels that call
    functions which may take part, and in bodies without `ret` or `exit`. PTX ISA, "Phase of the mbarrier object".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    uses = mbarrier_uses(flow)
    if not uses.arrivals or len(uses.waits) * len(uses.arrivals) > _MOST_PAIRS:
        return
    yield from flow.preparing_expressions()
    found = _Circle(flow, uses)
    if not found.blocked:
        return
    # The wait of a producer: the arrival after it announces bytes.
    expecting = {use.step.place for use in uses.expectations}
    pairs = [(wait, number) for number, waits in found.blocked.items() for wait in waits]
    wait, number = next((one for one in pairs if uses.arrivals[one[1]].step.place in expecting), pairs[0])
    late = found.ending(wait)[0]
    before_late = [one for one in found.blocked[late] if one is not wait]
    place, context = wait.place, kernel.context(wait.step)
    name = f"'{name_of_mbarrier(place)}'" if place is not None else "this mbarrier"
    reason = "come after a wait that needs this one to end first" if late != number and before_late else "come after it"
    beside = [RelatedPlace(uses.arrivals[late].step.place, "this arrival comes too late")]
    beside += [RelatedPlace(one.step.place, "this wait comes before that arrival") for one in before_late[:1]]
    message = f"never ends: all arrivals on {name} {reason}"
    yield PlacedFinding(wait.step.place, RULE.at(context.opcode_span(), message).related_to(*beside))


class _Circle:
    """The arrivals to which no thread comes before a wait has ended that one of them would end."""

    def __init__(self, flow: Flow, uses: Mbarriers) -> None:
        self._kernel = flow.kernel
        self._arrivals = ByLocation((one.place, number) for number, one in enumerate(uses.arrivals))
        self._ending: dict[MemoryLocation | None, list[int]] = {}
        self._unended: dict[Step, frozenset[int] | None] = {}
        parities = flow.derived(FirstParities)
        waits = [one for one in uses.waits if parities.of(one.step) == 0 and self.ending(one)]
        blocked = {
            number: [wait for wait in waits if self._is_before(wait.step, arrival.step)]
            for number, arrival in enumerate(uses.arrivals)
        }
        while True:
            kept = {
                number: [wait for wait in before if all(blocked.get(one) for one in self.ending(wait))]
                for number, before in blocked.items()
            }
            if kept == blocked:
                break
            blocked = kept
        self.blocked = {number: before for number, before in blocked.items() if before}
        """For the numbers of these arrivals the waits that come before them."""

    def ending(self, wait: MbarrierUse) -> list[int]:
        """The numbers of the arrivals that may end a wait."""
        if wait.place not in self._ending:
            self._ending[wait.place] = sorted(self._arrivals.maybe_same(wait.place))
        return self._ending[wait.place]

    def _is_before(self, wait: Step, arrival: Step) -> bool:
        """Whether every thread that comes to an arrival has seen a wait end."""
        graph = self._kernel.graph
        if not graph.dominance.dominates(wait.node, arrival.node):
            return False
        if wait not in self._unended:
            self._unended[wait] = self._before_end(wait)
        unended = self._unended[wait]
        return unended is not None and arrival.node not in unended

    def _before_end(self, wait: Step) -> frozenset[int] | None:
        """The nodes to which a thread may come before a wait has ended; None if it may come with another wait."""
        graph, edges = self._kernel.graph, self._kernel.wait_edges(wait)
        if edges is None:
            return None
        waiting = [wait.node]
        seen = {wait.node}
        while waiting:
            number = waiting.pop()
            for following in graph.nodes[number].successors:
                if following not in seen and (number, following) not in edges.complete:
                    seen.add(following)
                    waiting.append(following)
        return None if any(self._changes(number, wait) for number in seen) else frozenset(seen)

    def _changes(self, number: int, wait: Step) -> bool:
        """Whether a node between two repetitions of a wait writes what the wait reads."""
        graph = self._kernel.graph
        if number < wait.node and graph.nodes[number].straight == graph.nodes[wait.node].straight:
            return False  # written anew before each repetition
        if number != wait.node:
            return not graph.written[number].keys().isdisjoint(wait.reads)
        after = [one for one in self._kernel.steps.of(number) if one.statement > wait.statement]
        return any(not set(wait.reads).isdisjoint(one.writes + one.updates) for one in after)
