"""Registers that are read before anything wrote them.

What a compiler leaves undefined on purpose does not count as a read: a part of a register that is packed with
``mov.b32 r, {a, b}`` or ``prmt``, the half that ``mov {_, b}, r`` keeps, what ``selp`` does not choose, what ``shfl``
moves, a byte that is stored. Nor does a read by an instruction that only moves bits (``cvt``, ``prmt``, a shift) to
where they are never used.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import cached_property

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.definite_assignment import DefiniteAssignment
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.undefined_sources import is_packing, picked_sources
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.named_tuples import NamedTuple

_PADDING = frozenset({".b8", ".u8", ".s8"})
"""Types of the stores by which compilers copy a byte of a structure that was never set."""


class Unwritten(NamedTuple):
    """A read of a register that comes before all of its writes, however the function is run."""

    register: str
    step: Step
    write: Place | None
    """The first of its writes in the text; None if it has none."""


class Skipped(NamedTuple):
    """A branch that goes around all writes of some registers, to where they are read for sure.

    Writes that may come before the branch and do not depend on it may have the opposite condition.
    """

    branch: Step
    reads: tuple[tuple[str, Step], ...]
    """The registers with their first reads, in the order of the text."""


_FAR = 32
"""The number of instructions and blocks that bits are followed through."""


class UninitializedReads:
    """Finds them in one function."""

    def __init__(self, graph: Graph, steps: Steps, sets: RegisterSets, assignment: DefiniteAssignment) -> None:
        self._assignment = assignment
        self.graph = graph
        self.steps = steps
        self.sets = sets
        self._sure: dict[str, dict[int, Step]] = {}
        self._never: set[tuple[int, str]] = set()
        """Nodes with registers that no path to them writes; filled with the doubtful ones."""

    @cached_property
    def _doubtful(self) -> dict[str, list[tuple[BasicBlock, int]]]:
        """The registers of this function that some path does not write before a read, with those reads."""
        found: dict[str, list[tuple[BasicBlock, int]]] = defaultdict(list)
        for node, register, statement, always in self._assignment.read_before_write():
            if register in found or self.graph.registers.declaration(register, node.scope) is not None:
                found[register].append((node, statement))
                if always:
                    self._never.add((node.number, register))
        return found

    def preparing(self) -> Iterator[None]:
        """Make what :attr:`always` needs in steps of some milliseconds."""
        yield
        if any((node.number, name) not in self._never for name, reads in self._doubtful.items() for node, _ in reads):
            yield
            yield from self.graph.preparing_dominance()
        yield

    @cached_property
    def writers(self) -> dict[str, list[BasicBlock]]:
        """The nodes that write each doubtful register and can be executed."""
        nodes, reachable, writers = self.graph.nodes, self.graph.reachable, self.graph.writers
        return {
            register: [nodes[number] for number in writers.get(register, ()) if number in reachable]
            for register in self._doubtful
        }

    @cached_property
    def always(self) -> tuple[Unwritten, ...]:
        """The first read of each register that no path writes before."""
        found = []
        for register, reads in self._doubtful.items():
            writers = self.writers[register]
            for node, statement in reads:
                is_never = (node.number, register) in self._never
                if not is_never and not self._comes_first(node, writers):
                    continue
                step = self._read(register, node, statement, is_sure=not is_never)
                if step is not None:
                    write = None
                    if writers:
                        write = Place(writers[0].chunk, self.sets.written[writers[0].number][register], 0)
                    found.append(Unwritten(register, step, write))
                    break
        return tuple(found)

    def _comes_first(self, node: BasicBlock, writers: list[BasicBlock]) -> bool:
        """Whether a node is executed before any of ``writers`` is."""
        dominance = self.graph.dominance
        return all(dominance.dominates(node.number, writer.number) for writer in writers)

    def _read(self, register: str, node: BasicBlock, statement: int, *, is_sure: bool) -> Step | None:
        """The first step of a node that makes use of a register, from ``statement`` up to its first write."""
        for step in self.steps.naming(node.number, register):
            if step.statement >= statement and register in step.reads and self._needs(step, register, is_sure=is_sure):
                is_guard = step.guarded and step.reads[0] == register
                if not (is_sure and step.guarded) or is_guard:
                    return step
            if register in step.writes or register in step.updates:
                return None
        return None

    def _needs(self, step: Step, register: str, *, is_sure: bool) -> bool:
        """Whether an instruction uses a register, or passes bits of it to one that does."""
        return self._uses(step, register, is_sure=is_sure) and self._is_passed_on(step, register)

    def _is_passed_on(self, step: Step, register: str) -> bool:
        """Whether ``step`` uses the bits of a register, or moves them to results whose readers do."""
        from ptx_lsp.analysis.statements.moved_bits import ALL, moved_bits  # imported late: few reads get here

        accepts_packing = self.graph.module.header.is_generated
        waiting = [(step, register, ALL)]
        for _ in range(_FAR):
            if not waiting:
                return False
            step, register, bits = waiting.pop()
            results = moved_bits(self.steps.context(step), name_of(register), bits)
            if results is None:
                return True
            scope = self.graph.nodes[step.node].scope
            for name, moved in results:
                key = self.graph.registers.key(name, scope)
                readers = self.steps.readers(step, key, _FAR) if moved else [step]
                if not readers:  # none, or too far away
                    return True
                waiting += [
                    (one, key, moved)
                    for one in readers
                    if moved and (not accepts_packing or self._uses(one, key, is_sure=False))
                ]
        return True

    def _uses(self, step: Step, register: str, *, is_sure: bool) -> bool:
        """Whether an instruction that names a register needs its value.

        Compilers copy what may have no value yet into the variables of a loop, and move the padding of structures.
        """
        if step.guarded and step.reads[0] == register:
            return True
        match step.opcode[0]:
            case "selp":
                return step.reads[-1] == register
            case "mov":
                return not (is_sure or is_packing(self.steps.context(step)))
            case "prmt":
                return name_of(register) in picked_sources(self.steps.context(step))
            case "shfl":
                return step.reads[step.guarded] != register
            case "st":
                return step.reads[-1] != register or _PADDING.isdisjoint(step.opcode)
        return True

    # ------------------------------------------------------------------ branches around a write

    @cached_property
    def skipped(self) -> tuple[Skipped, ...]:
        """Branches around the only writes of registers that are read after them for sure."""
        done = {one.register for one in self.always}
        candidates = {register: reads for register, reads in self._doubtful.items() if register not in done}
        if not candidates:
            return ()
        paths = _Paths(self, candidates)
        by_branch: dict[int, list[tuple[str, Step]]] = defaultdict(list)
        for register, branch, way in paths.around():
            if not paths.is_written_elsewhere(register, branch):
                by_branch[branch].append((register, self._next_read(register, way)))
        nodes = self.graph.nodes
        return tuple(
            Skipped(self.steps.of(branch)[-1], tuple(sorted(reads, key=lambda one: (one[1].node, one[1].statement))))
            for branch, reads in sorted(by_branch.items())
            if nodes[branch].piece.control
        )

    def _next_read(self, register: str, number: int) -> Step:
        """The nearest sure read from the node ``number`` on, which leads to one."""
        reads = self._sure_reads(register)
        waiting = deque([number])
        seen = {number}
        while True:
            if len(reads) == 1:
                return next(iter(reads.values()))
            number = waiting.popleft()
            if number in reads:
                return reads[number]
            fresh = [one for one in self.graph.nodes[number].successors if one not in seen]
            seen.update(fresh)
            waiting.extend(fresh)

    def sure_reads(self, candidates: Iterable[str]) -> list[tuple[str, int]]:
        """The nodes that read doubtful registers for sure if they are executed."""
        return [(register, number) for register in candidates for number in self._sure_reads(register)]

    def _sure_reads(self, register: str) -> dict[int, Step]:
        """The nodes that read a doubtful register for sure, with the first such read of each."""
        found = self._sure.get(register)
        if found is None:
            reads = {
                node.number: self._read(register, node, statement, is_sure=True)
                for node, statement in self._doubtful[register]
            }
            found = self._sure[register] = {number: step for number, step in reads.items() if step is not None}
        return found


class _Paths:
    """Reads and writes on the paths from and to each node; sets of registers are bits of integers."""

    def __init__(self, reads: UninitializedReads, candidates: dict[str, list[tuple[BasicBlock, int]]]) -> None:
        self._graph = reads.graph
        self._nodes = reads.graph.nodes
        self._reachable = sorted(reads.graph.reachable)
        bit = {register: 1 << at for at, register in enumerate(candidates)}
        self._promises: dict[int, int] = {}
        self._bit = bit
        self._writers = reads.writers
        self._names = {value: register for register, value in bit.items()}
        count = len(self._nodes)
        self._written = [0] * count
        for register in candidates:
            for node in reads.writers[register]:
                self._written[node.number] |= bit[register]
        self._read = [0] * count
        for register, found in candidates.items():
            for node, _ in found:
                self._read[node.number] |= bit[register]
        self._surely_read = [0] * count
        for register, number in reads.sure_reads(candidates):
            self._surely_read[number] |= bit[register]

    def around(self) -> Iterator[tuple[str, int, int]]:
        """Registers, the first branch of which one way leads to a sure read and the other to a write, and that way."""
        must, may, writes = self._after()
        empty = self._without()
        seen = 0
        for number in self._reachable:
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
                    yield self._names[lowest], number, one

    def is_written_elsewhere(self, register: str, branch: int) -> bool:
        """Whether a register may be written before a branch by what does not depend on that branch."""
        writers = self._writers[register]
        dominates = self._graph.dominance.dominates
        others = [node.number for node in writers if not dominates(branch, node.number)]
        return bool(others) and bool(self._reaching[branch] & self._bit[register])

    @cached_property
    def _reaching(self) -> list[int]:
        """Of each node the registers that some path writes up to its end."""
        return self._forward(0, self._written, [0] * len(self._nodes))

    def _promised(self, number: int, must: list[int]) -> int:
        """The registers that some way from a node reads for sure."""
        if number not in self._promises:
            found = 0
            for one in self._nodes[number].successors:
                found |= self._promised(one, must) if self._nodes[one].is_table else must[one]
            self._promises[number] = found
        return self._promises[number]

    def _after(self) -> tuple[list[int], list[int], list[int]]:
        """Of each node what is read for sure, and what perhaps, before it is written; and what is written at all."""
        count = len(self._nodes)
        must, may, writes = [0] * count, [0] * count, [0] * count
        changed = True
        while changed:
            changed = False
            for number in reversed(self._reachable):
                successors = self._nodes[number].successors
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
                if found != (must[number], may[number], writes[number]):
                    must[number], may[number], writes[number] = found
                    changed = True
        return must, may, writes

    def _without(self) -> list[int]:
        """Of each node the registers that some path does not write up to its end."""
        return self._forward((1 << len(self._names)) - 1, [0] * len(self._nodes), self._written)

    def _forward(self, at_start: int, added: list[int], removed: list[int]) -> list[int]:
        """Of each node the bits that some path brings to its end, with those that each node adds and removes."""
        found = [0] * len(self._nodes)
        changed = True
        while changed:
            changed = False
            for number in self._reachable:
                before = at_start if number == 0 else 0
                for one in self._nodes[number].predecessors:
                    before |= found[one]
                after = before & ~removed[number] | added[number]
                if after != found[number]:
                    found[number] = after
                    changed = True
        return found
