"""The registers that each block of a graph reads and writes, as keys and as sets.

Sets of registers are bits of integers: joining the sets of two paths is then one
operation, however many registers there are. Only registers that are read in a block
before they are written there take part; of the others the block itself says all.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from functools import reduce
from itertools import count
from operator import or_

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.derived_values import once

_NODES_IN_A_STEP = 512
_FEW = 16
_BITS = (1).__lshift__


def _exposed(graph: Graph, node: BasicBlock) -> dict[str, int]:
    """The registers that a node reads before it writes them."""
    return graph.registers.keys(node.piece.exposed, node.scope)


def _updated(graph: Graph, node: BasicBlock) -> set[str]:
    """The registers whose earlier value may be read in a node, though not for sure."""
    if not graph.registers.renames(node.scope):
        return set(node.piece.updated)
    return {graph.registers.key(name, node.scope) for name in node.piece.updated}


class RegisterSets:
    """Sets of registers of the blocks of a graph."""

    def __init__(
        self, graph: Graph, exposed: list[dict[str, int]] | None = None, updated: dict[int, set[str]] | None = None
    ) -> None:
        """Make the sets of a graph; ``exposed`` and ``updated`` as in :meth:`making`, if they are known."""
        self.graph = graph
        self.exposed = [_exposed(graph, node) for node in graph.nodes] if exposed is None else exposed
        """Of each node the registers that it reads before it writes them, with the statement."""
        self.written = graph.written
        """Of each node the registers that it writes, with the first such statement."""
        if updated is None:
            updated = {node.number: _updated(graph, node) for node in graph.nodes if node.piece.updated}
        self.updated = updated
        """Of nodes the registers whose earlier value may be read in them, though not for sure."""
        self.names = list(set().union(*self.exposed, *self.updated.values()))
        """The registers that take part; each has the bit of its place."""
        self._place = dict(zip(self.names, count(), strict=False))

    @classmethod
    def making(cls, graph: Graph) -> Generator[None, None, RegisterSets]:
        """The sets of a graph, made in steps of a few milliseconds; they are the generator's value."""
        exposed = []
        updated = {}
        is_prepared = len(graph.nodes) <= _NODES_IN_A_STEP
        for node in graph.nodes:
            if not is_prepared and graph.registers.renames(node.scope):
                yield from graph.registers.preparing()
                is_prepared = True
            exposed.append(_exposed(graph, node))
            if node.piece.updated:
                updated[node.number] = _updated(graph, node)
            if not node.number % _NODES_IN_A_STEP:
                yield
        yield from graph.preparing()
        yield
        return cls(graph, exposed, updated)

    @property
    def all(self) -> int:
        """The bits of all registers that take part."""
        return (1 << len(self.names)) - 1

    def mask(self, names: Iterable[str]) -> int:
        """The bits of those registers that take part."""
        places = self._place
        found = [places[name] for name in names if name in places]
        if len(found) == 1:
            return 1 << found[0]
        if len(found) <= _FEW:
            return reduce(or_, map(_BITS, found), 0)
        # An integer of all registers is as long as there are many of them: it is made once, not for each of its bits.
        marks = bytearray(len(self.names) // 8 + 1)
        for place in found:
            marks[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(marks, "little")

    def among(self, bits: int, names: Iterable[str]) -> list[str]:
        """Those of some registers that take part and whose bits are set."""
        places = self._place
        found = [name for name in names if name in places]
        if len(found) <= _FEW:
            return [name for name in found if bits >> places[name] & 1]
        marks = bits.to_bytes(len(self.names) // 8 + 1, "little")
        return [name for name in found if marks[places[name] >> 3] >> (places[name] & 7) & 1]

    @once
    def writes(self) -> list[int]:
        """Bits of what each node writes; with a guard counts too, since the reader has mostly the same guard."""
        return [self.mask(written) for written in self.written]

    @once
    def reads(self) -> list[int]:
        """Bits of what each node reads before it writes it."""
        return [self.mask(exposed) for exposed in self.exposed]

    def preparing(self) -> Iterator[None]:
        """Make :attr:`writes` and :attr:`reads` in steps of a few milliseconds."""
        for name, registers in (("writes", self.written), ("reads", self.exposed)):
            if name not in self.__dict__:  # where a cached property keeps its value
                found = []
                for number, one in enumerate(registers):
                    found.append(self.mask(one) if one else 0)
                    if not number % _NODES_IN_A_STEP:
                        yield
                self.__dict__[name] = found

    @once
    def readers(self) -> dict[str, list[int]]:
        """The nodes that read each register before they write it."""
        found: dict[str, list[int]] = {}
        for number, exposed in enumerate(self.exposed):
            for register in exposed:
                found.setdefault(register, []).append(number)
        return found
