"""Registers that are read before anything wrote them.

What a compiler leaves undefined on purpose does not count as a read: a part of a register that is packed with
``mov.b32 r, {a, b}`` or ``prmt``, the half that ``mov {_, b}, r`` keeps, what ``selp`` does not choose, what ``shfl``
moves, a byte that is stored, in generated code also a part of a vector. Nor does a read by an instruction that only
moves bits (``cvt``, ``prmt``, ``or``, a shift) to where they are never used.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.definite_assignment import DefiniteAssignment, SkippedPaths
from ptx_lsp.analysis.dataflow.liveness import readers_of
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.undefined_sources import may_lack_values, needs_value, stored_parts
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion


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


_READS_IN_A_STEP = 16
_FAR = 32
"""The number of readers of a register, and of blocks to them, that bits are followed through."""
_MOST_VISITS, _FEW_VISITS = 16, 4096
"""For the nearest reads so many nodes are visited for each node of the function, and so many more."""
_MOST_FOUND = 4096
"""If so many registers of a function are read before all writes, nothing is said of others; nor of those that are read
before a write on some paths if these make them more."""
_MOST_MOVES = 256
"""The number of instructions that bits are followed through."""


class UninitializedReads:
    """Finds them in one function."""

    def __init__(self, graph: Graph, steps: Steps, sets: RegisterSets, assignment: DefiniteAssignment) -> None:
        self._assignment = assignment
        self.graph = graph
        self.steps = steps
        self.sets = sets
        self._sure: dict[str, dict[int, Step]] = {}
        self._left = _MOST_VISITS * len(graph.nodes) + _FEW_VISITS
        self._never: set[tuple[int, str]] = set()
        """Nodes with registers that no path to them writes; filled with the doubtful ones."""

    @once
    def _doubtful(self) -> dict[str, list[tuple[BasicBlock, int]]]:
        """The registers of this function that some path does not write before a read, with those reads."""
        return run_to_completion(self._finding_doubtful())

    @property
    def has_doubtful(self) -> bool:
        """Whether some path does not write a register of this function before a read."""
        return bool(self._doubtful)

    def _finding_doubtful(self) -> Generator[None, None, dict[str, list[tuple[BasicBlock, int]]]]:
        found: dict[str, list[tuple[BasicBlock, int]]] = defaultdict(list)
        reads = yield from self._assignment.reading_before_write()
        for number, (node, register, statement, always) in enumerate(reads):
            if register in found or self.graph.registers.declaration(register, node.scope) is not None:
                found[register].append((node, statement))
                if always:
                    self._never.add((node.number, register))
            if not number % _READS_IN_A_STEP:
                yield
        return found

    def preparing(self) -> Iterator[None]:
        """Find :attr:`always` in steps of some milliseconds."""
        kept = self.__dict__  # where a cached property keeps its value
        if "_doubtful" not in kept:
            kept["_doubtful"] = yield from self._finding_doubtful()
        writers, never = self.writers, self._never
        if any(
            writers[name] and any((node.number, name) not in never and writers[name] != [node] for node, _ in reads)
            for name, reads in self._doubtful.items()
        ):
            yield
            yield from self.graph.preparing_dominance()
        yield
        if self._doubtful:
            yield from self.graph.preparing(also_reachability=True)
        if "always" not in kept:
            kept["always"] = yield from self._finding_always()

    @once
    def writers(self) -> dict[str, list[BasicBlock]]:
        """The nodes that write each doubtful register and can be executed."""
        nodes, reachable, writers = self.graph.nodes, self.graph.reachable, self.graph.writers
        return {
            register: [nodes[number] for number in writers.get(register, ()) if number in reachable]
            for register in self._doubtful
        }

    @once
    def always(self) -> tuple[Unwritten, ...]:
        """The first read of each register that no path writes before."""
        return run_to_completion(self._finding_always())

    def _finding_always(self) -> Generator[None, None, tuple[Unwritten, ...]]:
        found: list[Unwritten] = []
        for register, reads in self._doubtful.items():
            if len(found) == _MOST_FOUND:
                break
            writers = self.writers[register]
            for number, (node, statement) in enumerate(reads):
                if not number % _READS_IN_A_STEP:
                    yield
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
        if writers == [node]:
            return True  # no dominators are needed
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
        from ptx_lsp.analysis.statements.moved_bits import ALL, may_move_bits, moved_bits  # imported late: few need it

        if not may_move_bits(step.opcode):
            return True
        accepts_packing = self.graph.module.header.is_generated
        waiting = [(step, register, ALL)]
        seen: set[tuple[int, int, str, int]] = set()
        while waiting and len(seen) < _MOST_MOVES:
            step, register, bits = waiting.pop()
            if (step.node, step.statement, register, bits) in seen:
                continue
            seen.add((step.node, step.statement, register, bits))
            results = moved_bits(self.steps.context(step), name_of(register), bits)
            if results is None:
                return True
            scope = self.graph.nodes[step.node].scope
            for name, moved in results:
                key = self.graph.registers.key(name, scope)
                reading = self._reading(key)
                readers = readers_of(self.steps, step, key, _FAR, reading) if moved else [step]
                if not readers and len(results) > 1 and not reading:
                    continue  # the half that is not needed
                if not readers:  # none, or too many
                    return True
                waiting += [
                    (one, key, moved)
                    for one in readers
                    if moved and (not accepts_packing or self._uses(one, key, is_sure=False))
                ]
        return bool(waiting)

    def _reading(self, register: str) -> list[int]:
        """The nodes that may read a register before they write it."""
        updating = [number for number, names in self.sets.updated.items() if register in names]
        return [*self.sets.readers.get(register, ()), *updating]

    def _uses(self, step: Step, register: str, *, is_sure: bool) -> bool:
        """Whether an instruction that names a register needs its value."""
        if step.guarded and step.reads[0] == register or not may_lack_values(step.opcode):
            return True
        context = self.steps.context(step)
        is_first = step.reads[step.guarded :][:1] == (register,)
        if not needs_value(context, name_of(register), is_first, is_sure=is_sure):
            return False
        parts = stored_parts(context) if self.graph.module.header.is_generated and step.opcode[0] == "st" else []
        keys = [self.graph.registers.key(one, self.graph.nodes[step.node].scope) for one in parts]
        # Generated code stores the padding of structures: a part of a vector of which another part has a value.
        return register not in keys or all(one in self._doubtful for one in keys)

    # ------------------------------------------------------------------ branches around a write

    @once
    def skipped(self) -> tuple[Skipped, ...]:
        """Branches around the only writes of registers that are read after them for sure."""
        return run_to_completion(self._finding_skipped())

    def preparing_skipped(self) -> Iterator[None]:
        """Find :attr:`skipped` in steps of some milliseconds."""
        yield from self.preparing()
        if "skipped" not in self.__dict__:
            self.__dict__["skipped"] = yield from self._finding_skipped()

    def _finding_skipped(self) -> Generator[None, None, tuple[Skipped, ...]]:
        done = {one.register for one in self.always}
        candidates = {register: reads for register, reads in self._doubtful.items() if register not in done}
        if not candidates or len(done) + len(candidates) > _MOST_FOUND:
            return ()
        sure = []
        for register, found in candidates.items():
            sure += [(register, number) for number in (yield from self._finding_sure_reads(register))]
            if len(found) > 1 or not len(sure) % _READS_IN_A_STEP:
                yield
        paths = SkippedPaths(
            self.graph, {name: [node for node, _ in found] for name, found in candidates.items()}, self.writers, sure
        )
        by_branch: dict[int, list[tuple[str, Step]]] = defaultdict(list)
        around = yield from paths.around()
        for register, branch, way in around:
            yield
            if not paths.is_written_elsewhere(register, branch):
                by_branch[branch].append((register, self._next_read(register, way)))
        skipped = []
        for branch, reads in sorted(by_branch.items()):
            if self.graph.nodes[branch].piece.control:
                reads.sort(key=lambda one: (one[1].node, one[1].statement))
                skipped.append(Skipped(self.steps.of(branch)[-1], tuple(reads)))
                if not len(skipped) % _READS_IN_A_STEP:
                    yield
        return tuple(skipped)

    def _next_read(self, register: str, number: int) -> Step:
        """The nearest sure read from the node ``number`` on, which leads to one; any if it takes too long to find."""
        reads = self._sure_reads(register)
        waiting = deque([number])
        seen = {number}
        while True:
            self._left -= 1
            if len(reads) == 1 or self._left < 0:
                return next(iter(reads.values()))
            number = waiting.popleft()
            if number in reads:
                return reads[number]
            fresh = [one for one in self.graph.nodes[number].successors if one not in seen]
            seen.update(fresh)
            waiting.extend(fresh)

    def _sure_reads(self, register: str) -> dict[int, Step]:
        """The nodes that read a doubtful register for sure, with the first such read of each."""
        return run_to_completion(self._finding_sure_reads(register))

    def _finding_sure_reads(self, register: str) -> Generator[None, None, dict[int, Step]]:
        found = self._sure.get(register)
        if found is None:
            found = {}
            for count, (node, statement) in enumerate(self._doubtful[register], 1):
                step = self._read(register, node, statement, is_sure=True)
                if step is not None:
                    found[node.number] = step
                if not count % _READS_IN_A_STEP:
                    yield
            self._sure[register] = found
        return found
