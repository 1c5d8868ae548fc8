"""The registers that each block of a graph reads and writes, as keys and as sets.

Sets of registers are bits of integers: joining the sets of two paths is then one
operation, however many registers there are. Only registers that are read in a block
before they are written there take part; of the others the block itself says all.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable
from functools import cached_property

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph

_NODES_IN_A_STEP = 512
_BITS_AT_ONCE = 1 << 16
"""If registers times bits are more, a set is read and made octet by octet: bit by bit each costs as much as the set."""


def _exposed(graph: Graph, node: BasicBlock) -> dict[str, int]:
    """The registers that a node reads before it writes them."""
    return graph.registers.keys(node.piece.exposed, node.scope)


class RegisterSets:
    """Sets of registers of the blocks of a graph."""

    def __init__(self, graph: Graph, exposed: list[dict[str, int]] | None = None) -> None:
        """Make the sets of a graph; ``exposed`` as in :meth:`making`, if it is known."""
        self.graph = graph
        self.exposed = [_exposed(graph, node) for node in graph.nodes] if exposed is None else exposed
        """Of each node the registers that it reads before it writes them, with the statement."""
        self.written = graph.written
        """Of each node the registers that it writes, with the first such statement."""
        self.updated = {
            node.number: {graph.registers.key(name, node.scope) for name in node.piece.updated}
            for node in graph.nodes
            if node.piece.updated
        }
        """Of nodes the registers whose earlier value may be read in them, though not for sure."""
        names = set().union(*self.exposed, *self.updated.values())
        self.names = list(names)
        """The registers that take part; each has the bit of its place."""
        self.number = {name: number for number, name in enumerate(self.names)}
        """The place of each of them."""
        self._taking_part = frozenset(names).intersection

    @classmethod
    def making(cls, graph: Graph) -> Generator[None, None, RegisterSets]:
        """The sets of a graph, made in steps of a few milliseconds; they are the generator's value."""
        exposed = []
        for node in graph.nodes:
            exposed.append(_exposed(graph, node))
            if not node.number % _NODES_IN_A_STEP:
                yield
        yield from graph.finding_written()
        return cls(graph, exposed)

    def mask(self, names: Iterable[str]) -> int:
        """The bits of those registers that take part."""
        return self._joined(self._taking_part(names))

    def _joined(self, names: Collection[str]) -> int:
        """:meth:`mask` of registers all of which take part."""
        numbers = map(self.number.__getitem__, names)
        if len(names) * len(self.names) > _BITS_AT_ONCE:
            octets = bytearray(len(self.names) // 8 + 1)
            for number in numbers:
                octets[number >> 3] |= 1 << (number & 7)
            return int.from_bytes(octets, "little")
        found = 0
        for number in numbers:
            found |= 1 << number
        return found

    def among(self, bits: int, names: Collection[str]) -> set[str]:
        """Those of some registers that are in a set."""
        number = self.number
        if len(names) * len(self.names) > _BITS_AT_ONCE:
            octets = bits.to_bytes(len(self.names) // 8 + 1, "little")
            return {name for name in names if name in number and octets[(at := number[name]) >> 3] >> (at & 7) & 1}
        return {name for name in names if name in number and bits >> number[name] & 1}

    @cached_property
    def writes(self) -> list[int]:
        """Bits of what each node writes; with a guard counts too, since the reader has mostly the same guard."""
        return [self.mask(written) for written in self.written]

    @cached_property
    def reads(self) -> list[int]:
        """Bits of what each node reads before it writes it."""
        return [self._joined(exposed) for exposed in self.exposed]

    @cached_property
    def readers(self) -> dict[str, list[int]]:
        """The nodes that read each register before they write it."""
        found: dict[str, list[int]] = {}
        for number, exposed in enumerate(self.exposed):
            for register in exposed:
                found.setdefault(register, []).append(number)
        return found
