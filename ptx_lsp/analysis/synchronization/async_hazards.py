"""Work that is touched while it is in flight: the states of all paths name candidates, a single path confirms one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.async_paths import Arrival, AsyncPaths, PathsFromStart, Verdict
from ptx_lsp.analysis.synchronization.async_work import Action, AsyncWork, asynchronous_work, finding_work
from ptx_lsp.analysis.synchronization.branch_guards import PathSegment
from ptx_lsp.analysis.synchronization.in_flight import OLDEST, InFlight
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import AccessLikeness, ComparedPairs, MayMeet, bits
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.ordering import WORK, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import SHAPES

_MOST_SEARCHES = 256
"""So many operations of a kernel are followed for one question."""

_MOST_PAIRS = 20_000
"""So many pairs of an operation and an access are compared for one question."""

_MOST_PATHS = 12
"""So many paths are evaluated for one question."""

_MOST_DETOURS = 3
"""So often a path is searched again without the branches that no thread takes as it did."""
_IN_A_STEP = 32
_BUSY_IN_A_STEP = 4


class AsyncHazard(NamedTuple):
    """An operation that is still in flight where it should not be."""

    operation: Step
    arrival: Arrival

    @property
    def use(self) -> Step:
        """The instruction that touches it."""
        assert self.arrival.use is not None
        return self.arrival.use


Judge = Callable[[Step, Arrival], Verdict]
"""Asked with an operation and an arrival."""

Confirm = Callable[[Step, Arrival, PathValues], bool]
"""Asked once more with the values on the path."""


class AsyncHazards:
    """Questions about the work of one kind in a kernel. None among the answers is a pause.

    Args:
        kernel: the kernel.
        work: its operations and events.

    """

    def __init__(self, kernel: Kernel, work: AsyncWork) -> None:
        self.work = work
        self._kernel = kernel
        self._graph = kernel.graph
        self._in_flight = InFlight(kernel.graph, work)
        self._paths = AsyncPaths(kernel.graph, kernel.path_values.branches, work)
        self._prefixes = PathsFromStart(kernel.graph)
        self._is_prepared = False
        self._missed: int | None = None

    def _preparing(self) -> Iterator[None]:
        """Find the events and states, in steps of a few milliseconds."""
        if not self._is_prepared:
            yield from self.work.sorting()
            yield from self._in_flight.solving()
            self._is_prepared = True

    @once
    def _starts(self) -> dict[int, set[int]]:
        """The statements of the operations by node."""
        found: dict[int, set[int]] = {}
        for step in self.work.operations:
            found.setdefault(step.node, set()).add(step.statement)
        return found

    def touching(
        self,
        registers: Callable[[Step], frozenset[str]],
        ignored: frozenset[str],
        judge: Judge,
        others: Sequence[Step] = (),
        confirm: Confirm | None = None,
        among: int = -1,
    ) -> Iterator[AsyncHazard | None]:
        """Operations that are in flight at an instruction that names one of their registers.

        Args:
            registers: the registers of an operation.
            ignored: the first words of opcodes of instructions that do not count.
            judge: asked about each of the others.
            others: more instructions that it is asked about.
            confirm: asked once more about what it finds.
            among: the operations that count, as bits.

        """
        yield from self._preparing()
        owned: list[frozenset[str]] = []
        owners: dict[str, int] = {}
        for number, step in enumerate(self.work.operations):
            owned.append(registers(step))
            for name in owned[-1]:
                owners[name] = owners.get(name, 0) | 1 << number
            if not number % _IN_A_STEP:
                yield None
        extra = _by_node(others)
        found = 0
        for count, node in enumerate(self._in_flight.busy):
            if not count % _BUSY_IN_A_STEP:
                yield None
            candidates = self._in_flight.any_in(node) & ~found
            touched: dict[int, int] = {}
            for name in self._names(node) & owners.keys() if candidates else ():
                if owners[name] & candidates:
                    for statement in self._counting(node, name, ignored):
                        touched[statement] = touched.get(statement, 0) | owners[name]
            touched.update(dict.fromkeys(extra.get(node, ()), -1))
            for statement, mask in self._in_flight.states(node, sorted(touched)):
                found |= mask & touched[statement]

        def uses(number: int) -> Callable[[int], list[Step]]:
            def of(node: int) -> list[Step]:
                names = owned[number] & self._names(node)
                statements = {at for name in names for at in self._counting(node, name, ignored)}
                return [self._kernel.steps.at(node, at) for at in sorted(statements.union(extra.get(node, ())))]

            return of

        yield from self._followed(found & among, uses, judge, confirm)

    def accessing(
        self,
        accesses: list[Step],
        may_meet: MayMeet,
        judge: Judge,
        confirm: Confirm | None = None,
        among: int = -1,
        oldest: int = OLDEST,
        likeness: AccessLikeness | None = None,
    ) -> Iterator[AsyncHazard | None]:
        """Operations that are in flight at one of some accesses of memory, if that may concern the same place.

        Args:
            accesses: the accesses.
            may_meet: whether an operation and an access may concern the same place, on whatever path.
            judge: asked about each of them.
            confirm: asked once more about what it finds.
            among: the operations that count, as bits.
            oldest: the greatest age with which they count.
            likeness: what ``may_meet`` depends on of an access; see :class:`ComparedPairs`.

        """
        yield from self._preparing()
        met: dict[int, dict[int, list[Step]]] = {}
        compared = ComparedPairs(self._kernel, self.work.operations, may_meet, likeness)
        for found in self._masks(accesses, among, oldest):
            if found is None:
                yield None
                continue
            mask, use = found
            for number in bits((yield from compared.meeting(mask, use))):
                met.setdefault(number, {}).setdefault(use.node, []).append(use)
                if len(met) > _MOST_SEARCHES:
                    break
            if len(met) > _MOST_SEARCHES:
                break

        def uses(number: int) -> Callable[[int], list[Step]]:
            return lambda node: met[number].get(node, [])

        yield from self._followed(sum(1 << number for number in met), uses, judge, confirm, oldest=oldest)

    def _masks(self, accesses: list[Step], among: int, oldest: int) -> Iterator[tuple[int, Step] | None]:
        """The operations that may be in flight at one of some accesses, as bits, with it; None is a pause."""
        by_node = _by_node(accesses)
        count = pairs = 0
        for node in self._in_flight.busy:
            steps = by_node.get(node, {})
            for statement, mask in self._in_flight.states(node, sorted(steps), oldest):
                count += 1
                if not count % _IN_A_STEP:
                    yield None
                counting = mask & among
                pairs += counting.bit_count()
                if pairs > _MOST_PAIRS:
                    kept = islice(bits(counting), counting.bit_count() - (pairs - _MOST_PAIRS))
                    yield sum(1 << number for number in kept), steps[statement]
                    return
                if counting:
                    yield counting, steps[statement]

    def finding_missed(self) -> Generator[None, None, int]:
        """The operations that may not be committed yet at a wait, as bits."""
        yield from self._preparing()
        if self._missed is None:
            found = 0
            for count, (node, events) in enumerate(self.work.events.items()):
                if not count % _IN_A_STEP:
                    yield
                waits = [event.step.statement for event in events if event.action is Action.WAIT]
                for _, mask in self._in_flight.states(node, waits, 0):
                    found |= mask
            self._missed = found
        return self._missed

    def leaving(self, judge: Judge, among: int = -1) -> Iterator[AsyncHazard | None]:
        """Operations, of some that are given as bits, that are in flight at an end of the function."""
        yield from self._preparing()
        found = 0
        for count, node in enumerate(self._in_flight.busy):
            if not count % _IN_A_STEP:
                yield None
            if node != self._graph.falls_off and self._graph.leaves(self._graph.nodes[node]):
                for mask in self._in_flight.at_end(node):
                    found |= mask
        yield from self._followed(found & among, lambda _: lambda _: [], judge, to_end=True)

    def _followed(
        self,
        candidates: int,
        uses: Callable[[int], Callable[[int], list[Step]]],
        judge: Judge,
        confirm: Confirm | None = None,
        *,
        to_end: bool = False,
        oldest: int = OLDEST,
    ) -> Iterator[AsyncHazard | None]:
        """The candidates for which a path is found, in the order of the text; then those found by a detour.

        The shortest path may be one that the thread cannot take: the detours are without the branches that show it.
        """
        left = 0

        def decided(operation: Step, without: frozenset[Edge], contradicted: set[Edge], arrival: Arrival) -> Verdict:
            nonlocal left
            verdict = judge(operation, arrival)
            if verdict is not Verdict.FOUND:
                return verdict
            left -= 1
            if left < 0:
                return Verdict.PASS
            path, of_thread = arrival.trace(), self._kernel.threads.values_at(operation)
            if of_thread is None:
                return Verdict.PASS
            # The first round of a loop is known best; another one is tried if that cannot be.
            for before in self._beginnings(operation, without, has_first=confirm is not None):
                values = of_thread.on_path(operation, path, before)
                if confirm is not None and not confirm(operation, arrival, values):
                    break
                edge = values.contradiction()
                if edge is None:
                    return Verdict.FOUND
                contradicted.add(edge)
            return Verdict.PASS

        waiting: dict[int, frozenset[Edge]] = dict.fromkeys(islice(bits(candidates), _MOST_SEARCHES), frozenset())
        for _ in range(1 + _MOST_DETOURS):
            again: dict[int, frozenset[Edge]] = {}
            left = _MOST_PATHS
            self._paths.begin()
            for number, without in waiting.items():
                operation, contradicted = self.work.operations[number], set[Edge]()
                judged = partial(decided, operation, without, contradicted)
                yield None
                yield from self._kernel.threads.finding(operation)
                arrival = self._paths.follow(
                    operation, uses(number), judged, to_end=to_end, oldest=oldest, without=without
                )
                if arrival is not None:
                    yield AsyncHazard(operation, arrival)
                elif contradicted:
                    again[number] = without | contradicted
            waiting = again

    def _beginnings(
        self, operation: Step, without: frozenset[Edge], *, has_first: bool
    ) -> Iterator[tuple[PathSegment, ...]]:
        """The paths to an operation that are tried: to its first round if that is asked for, and any path."""
        if has_first:
            yield from self._prefixes.of(operation, without)
        yield self._prefixes.nearest(operation)

    def _counting(self, node: int, name: str, ignored: frozenset[str]) -> list[int]:
        """The statements of a node that name a register, but for operations of this kind and those that are ignored."""
        shapes = self._graph.nodes[node].chunk.shapes
        own = self._starts.get(node, ())
        return [
            at
            for at in self._kernel.steps.mentions(node, name)
            if at not in own and SHAPES[shapes[at]].opcode[0] not in ignored
        ]

    def _names(self, node: int) -> frozenset[str]:
        """The registers that a node names."""
        piece, scope = self._graph.nodes[node].piece, self._graph.nodes[node].scope
        exposed = self._graph.registers.keys(piece.exposed, scope)
        return frozenset(exposed.keys() | self._graph.written[node].keys())


class KernelHazards:
    """The questions about a kernel's work, by kind.

    Args:
        kernel: the kernel.

    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._of: dict[str, AsyncHazards] = {}

    def of(self, kind: str) -> AsyncHazards:
        """Questions about the work of a kind."""
        if kind not in self._of:
            self._of[kind] = AsyncHazards(self._kernel, asynchronous_work(self._kernel, kind))
        return self._of[kind]

    def preparing(self) -> Iterator[None]:
        """Find the work of all kinds that the kernel starts, in steps of a few milliseconds."""
        for kind in sorted(WORK):
            if kind not in self._of and self._kernel.facts.has(Verb.STARTS, kind):
                work = yield from finding_work(self._kernel, kind)
                self._of[kind] = AsyncHazards(self._kernel, work)
                yield


def _by_node(steps: Iterable[Step]) -> dict[int, dict[int, Step]]:
    """Instructions by node and statement."""
    found: dict[int, dict[int, Step]] = {}
    for step in steps:
        found.setdefault(step.node, {})[step.statement] = step
    return found
