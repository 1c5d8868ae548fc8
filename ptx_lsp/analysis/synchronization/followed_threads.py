"""The thread that is followed on paths through an instruction: the first one of the first warp that comes there.

Kernels with specialized warps compute the addresses of a role from the number of the warp within it. In a thread of
another role they have values that no thread has at that place.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.synchronization.path_values import PathValues

_WARP = 32
"""Threads of a warp."""
_MOST_WARPS = 16
"""So many warps are asked about."""


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
        self._reached: dict[int, frozenset[int]] = {}
        self._warps = min(_MOST_WARPS, -(-sizes[0] // _WARP)) if sizes else _MOST_WARPS

    def values_at(self, step: Step) -> PathValues | None:
        """The values of a thread that may execute an instruction; None if no branch lets one of them come to it."""
        return next((self._of(warp) for warp in range(self._warps) if step.node in self._nodes(warp)), None)

    def _of(self, warp: int) -> PathValues:
        if warp not in self._values:
            self._values[warp] = self._values[0].of_warp(warp)
        return self._values[warp]

    def _nodes(self, warp: int) -> frozenset[int]:
        if warp not in self._reached:
            self._reached[warp] = _reached(self._steps.graph, self._of(warp))
        return self._reached[warp]


def _reached(graph: Graph, values: PathValues) -> frozenset[int]:
    """The nodes to which a thread may come, by the branches that go one way on all paths."""
    found, waiting = {0}, [0]
    while waiting:
        node = waiting.pop()
        branch = values.branches.of(node)
        decided = None if branch is None else values.decided(branch)
        for following in graph.nodes[node].successors:
            if following not in found and (branch is None or decided in (None, branch.value_on(following))):
                found.add(following)
                waiting.append(following)
    return frozenset(found)
