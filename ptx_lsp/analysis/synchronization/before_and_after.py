"""The instructions before and after some others: one search of the graph for all questions about them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step


class Before:
    """All that can be executed before one of some instructions."""

    def __init__(self, graph: Graph, steps: Iterable[Step]) -> None:
        self._last: dict[int, int] = {}
        for step in steps:
            self._last[step.node] = max(step.statement, self._last.get(step.node, step.statement))
        self._nodes = _closure([node.predecessors for node in graph.nodes], self._last)

    def __contains__(self, step: Step) -> bool:
        """Whether an instruction is among them."""
        return step.node in self._nodes or step.statement < self._last.get(step.node, -1)


class After:
    """All that can be executed after one of some instructions."""

    def __init__(self, graph: Graph, steps: Iterable[Step]) -> None:
        self._first: dict[int, int] = {}
        for step in steps:
            self._first[step.node] = min(step.statement, self._first.get(step.node, step.statement))
        self._nodes = _closure([node.successors for node in graph.nodes], self._first)

    def __contains__(self, step: Step) -> bool:
        """Whether an instruction is among them."""
        return step.node in self._nodes or step.statement > self._first.get(step.node, step.statement)


class AfterWithout:
    """All that can be executed after one of some instructions without one of some others between the two.

    Args:
        graph: the control-flow graph.
        steps: the instructions with which ways begin.
        ends: those at which ways end; they are found themselves.

    """

    def __init__(self, graph: Graph, steps: Iterable[Step], ends: Iterable[Step]) -> None:
        self._ends: dict[int, list[int]] = {}
        for step in ends:
            self._ends.setdefault(step.node, []).append(step.statement)
        for statements in self._ends.values():
            statements.sort()
        self._starts: dict[int, list[int]] = {}
        for step in steps:
            self._starts.setdefault(step.node, []).append(step.statement)
        for statements in self._starts.values():
            statements.sort()
        self._entered: set[int] = set()
        waiting = [node for node, starts in self._starts.items() if self._is_free(node, starts[-1])]
        while waiting:
            for number in graph.nodes[waiting.pop()].successors:
                if number not in self._entered:
                    self._entered.add(number)
                    if number not in self._ends:
                        waiting.append(number)

    def _is_free(self, node: int, statement: int) -> bool:
        """Whether no end follows a statement in its node."""
        return self._ends.get(node, [-1])[-1] <= statement

    def __contains__(self, step: Step) -> bool:
        """Whether an instruction is among them."""
        ends, starts = self._ends.get(step.node, []), self._starts.get(step.node, [])
        before = bisect_left(ends, step.statement)
        if not before and step.node in self._entered:
            return True
        first = bisect_left(starts, ends[before - 1] if before else -1)
        return first < len(starts) and starts[first] < step.statement


class Leaving:
    """All from which a path leaves the function without one of some instructions.

    Args:
        graph: the control-flow graph.
        stops: the instructions that no such path executes.

    """

    def __init__(self, graph: Graph, stops: Iterable[Step]) -> None:
        self._last: dict[int, int] = {}
        for step in stops:
            self._last[step.node] = max(step.statement, self._last.get(step.node, step.statement))
        self._left = {node.number for node in graph.nodes if graph.leaves(node)}
        """The nodes from whose end a path leaves."""
        waiting = [number for number in self._left if number not in self._last]
        while waiting:
            for number in graph.nodes[waiting.pop()].predecessors:
                if number not in self._left:
                    self._left.add(number)
                    if number not in self._last:
                        waiting.append(number)

    def __contains__(self, step: Step) -> bool:
        """Whether an instruction is among them."""
        return step.node in self._left and self._last.get(step.node, step.statement) <= step.statement


_FEW = 32


class LeadingTo:
    """All that leads to one of some instructions, for many such sets in one graph: a few are compared one by one."""

    def __init__(self, graph: Graph, steps: Iterable[Step]) -> None:
        self._graph = graph
        self._steps = [*steps]
        self._before = Before(graph, self._steps) if len(self._steps) > _FEW else None

    def __contains__(self, step: Step) -> bool:
        """Whether one of the instructions can be executed after ``step``."""
        if self._before is not None:
            return step in self._before
        leads = self._graph.reachability.leads
        return any(
            (step.node == one.node and step.statement < one.statement) or leads(step.node, one.node)
            for one in self._steps
        )


def _closure(edges: list[list[int]], numbers: Iterable[int]) -> set[int]:
    """The nodes that one edge or more lead to from some nodes."""
    found: set[int] = set()
    waiting = list(numbers)
    while waiting:
        for number in edges[waiting.pop()]:
            if number not in found:
                found.add(number)
                waiting.append(number)
    return found
