"""The thread that is followed on paths through an instruction: the first one of the first warp that comes there.

Kernels with specialized warps compute the addresses of a role from the number of the warp within it. In a thread of
another role they have values that no thread has at that place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.synchronization.branch_guards import BranchGuard, BranchGuards
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.stepwise import run_to_completion

_WARP = 32
"""Threads of a warp."""
_MOST_WARPS = 16
"""So many warps are asked about."""
_NODES_IN_A_STEP = 32


class FollowedThreads:
    """The values of the threads that are followed in a kernel.

    Args:
        steps: the instructions of the kernel.
        first: the values of the first thread of the CTA.
        sizes: the numbers of threads of a CTA in each dimension, or their bounds; empty if they are not known.

    """

    def __init__(self, steps: Steps, first: PathValues, sizes: Sequence[int]) -> None:
        self._steps = steps
        self._values = {0: first}
        self._branches = first.branches
        self._last: dict[int, PathValues] = {}
        self._reached: dict[int, frozenset[int]] = {}
        self._warp_reached: dict[int, frozenset[int]] = {}
        self._warps = min(_MOST_WARPS, -(-sizes[0] // _WARP)) if sizes else _MOST_WARPS

    def values_at(self, step: Step) -> PathValues | None:
        """The values of a thread that may execute an instruction; None if no branch lets one of them come to it."""
        return next((self._of(warp) for warp in range(self._warps) if step.node in self._nodes(warp)), None)

    def finding(self, step: Step) -> Iterator[None]:
        """Find the thread for :meth:`values_at`, in steps of a few milliseconds."""
        for warp in range(self._warps):
            if warp not in self._reached:
                reached = yield from _reaching(self._steps.graph, self._branches, self._of(warp).decided)
                self._reached[warp] = reached
            if step.node in self._reached[warp]:
                return

    def _of(self, warp: int) -> PathValues:
        if warp not in self._values:
            self._values[warp] = self._values[0].of_thread(warp)
        return self._values[warp]

    def _nodes(self, warp: int) -> frozenset[int]:
        if warp not in self._reached:
            self._reached[warp] = _reached(self._steps.graph, self._branches, self._of(warp).decided)
        return self._reached[warp]

    def may_follow(self, branch: Step, step: Step) -> bool:
        """Whether a warp that comes to a branch may go on to an instruction, by the branches that it takes as a whole.

        Those are the branches that the first and the last thread of the warp take alike on all paths.
        """
        for warp in range(self._warps):
            decided = self._decided_by_all(warp)
            if warp not in self._warp_reached:
                self._warp_reached[warp] = _reached(self._steps.graph, self._branches, decided)
            if branch.node not in self._warp_reached[warp]:
                continue
            if step.node in _reached(self._steps.graph, self._branches, decided, branch.node):
                return True
        return False

    def _decided_by_all(self, warp: int) -> Callable[[BranchGuard], bool | None]:
        first = self._of(warp)
        if warp not in self._last:
            self._last[warp] = first.of_thread(warp, _WARP - 1)
        last = self._last[warp]

        def decided(branch: BranchGuard) -> bool | None:
            value = first.decided(branch)
            return value if value is not None and value == last.decided(branch) else None

        return decided


def _reached(
    graph: Graph, branches: BranchGuards, decided: Callable[[BranchGuard], bool | None], start: int = 0
) -> frozenset[int]:
    """The nodes to which a thread may come from a node, by the branches that go one way on all paths."""
    return run_to_completion(_reaching(graph, branches, decided, start))


def _reaching(
    graph: Graph, branches: BranchGuards, decided: Callable[[BranchGuard], bool | None], start: int = 0
) -> Generator[None, None, frozenset[int]]:
    """:func:`_reached` in steps of a few milliseconds."""
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
            if following not in found and (branch is None or value in (None, branch.value_on(following))):
                found.add(following)
                waiting.append(following)
    return frozenset(found)
