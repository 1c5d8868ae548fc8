"""Registers that are written on every path, or on some path, to each block of a graph."""

from __future__ import annotations

from collections import deque
from functools import cached_property

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets


class DefiniteAssignment:
    """Sets of registers that are written before the blocks of a graph."""

    def __init__(self, sets: RegisterSets) -> None:
        self._sets = sets
        self._graph = sets.graph

    @cached_property
    def _surely_written(self) -> list[int]:
        """Bits of the registers that are written on every path to each node; all of them where no path leads."""
        return self._forward(every=True)

    @cached_property
    def _maybe_written(self) -> list[int]:
        """Bits of the registers that are written on some path to each node."""
        return self._forward(every=False)

    def _forward(self, *, every: bool) -> list[int]:
        nodes, gen = self._graph.nodes, self._sets.writes
        everything = (1 << len(self._sets.bit)) - 1
        found = [everything if every else 0] * len(nodes)
        if not nodes:
            return found
        found[0] = 0
        waiting = deque([0])
        is_waiting = bytearray(len(nodes))
        is_done = bytearray(len(nodes))
        while waiting:
            number = waiting.popleft()
            is_waiting[number] = 0
            is_done[number] = 1
            out = found[number] | gen[number]
            for following in nodes[number].successors:
                joined = found[following] & out if every else found[following] | out
                if joined != found[following] or not is_done[following]:
                    found[following] = joined
                    if not is_waiting[following]:
                        is_waiting[following] = 1
                        waiting.append(following)
        return found

    def read_before_write(self) -> list[tuple[BasicBlock, str, int, bool]]:
        """Reads that some path reaches without a write of the register: node, register, statement, on every path?"""
        found = []
        for node in self._graph.nodes:
            if node.number not in self._graph.reachable:
                continue
            missing = self._sets.reads[node.number] & ~self._surely_written[node.number]
            if not missing:
                continue
            maybe = self._maybe_written[node.number]
            for name, at in self._sets.exposed[node.number].items():
                bit = self._sets.bit[name]
                if missing & bit:
                    found.append((node, name, at, not maybe & bit))
        return found
