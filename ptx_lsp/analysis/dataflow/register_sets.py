"""Which registers are written on every path, and which are read on some path.

Sets of registers are bits of integers: joining the sets of two paths is then one
operation, however many registers there are. Only registers that are read in a piece
before they are written there take part; of the others the piece itself tells all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import cached_property

from ptx_lsp.analysis.dataflow.graph import BasicBlock, Graph


class RegisterSets:
    """Sets of registers at the borders of the nodes of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._exposed = [graph.registers.keys(node.piece.exposed, node.scope) for node in graph.nodes]
        self._written = [graph.registers.keys(node.piece.written, node.scope) for node in graph.nodes]
        self._updated = {
            node.number: {graph.registers.key(name, node.scope) for name in node.piece.updated}
            for node in graph.nodes
            if node.piece.updated
        }
        names = set().union(*self._exposed, *self._updated.values())
        self._names = sorted(names)
        self._bit = {name: 1 << number for number, name in enumerate(self._names)}
        self._taking_part = frozenset(names).intersection
        self._masks: dict[int, int] = {}

    def _mask(self, names: Iterable[str]) -> int:
        bit = self._bit
        found = 0
        for name in self._taking_part(names):
            found |= bit[name]
        return found

    @cached_property
    def _gen(self) -> list[int]:
        """What each node writes; with a guard counts too, since the reader has mostly the same guard."""
        return [self._mask(written) for written in self._written]

    @cached_property
    def _use(self) -> list[int]:
        return [self._mask(exposed) for exposed in self._exposed]

    @cached_property
    def exposed(self) -> list[dict[str, int]]:
        """Of each node the registers that it reads before it writes them, with the statement."""
        return self._exposed

    @cached_property
    def written(self) -> list[dict[str, int]]:
        """Of each node the registers that it writes, with the first such statement."""
        return self._written

    @cached_property
    def readers(self) -> dict[str, list[int]]:
        """The nodes that read each register before they write it."""
        found: dict[str, list[int]] = {}
        for number, exposed in enumerate(self._exposed):
            for register in exposed:
                found.setdefault(register, []).append(number)
        return found

    @cached_property
    def _surely_written(self) -> list[int]:
        """Bits of the registers that are written on every path to each node; all of them where no path leads."""
        return self._forward(every=True)

    @cached_property
    def _maybe_written(self) -> list[int]:
        """Bits of the registers that are written on some path to each node."""
        return self._forward(every=False)

    def _forward(self, *, every: bool) -> list[int]:
        nodes, gen = self.graph.nodes, self._gen
        everything = (1 << len(self._bit)) - 1
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
        for node in self.graph.nodes:
            if node.number not in self.graph.reachable:
                continue
            missing = self._use[node.number] & ~self._surely_written[node.number]
            if not missing:
                continue
            maybe = self._maybe_written[node.number]
            for name, at in self._exposed[node.number].items():
                bit = self._bit[name]
                if missing & bit:
                    found.append((node, name, at, not maybe & bit))
        return found

    @cached_property
    def _live(self) -> list[int]:
        """Bits of the registers that are read on some path behind each node before they are written again."""
        graph, nodes, context, kill = self.graph, self.graph.nodes, list(self._use), list(self._gen)
        for number, updated in self._updated.items():
            context[number] |= self._mask(updated)
        for node in nodes:
            if node.piece.unsure:
                kill[node.number] &= ~self._mask(graph.registers.key(name, node.scope) for name in node.piece.unsure)
        found = [0] * len(nodes)
        waiting = deque(reversed(range(len(nodes))))
        is_waiting = bytearray(b"\x01" * len(nodes))
        while waiting:
            number = waiting.popleft()
            is_waiting[number] = 0
            before = context[number] | (found[number] & ~kill[number])
            for earlier in nodes[number].predecessors:
                joined = found[earlier] | before
                if joined != found[earlier]:
                    found[earlier] = joined
                    if not is_waiting[earlier]:
                        is_waiting[earlier] = 1
                        waiting.append(earlier)
        return found

    def live_after(self, node: BasicBlock) -> set[str]:
        """The registers whose values from a node may still be read behind it."""
        bits = f"{self._live[node.number]:b}"[::-1]
        found = set()
        at = bits.find("1")
        while at >= 0:
            found.add(self._names[at])
            at = bits.find("1", at + 1)
        return found

    def is_live_after(self, node: BasicBlock, register: str) -> bool:
        """Whether a register may still be read behind a node with the value that it has there."""
        return bool(self._live[node.number] & self._bit.get(register, 0))
