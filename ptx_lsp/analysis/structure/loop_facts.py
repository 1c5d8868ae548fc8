"""Facts about the loops of a function that are found once for all of them."""

from __future__ import annotations

from collections.abc import Collection

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loop, Loops


def depth_of(loop: Loop, shown: Collection[Loop], known: dict[Loop, int]) -> int:
    """The number of loops around a place in a loop, of those that are shown."""
    inner: list[Loop] = []
    outer: Loop | None = loop
    while outer is not None and outer not in known:
        inner.append(outer)
        outer = outer.parent
    depth = known[outer] if outer is not None else 0
    for one in reversed(inner):
        depth += one in shown
        known[one] = depth
    return depth


class LoopsThatWrite:
    """The loops in which a register is written; what none writes is no counter, and takes no time to look at."""

    def __init__(self, graph: Graph, loops: Loops) -> None:
        self._graph = graph
        self._loops = loops
        self._known: dict[object, set[Loop]] = {}

    def __call__(self, context: StatementContext, name: str) -> Collection[Loop]:
        """The loops, for a name at a statement."""
        graph = self._graph
        node = graph.node_at(context.chunk, context.index)
        if node is None:
            return ()
        key = graph.registers.key(name, node.scope)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = set()
            for writer in graph.writers.get(key, ()):
                for loop in self._loops.around(writer):
                    if loop in found:
                        break
                    found.add(loop)
        return found
