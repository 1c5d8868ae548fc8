"""The instructions before and after some others: one search of the graph for all questions about them."""

from __future__ import annotations

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


_FEW = 32


class LeadingTo:
    """What leads to one of some instructions, for many such sets in one graph: a few are compared one by one."""

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
