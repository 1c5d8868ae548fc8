"""Reaching stores: those that can be the last one before a load, by a walk back from the load through the graph."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ptx_lsp.analysis.dataflow.transfer_functions import transfer_function
from ptx_lsp.analysis.descriptors.local_memory import Memory
from ptx_lsp.analysis.descriptors.memory_accesses import StatementKey, Store
from ptx_lsp.syntax.chunk import Chunk

_MOST_PIECES = 500
"""If the walk is longer all stores count."""


def reaching(memory: Memory, stores: Sequence[Store], at: StatementKey) -> list[Store]:
    """Those of some stores, all of which cover what is loaded at a place, that no other one hides."""
    graph = memory.graph
    nodes = memory.nodes
    start = _node_of(nodes, at)
    if start is None or not graph.is_whole:
        return list(stores)
    by_node: dict[int, list[Store]] = {}
    for store in stores:
        node = _node_of(nodes, store.place)
        if node is None:
            return list(stores)
        by_node.setdefault(node, []).append(store)
    found: dict[Store, None] = {}
    if _above([store for store in by_node.get(start, ()) if store.place[1] < at[1]], found):
        return list(found)
    waiting = [*graph.nodes[start].predecessors]
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        if len(seen) > _MOST_PIECES:
            return list(stores)
        if not _above(by_node.get(number, ()), found):
            waiting += graph.nodes[number].predecessors
    return list(found)


def _above(stores: Sequence[Store], found: dict[Store, None]) -> bool:
    """Take over the stores of one piece from its end; whether one of them hides what is before."""
    for store in sorted(stores, key=lambda one: one.place[1], reverse=True):
        found[store] = None
        known = transfer_function(*store.at)
        if not store.calls and known is not None and known.tree.guard is None:
            return True
    return False


def _node_of(nodes: dict[Chunk, tuple[list[int], list[int]]], at: StatementKey) -> int | None:
    starts, numbers = nodes.get(at[0], ([], []))
    place = bisect_right(starts, at[1]) - 1
    return numbers[place] if place >= 0 else None
