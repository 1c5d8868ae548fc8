"""Registers that are read on some path after each block of a graph before they are written again."""

from __future__ import annotations

from collections import deque
from functools import cached_property

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets


class Liveness:
    """Sets of registers that are live after the blocks of a graph."""

    def __init__(self, sets: RegisterSets) -> None:
        self._sets = sets
        self._graph = sets.graph

    @cached_property
    def _live(self) -> list[int]:
        """Bits of the registers that are read on some path after each node before they are written again."""
        graph, nodes, sets = self._graph, self._graph.nodes, self._sets
        use, kill = list(sets.reads), list(sets.writes)
        for number, updated in sets.updated.items():
            use[number] |= sets.mask(updated)
        for node in nodes:
            if node.piece.unsure:
                kill[node.number] &= ~sets.mask(graph.registers.key(name, node.scope) for name in node.piece.unsure)
        found = [0] * len(nodes)
        waiting = deque(reversed(range(len(nodes))))
        is_waiting = bytearray(b"\x01" * len(nodes))
        while waiting:
            number = waiting.popleft()
            is_waiting[number] = 0
            before = use[number] | (found[number] & ~kill[number])
            for earlier in nodes[number].predecessors:
                joined = found[earlier] | before
                if joined != found[earlier]:
                    found[earlier] = joined
                    if not is_waiting[earlier]:
                        is_waiting[earlier] = 1
                        waiting.append(earlier)
        return found

    def live_after(self, node: BasicBlock) -> set[str]:
        """The registers whose values from a node may still be read after it."""
        bits = f"{self._live[node.number]:b}"[::-1]
        found = set()
        at = bits.find("1")
        while at >= 0:
            found.add(self._sets.names[at])
            at = bits.find("1", at + 1)
        return found

    def is_live_after(self, node: BasicBlock, register: str) -> bool:
        """Whether a register may still be read after a node with the value that it has there."""
        return bool(self._live[node.number] & self._sets.bit.get(register, 0))
