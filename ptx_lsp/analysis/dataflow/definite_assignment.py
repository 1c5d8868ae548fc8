"""Registers that are written on every path, or on some path, to each block of a graph, and branches around writes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import reduce
from operator import and_, or_

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.paths import settling
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.derived_values import once
from ptx_lsp.stepwise import run_to_completion

_NODES_IN_A_STEP = 512


class DefiniteAssignment:
    """Sets of registers that are written before the blocks of a graph."""

    def __init__(self, sets: RegisterSets) -> None:
        self._sets = sets
        self._graph = sets.graph

    def read_before_write(self) -> list[tuple[BasicBlock, str, int, bool]]:
        """Reads that some path reaches without a write of the register: node, register, statement, on every path?"""
        return run_to_completion(self.reading_before_write())

    def reading_before_write(self) -> Generator[None, None, list[tuple[BasicBlock, str, int, bool]]]:
        """:meth:`read_before_write` in steps of a few milliseconds."""
        sets = self._sets
        yield from sets.preparing()
        surely = yield from self._surely_written()
        maybe: list[int] | None = None
        found = []
        ever = reduce(or_, sets.writes, 0)
        for node, reads, written in zip(self._graph.nodes, sets.reads, surely, strict=True):
            if not node.number % _NODES_IN_A_STEP:
                yield
            missing = reads & ~written
            if not missing or node.number not in self._graph.reachable:
                continue
            # What nothing writes needs no look at the paths: mostly parameters and special registers.
            if missing & ever and maybe is None:
                maybe = yield from self._maybe_written()
            exposed = sets.exposed[node.number]
            names = sets.among(missing, exposed)
            on_some = frozenset(sets.among(maybe[node.number], names)) if maybe is not None and missing & ever else ()
            found += [(node, name, exposed[name], name not in on_some) for name in names]
        return found

    def _surely_written(self) -> Generator[None, None, list[int]]:
        """Bits of the registers that are written on every path to each node; all of them where no path leads."""
        return self._written(self._sets.all, and_)

    def _maybe_written(self) -> Generator[None, None, list[int]]:
        """Bits of the registers that are written on some path to each node."""
        return self._written(0, or_)

    def _written(self, unknown: int, join: Callable[[int, int], int]) -> Generator[None, None, list[int]]:
        """Find the registers that are written before each node, as bits; all of them if it takes too long.

        Args:
            unknown: what counts for a path that is not known yet.
            join: gives what holds for two paths together.

        """
        graph, nodes, writes = self._graph, self._graph.nodes, self._sets.writes
        before = [unknown] * len(nodes)
        after = [unknown] * len(nodes)

        def update(number: int) -> bool:
            found = unknown if number else 0
            for earlier in nodes[number].predecessors:
                found = join(found, after[earlier])
            before[number] = found
            found |= writes[number]
            if found == after[number]:
                return False
            after[number] = found
            return True

        is_settled = yield from settling([*graph.reachable], [node.successors for node in nodes], update)
        return before if is_settled else [self._sets.all] * len(nodes)


class SkippedPaths:
    """Reads and writes on the paths from and to each node; sets of registers are bits of integers."""

    def __init__(
        self,
        graph: Graph,
        readers: Mapping[str, Iterable[BasicBlock]],
        writers: Mapping[str, list[BasicBlock]],
        sure: Iterable[tuple[str, int]],
    ) -> None:
        """Take what is known of some registers.

        Args:
            graph: the graph.
            readers: the nodes that read each of the registers before they write it.
            writers: those that write registers and can be executed.
            sure: the registers with the nodes that read them for sure if they are executed.

        """
        self._graph = graph
        self._nodes = graph.nodes
        bit = {register: 1 << at for at, register in enumerate(readers)}
        self._promises: dict[int, int] = {}
        self._bit = bit
        self._writers = writers
        self._names = {value: register for register, value in bit.items()}
        count = len(self._nodes)
        self._written = [0] * count
        for register in readers:
            for node in writers[register]:
                self._written[node.number] |= bit[register]
        self._read = [0] * count
        for register, nodes in readers.items():
            for node in nodes:
                self._read[node.number] |= bit[register]
        self._surely_read = [0] * count
        for register, number in sure:
            self._surely_read[number] |= bit[register]

    def around(self) -> Generator[None, None, list[tuple[str, int, int]]]:
        """Registers, the first branch of which one way leads to a sure read and the other to a write, and that way.

        They are found in steps of a few milliseconds.
        """
        after = yield from self._after()
        empty = yield from self._without()
        if after is None or empty is None:
            return []
        must, may, writes = after
        seen = 0
        around: list[tuple[str, int, int]] = []
        for count, number in enumerate(sorted(self._graph.reachable)):
            if not count % _NODES_IN_A_STEP:
                yield
            if self._nodes[number].is_table or not empty[number] & ~seen & self._promised(number, must):
                continue
            successors = self._graph.ways(number)
            if len(successors) < 2:
                continue
            # A register that a way reads for sure is one that it may read: no way is on both sides.
            elsewhere = 0
            for one in successors:
                elsewhere |= writes[one] & ~may[one]
            open_ = empty[number] & ~seen & ~self._read[number] & elsewhere
            for one in successors:
                found = open_ & must[one]
                open_ &= ~found
                seen |= found
                while found:
                    lowest = found & -found
                    found ^= lowest
                    around.append((self._names[lowest], number, one))
        return around

    def is_written_elsewhere(self, register: str, branch: int) -> bool:
        """Whether a register may be written before a branch by what does not depend on that branch."""
        writers = self._writers[register]
        dominates = self._graph.dominance.dominates
        others = [node.number for node in writers if not dominates(branch, node.number)]
        return bool(others) and (self._reaching is None or bool(self._reaching[branch] & self._bit[register]))

    @once
    def _reaching(self) -> list[int] | None:
        """Of each node the registers that some path writes up to its end; None if that takes too long to find."""
        return run_to_completion(self._forward(0, self._written, [0] * len(self._nodes)))

    def _promised(self, number: int, must: list[int]) -> int:
        """The registers that some way from a node reads for sure."""
        if number not in self._promises:
            found = 0
            for one in self._nodes[number].successors:
                found |= self._promised(one, must) if self._nodes[one].is_table else must[one]
            self._promises[number] = found
        return self._promises[number]

    def _after(self) -> Generator[None, None, tuple[list[int], list[int], list[int]] | None]:
        """Of each node what is read for sure, and what perhaps, before it is written; and what is written at all."""
        graph, nodes = self._graph, self._nodes
        must, may, writes = ([0] * len(nodes) for _ in range(3))

        def update(number: int) -> bool:
            successors = nodes[number].successors
            every = must[successors[0]] if successors else 0
            some = ever = 0
            for one in successors:
                every &= must[one]
                some |= may[one]
                ever |= writes[one]
            written = self._written[number]
            found = (
                self._surely_read[number] | every & ~written,
                self._read[number] | some & ~written,
                ever | written,
            )
            if found == (must[number], may[number], writes[number]):
                return False
            must[number], may[number], writes[number] = found
            return True

        is_settled = yield from settling([*graph.reachable][::-1], [node.predecessors for node in nodes], update)
        return (must, may, writes) if is_settled else None

    def _without(self) -> Generator[None, None, list[int] | None]:
        """Of each node the registers that some path does not write up to its end."""
        return self._forward((1 << len(self._names)) - 1, [0] * len(self._nodes), self._written)

    def _forward(self, at_start: int, added: list[int], removed: list[int]) -> Generator[None, None, list[int] | None]:
        """Of each node the bits that some path brings to its end, with those that each node adds and removes."""
        graph, nodes = self._graph, self._nodes
        found = [0] * len(nodes)

        def update(number: int) -> bool:
            before = at_start if number == 0 else 0
            for one in nodes[number].predecessors:
                before |= found[one]
            after = before & ~removed[number] | added[number]
            if after == found[number]:
                return False
            found[number] = after
            return True

        is_settled = yield from settling([*graph.reachable], [node.successors for node in nodes], update)
        return found if is_settled else None
