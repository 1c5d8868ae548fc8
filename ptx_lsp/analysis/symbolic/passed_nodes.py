"""The nodes of a function that a thread passes for sure, found without following it everywhere."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.paths import on_all_ways

END = -1
"""The place of a thread that has returned."""
_MOST_ROUNDS = 8
"""Conditions in conditions so deep are looked at."""


def passed_nodes(graph: Graph, following: Callable[[int], tuple[int, ...]]) -> frozenset[int]:
    """The nodes on all ways of a thread from the start of a function to an end; all nodes if no way leads to one.

    ``following`` gives the nodes to which the thread may come directly from a node, with ``END`` among them if it may
    return there. It is asked only about nodes that are themselves passed for sure: most jumps of a long kernel depend
    on data, and what is between such a jump and the place where its ways meet again is not passed for sure anyway.
    """
    ways = {node.number: _all_ways(graph, node.number) for node in graph.nodes}
    asked: set[int] = set()
    passed = on_all_ways(0, END, ways)
    for _ in range(_MOST_ROUNDS):
        undecided = [number for number in passed if number not in asked and len(ways.get(number, ())) > 1]
        asked.update(undecided)
        decided = {number: found for number in undecided if (found := following(number)) != ways[number]}
        if not decided:
            break
        ways.update(decided)
        passed = on_all_ways(0, END, ways)
    return passed or frozenset(ways)


def _all_ways(graph: Graph, number: int) -> tuple[int, ...]:
    ways = tuple(graph.ways(number))
    return (*ways, END) if graph.leaves(graph.nodes[number]) else ways
