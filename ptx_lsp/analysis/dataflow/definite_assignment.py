"""Registers that are written on every path, or on some path, to each block of a graph."""

from __future__ import annotations

from collections import deque
from functools import cached_property, reduce
from operator import or_

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets


class DefiniteAssignment:
    """Sets of registers that are written before the blocks of a graph."""

    def __init__(self, sets: RegisterSets) -> None:
        self._sets = sets
        self._graph = sets.graph

    @cached_property
    def _surely_written(self) -> list[int]:
        """Bits of the registers that are written on every path to each node; all of them where no path leads.

        One pass in the order of the text is nearly always enough: a jump back brings all that the node it goes to has
        already, if that node is on every path to the jump. Nodes for which this does not hold are done again.
        """
        nodes, writes = self._graph.nodes, self._sets.writes
        everything = (1 << len(self._sets.names)) - 1
        before = [everything] * len(nodes)
        after = [everything] * len(nodes)
        reached_back = []
        for node in nodes:
            number = node.number
            found = everything if number else 0
            for earlier in node.predecessors:
                found &= after[earlier]
                if earlier >= number:
                    reached_back.append(number)
            before[number] = found
            after[number] = found | writes[number]
        waiting = deque(dict.fromkeys(reached_back))
        is_waiting = bytearray(len(nodes))
        for number in waiting:
            is_waiting[number] = 1
        while waiting:
            number = waiting.popleft()
            is_waiting[number] = 0
            found = before[number]
            for earlier in nodes[number].predecessors:
                found &= after[earlier]
            if found != before[number]:
                before[number] = found
                after[number] = found | writes[number]
                for following in nodes[number].successors:
                    if not is_waiting[following]:
                        is_waiting[following] = 1
                        waiting.append(following)
        return before

    @cached_property
    def _maybe_written(self) -> list[int]:
        """Bits of the registers that are written on some path to each node."""
        nodes, writes = self._graph.nodes, self._sets.writes
        found = [0] * len(nodes)
        waiting = deque([0])
        is_waiting = bytearray(len(nodes))
        is_done = bytearray(len(nodes))
        while waiting:
            number = waiting.popleft()
            is_waiting[number] = 0
            is_done[number] = 1
            after = found[number] | writes[number]
            for following in nodes[number].successors:
                joined = found[following] | after
                if joined != found[following] or not is_done[following]:
                    found[following] = joined
                    if not is_waiting[following]:
                        is_waiting[following] = 1
                        waiting.append(following)
        return found

    def read_before_write(self) -> list[tuple[BasicBlock, str, int, bool]]:
        """Reads that some path reaches without a write of the register: node, register, statement, on every path?"""
        found = []
        ever = reduce(or_, self._sets.writes, 0)
        for node, reads, written in zip(self._graph.nodes, self._sets.reads, self._surely_written, strict=True):
            missing = reads & ~written
            if not missing or node.number not in self._graph.reachable:
                continue
            # What nothing writes needs no look at the paths: mostly parameters and special registers.
            maybe = self._maybe_written[node.number] if missing & ever else 0
            exposed = self._sets.exposed[node.number]
            names = self._sets.among(missing, exposed)
            possible = self._sets.among(maybe, names) if maybe else ()
            found += [(node, name, at, name not in possible) for name, at in exposed.items() if name in names]
        return found
