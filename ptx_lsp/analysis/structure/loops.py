"""Natural loops of a control-flow graph.

A back edge leads to a node that dominates its source, the header. The loop of a header is the nodes from which one of
its back edges can be reached without passing the header. Two loops are disjoint, or one contains the other. Cycles
without such a header (irreducible ones) are no loops here.

Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.6; nested loops are contracted as in Tarjan, "Testing Flow Graph
Reducibility", so that the work is proportional to the graph however deep they are nested.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from weakref import ref

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph

_NODES_IN_A_STEP = 500


class Loop:
    """A natural loop."""

    __slots__ = ("__weakref__", "_parent", "children", "depth", "header", "latches", "nodes")

    def __init__(self, header: int, latches: tuple[int, ...]) -> None:
        self.header = header
        """The number of the only node by which control enters it."""
        self.latches = latches
        """The nodes from which a back edge leads to the header."""
        self.nodes: list[int] = []
        """Its nodes without those of the loops in it, ascending; the header is among them."""
        self.children: list[Loop] = []
        """The loops directly in it, in the order of their headers."""
        self._parent: ref[Loop] | None = None
        self.depth = 1
        """1 for an outermost loop."""

    @property
    def parent(self) -> Loop | None:
        """The loop directly around it, as long as the :class:`Loops` of the function are there."""
        return self._parent() if self._parent is not None else None

    @parent.setter
    def parent(self, loop: Loop) -> None:
        self._parent = ref(loop)

    def all_nodes(self) -> Iterator[int]:
        """The nodes of it and of all loops in it."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            yield from one.nodes
            waiting += one.children


class Loops:
    """The natural loops of one graph."""

    def __init__(self, graph: Graph) -> None:
        for _ in self._finding(graph):
            pass

    @classmethod
    def finding(cls, graph: Graph) -> Generator[None, None, Loops]:
        """Find the loops in steps of about a millisecond; they are the value that is returned at the end."""
        found = cls.__new__(cls)
        yield from cls._finding(found, graph)
        return found

    def _finding(self, graph: Graph) -> Iterator[None]:
        self.all: list[Loop] = []
        """All loops by their headers, ascending: an outer loop can begin after an inner one only in odd texts."""
        self._innermost: dict[int, Loop] = {}
        self._number: dict[Loop, tuple[int, int]] = {}
        if not graph.nodes:
            return
        yield from graph.preparing_dominance()
        dominance = graph.dominance
        top: dict[int, int] = {}
        """Of a node in a loop that is found: the header of a loop around it, and so on."""
        by_header: dict[int, Loop] = {}
        for count, header in enumerate(reversed(dominance.order)):
            if not count % _NODES_IN_A_STEP:
                yield
            before = graph.nodes[header].predecessors
            latches = tuple(one for one in before if dominance.dominates(header, one))
            if latches:
                by_header[header] = self._loop(graph, header, latches, top, by_header)
        yield
        self.all = [by_header[header] for header in sorted(by_header)]
        self._number_nested()

    def _loop(
        self, graph: Graph, header: int, latches: tuple[int, ...], top: dict[int, int], by_header: dict[int, Loop]
    ) -> Loop:
        """Collect the nodes of a loop; loops in it are found before, and are passed as one node."""
        loop, reachable = Loop(header, latches), graph.reachable
        seen = {header}
        waiting = [_outermost(top, one) for one in latches]
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            inner = by_header.get(number)
            if inner is not None:
                inner.parent = loop
                loop.children.append(inner)
            else:
                loop.nodes.append(number)
                self._innermost[number] = loop
            waiting += [_outermost(top, one) for one in graph.nodes[number].predecessors if one in reachable]
        for number in seen:
            top[number] = header
        loop.nodes.append(header)
        loop.nodes.sort()
        loop.children.sort(key=lambda one: one.header)
        self._innermost[header] = loop
        return loop

    def _number_nested(self) -> None:
        """Number the loops so that those in one have the numbers between two."""
        count = 0
        for root in (loop for loop in self.all if loop.parent is None):
            waiting = [(root, False)]
            begun: dict[Loop, int] = {}
            while waiting:
                loop, is_done = waiting.pop()
                if is_done:
                    self._number[loop] = begun[loop], count
                    continue
                if loop.parent is not None:
                    loop.depth = loop.parent.depth + 1
                begun[loop] = count
                count += 1
                waiting.append((loop, True))
                waiting += [(one, False) for one in reversed(loop.children)]

    def innermost(self, node: int) -> Loop | None:
        """The innermost loop around a node."""
        return self._innermost.get(node)

    def around(self, node: int) -> Iterator[Loop]:
        """The loops around a node, innermost first."""
        loop = self._innermost.get(node)
        while loop is not None:
            yield loop
            loop = loop.parent

    def contains(self, loop: Loop, node: int) -> bool:
        """Whether a node is in a loop or in one inside of it."""
        inner = self._innermost.get(node)
        if inner is None:
            return False
        first, end = self._number[loop]
        return first <= self._number[inner][0] < end


def _outermost(top: dict[int, int], number: int) -> int:
    """The header of the outermost loop found so far around a node; the node itself if there is none."""
    found = number
    while top.get(found, found) != found:
        found = top[found]
    while top.get(number, number) != found:
        number, top[number] = top[number], found
    return found
