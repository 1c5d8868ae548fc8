"""The thread that is followed on paths through an instruction: the first one of the first warp that comes there.

Kernels with specialized warps compute the addresses of a role from the number of the warp within it. In a thread of
another role they have values that no thread has at that place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, constant
from ptx_lsp.analysis.synchronization.branch_guards import BranchGuard, BranchGuards
from ptx_lsp.analysis.synchronization.path_results import WARP, holds, index_of_thread, result_of
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import run_to_completion

_MOST_WARPS = 16
"""So many warps are asked about."""
_NODES_IN_A_STEP = 32

_Column = list[int] | None
"""A number for each thread; None if it depends on more than the indices of the thread."""
_Ways = tuple[tuple[int, bool], ...]
"""The nodes of branches that a warp takes as a whole, with the values of their predicates."""


class FollowedThreads:
    """The values of the threads that are followed in a kernel.

    Args:
        steps: the instructions of the kernel.
        first: the values of the first thread of the CTA.
        sizes: the numbers of threads of a CTA in each dimension, or their bounds; empty if they are not known.

    """

    def __init__(self, steps: Steps, first: PathValues, sizes: Sequence[int]) -> None:
        self._steps = steps
        self._values = {(0, 0): first}
        self._branches = first.branches
        self._reached: dict[int, frozenset[int]] = {}
        self._warps_at: dict[int, int] | None = None
        """By node the warps whose first threads may come to it, as bits; empty if each warp is followed by itself."""
        self._ways: dict[int, _Ways] = {}
        self._reached_by: dict[_Ways, frozenset[int]] = {}
        self._warps = min(_MOST_WARPS, -(-sizes[0] // WARP)) if sizes else _MOST_WARPS
        self._guards = _ThreadGuards(first, _edges(self._warps))
        self._different: Sequence[int] | None = None

    def values_at(self, step: Step) -> PathValues | None:
        """The values of a thread that may execute an instruction; None if no branch lets one of them come to it."""
        return next((self._of(warp) for warp in range(self._warps) if self._comes_to(step.node, warp)), None)

    def finding(self, step: Step) -> Iterator[None]:
        """Find the thread for :meth:`values_at`, in steps of a few milliseconds."""
        for warp in range(self._warps):
            if warp and self._warps_at is None:
                self._warps_at = yield from self._finding_warps()
            if not (warp and self._warps_at) and warp not in self._reached:
                reached = yield from _reaching(self._steps.graph, self._branches, self._deciding_first(warp))
                self._reached[warp] = reached
            if self._comes_to(step.node, warp):
                return

    def _of(self, warp: int, lane: int = 0) -> PathValues:
        if (warp, lane) not in self._values:
            self._values[warp, lane] = self._values[0, 0].of_thread(warp, lane)
        return self._values[warp, lane]

    def _comes_to(self, node: int, warp: int) -> bool:
        """Whether the first thread of a warp may come to a node."""
        if warp and self._warps_at is None:
            self._warps_at = run_to_completion(self._finding_warps())
        if warp and self._warps_at:
            return bool(self._warps_at.get(node, 0) >> warp & 1)
        if warp not in self._reached:
            reaching = _reaching(self._steps.graph, self._branches, self._deciding_first(warp))
            self._reached[warp] = run_to_completion(reaching)
        return node in self._reached[warp]

    def _finding_warps(self) -> Generator[None, None, dict[int, int]]:
        """Find the warps whose first threads may come to each node, as bits, in steps: one walk for all of them.

        Empty if a branch depends on more than the indices of the thread. Warp 0 is followed by itself.
        """
        found, waiting, listed, count = {0: (1 << self._warps) - 1}, [0], {0}, 0
        while waiting:
            count += 1
            if not count % _NODES_IN_A_STEP:
                yield
            node = heappop(waiting)  # in the order of the text, so that most nodes are passed once
            listed.discard(node)
            branch, going_on = self._branches.of(node), found[node]
            holds_in = 0
            if branch is not None:
                values = self._guards.first_values(branch)
                if values is None:
                    return {}
                holds_in = sum(1 << warp for warp, value in enumerate(values) if value)
            for following in self._steps.graph.nodes[node].successors:
                passing = going_on
                if branch is not None:
                    passing &= holds_in if branch.value_on(following) else ~holds_in
                if passing & ~found.get(following, 0):
                    found[following] = found.get(following, 0) | passing
                    if following not in listed:
                        listed.add(following)
                        heappush(waiting, following)
        return found

    def _deciding_first(self, warp: int) -> Callable[[BranchGuard], bool | None]:
        """The predicate of a branch in the first thread of a warp, as a function; None where it is not known."""
        if not warp:
            return self._of(0).decided

        def decided(branch: BranchGuard) -> bool | None:
            known = self._guards.first_values(branch)
            return self._of(warp).decided(branch) if known is None else known[warp]

        return decided

    def following(self, branch: Step, steps: Sequence[Step]) -> Generator[None, None, list[Step]]:
        """Find the instructions to which a warp may go on from a branch, in steps of a few milliseconds.

        Those are left out that no warp reaches by the branches that it takes as a whole: the branches that the first
        and the last thread of the warp take alike on all paths.
        """
        graph = self._steps.graph
        found: set[int] = set()
        known: set[_Ways] = set()
        for warp in (yield from self._finding_different()):
            ways = yield from self._deciding(warp)
            if ways in known:
                continue
            known.add(ways)
            decided = partial(_decided_by, dict(ways))
            if ways not in self._reached_by:
                self._reached_by[ways] = yield from _reaching(graph, self._branches, decided)
            if branch.node in self._reached_by[ways]:
                found |= yield from _reaching(graph, self._branches, decided, branch.node)
            if all(step.node in found for step in steps):
                break
        return [step for step in steps if step.node in found]

    def _finding_different(self) -> Generator[None, None, Sequence[int]]:
        """Find the warps that may take branches in ways of their own: of those that are sure to be alike the first."""
        if self._different is None:
            columns = []
            for number, branch in enumerate(self._branches.all, 1):
                if not number % _NODES_IN_A_STEP:
                    yield
                column = self._guards.values(branch)
                if column is None:
                    break
                columns.append(column)
            else:
                alike: dict[tuple[bool | None, ...], int] = {}
                for warp, row in enumerate(zip(*columns, strict=True)):
                    alike.setdefault(row, warp)
                self._different = tuple(alike.values())
        return self._different or range(self._warps)

    def _deciding(self, warp: int) -> Generator[None, None, _Ways]:
        """Find the branches that a warp takes as a whole, with the values of their predicates."""
        if warp not in self._ways:
            ways = []
            for number, branch in enumerate(self._branches.all, 1):
                if not number % _NODES_IN_A_STEP:
                    yield
                value = self._decided(branch, warp)
                if value is not None:
                    ways.append((branch.step.node, value))
            self._ways[warp] = tuple(ways)
        return self._ways[warp]

    def _decided(self, branch: BranchGuard, warp: int) -> bool | None:
        """The value of the predicate of a branch in the first and the last thread of a warp; None if they differ."""
        known = self._guards.values(branch)
        if known is not None:
            return known[warp]
        value = self._of(warp).decided(branch)
        return value if value is not None and value == self._of(warp, WARP - 1).decided(branch) else None


@memoized(64)
def _edges(warps: int) -> tuple[tuple[int, int], ...]:
    """The numbers of the warps and lanes of the first and the last thread of some warps."""
    return tuple((warp, lane) for warp in range(warps) for lane in (0, WARP - 1))


def _decided_by(ways: dict[int, bool], branch: BranchGuard) -> bool | None:
    return ways.get(branch.step.node)


def _reaching(
    graph: Graph, branches: BranchGuards, decided: Callable[[BranchGuard], bool | None], start: int = 0
) -> Generator[None, None, frozenset[int]]:
    """The nodes to which a thread may come from a node, by the branches that go one way on all paths, in steps."""
    found, waiting = {start}, [start]
    count = 0
    while waiting:
        count += 1
        if not count % _NODES_IN_A_STEP:
            yield
        node = waiting.pop()
        branch = branches.of(node)
        value = None if branch is None else decided(branch)
        for following in graph.nodes[node].successors:
            if following not in found and (branch is None or value is None or value is branch.value_on(following)):
                found.add(following)
                waiting.append(following)
    return frozenset(found)


class _ThreadGuards:
    """The guards that depend on nothing but the indices of the thread.

    Args:
        values: the values of some thread on all paths.
        threads: the numbers of the warps and lanes of the threads, of each warp the first and the last one.

    """

    def __init__(self, values: PathValues, threads: tuple[tuple[int, int], ...]) -> None:
        self._values = values.of_thread(None)
        self._threads = threads
        self._guards: dict[int, list[bool | None] | None] = {}
        self._first: dict[int, list[bool]] = {}
        """The guards of which something is known, in the first thread of each warp."""
        self._known: dict[int, _Column] = {}

    def values(self, branch: BranchGuard) -> list[bool | None] | None:
        """The value of the predicate of a branch in each warp, None where its threads differ.

        None if it depends on anything else.
        """
        node = branch.step.node
        if node not in self._guards:
            may_be_known = self._values.branches.may_be_known(branch)
            column = self._column(self._values.guard(branch)) if may_be_known else None
            if column is not None:
                pairs = zip(column[::2], column[1::2], strict=True)
                self._guards[node] = [bool(one) if bool(one) == bool(other) else None for one, other in pairs]
                self._first[node] = [*map(bool, column[::2])]
            else:
                self._guards[node] = None
        return self._guards[node]

    def first_values(self, branch: BranchGuard) -> list[bool] | None:
        """The value of the predicate of a branch in the first thread of each warp; None if it depends on more."""
        return self._first[branch.step.node] if self.values(branch) is not None else None

    def _column(self, value: object) -> _Column:
        """The numbers that a value is in the threads."""
        if not isinstance(value, LinearValue):
            return None
        found = [value.number] * len(self._threads)
        for unknown, factor in value.terms:
            if unknown not in self._known:
                self._known[unknown] = self._of_unknown(self._values.unknowns.keys[unknown])
            column = self._known[unknown]
            if column is None:
                return None
            found = [one + factor * other for one, other in zip(found, column, strict=True)]
        return found

    def _of_unknown(self, key: Hashable) -> _Column:
        """The numbers that an unknown thing is in the threads."""
        match key:
            case ("special", str(register)):
                return _indices(register, self._threads)
            case (tuple(opcode), tuple(operands)):
                columns = self._columns(operands)
                results = [
                    result_of(opcode, [*map(constant, one)], self._values.unknowns)
                    for one in zip(*columns, strict=True)
                ]
                return _whole([None if one is None or one.terms else one.number for one in results])
            case (".eq", frozenset(operands)):
                return [int(len({*one}) == 1) for one in zip(*self._columns(tuple(operands)), strict=True)] or None
            case (str(relation), LinearValue() as one, LinearValue() as other):
                pairs = [*zip(*self._columns((one, other)), strict=True)]
                is_known = all(min(pair) >= 0 for pair in pairs)  # or it would depend on the type that is compared
                return [int(holds(relation, *pair)) for pair in pairs] or None if is_known else None
        return None

    def _columns(self, values: tuple[object, ...]) -> list[list[int]]:
        """The numbers that each of some values is in the threads; nothing if one of them is not known."""
        columns = [column for value in values if (column := self._column(value)) is not None]
        return columns if len(columns) == len(values) else []


@memoized(256)
def _indices(register: str, threads: tuple[tuple[int, int], ...]) -> _Column:
    """The numbers that a special register has in some threads."""
    return _whole([index_of_thread(register, *thread) for thread in threads])


def _whole(numbers: list[int | None]) -> _Column:
    """Some numbers; None if one of them is not known."""
    known = [one for one in numbers if one is not None]
    return known if known and len(known) == len(numbers) else None
