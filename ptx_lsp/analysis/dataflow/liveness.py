"""Registers that are read on some path after each block of a graph before they are written again.

An instruction whose results are not among them, and that does nothing else, has no effect.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from functools import reduce
from heapq import heapify, heappop, heappush
from operator import or_

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
from ptx_lsp.analysis.dataflow.paths import settling
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion

_LOOKED_AT_IN_A_STEP = 256
_FAR = 512
"""The number of statements that are searched for the next write of a register; it only words a message."""
_MOST_BLOCKS = 256
"""Of these statements."""


class Liveness:
    """Sets of registers that are live after the blocks of a graph.

    Args:
        sets: the registers that the blocks read and write.
        of_written: whether only registers that some block writes count.

    """

    def __init__(self, sets: RegisterSets, *, of_written: bool = False) -> None:
        self._sets = sets
        self._of_written = of_written
        self._graph = sets.graph
        self.is_known = True
        """Whether :attr:`after`, once it is found, is exact."""

    @once
    def after(self) -> list[int]:
        """Bits of the registers that are read on some path after each node before they are written again.

        All of them if that takes too long to find.
        """
        return run_to_completion(self._solving())

    def solving(self) -> Generator[None, None, None]:
        """Find :attr:`after` in steps of a few milliseconds."""
        if "after" not in self.__dict__:  # where a cached property keeps its value
            self.__dict__["after"] = yield from self._solving()

    def _solving(self) -> Generator[None, None, list[int]]:
        graph, nodes, sets = self._graph, self._graph.nodes, self._sets
        yield from sets.preparing()
        use, kill = list(sets.reads), list(sets.writes)
        for number, updated in sets.updated.items():
            use[number] |= sets.mask(updated)
        if self._of_written:
            ever = reduce(or_, kill, 0)
            use = [bits & ever for bits in use]
        for node in nodes:
            if node.piece.unsure:
                kill[node.number] &= ~sets.mask(graph.registers.key(name, node.scope) for name in node.piece.unsure)
        found = [0] * len(nodes)
        before = [0] * len(nodes)

        def update(number: int) -> bool:
            after = 0
            for later in nodes[number].successors:
                after |= before[later]
            found[number] = after
            after = use[number] | (after & ~kill[number])
            if after == before[number]:
                return False
            before[number] = after
            return True

        unreachable = [node.number for node in nodes if node.number not in graph.reachable]
        order = [*graph.reachable, *unreachable][::-1]
        is_settled = yield from settling(order, [node.predecessors for node in nodes], update)
        self.is_known = is_settled
        return found if is_settled else [sets.all] * len(nodes)

    def live_after(self, node: BasicBlock) -> set[str]:
        """The registers whose values from a node may still be read after it."""
        bits = f"{self.after[node.number]:b}"[::-1]
        found = set()
        at = bits.find("1")
        while at >= 0:
            found.add(self._sets.names[at])
            at = bits.find("1", at + 1)
        return found


class UnusedResult(NamedTuple):
    """An instruction whose results are never read."""

    step: Step
    overwritten: Step | None
    """The next instruction that writes all of its results again, if it is near; None if there is none."""
    is_never_read: bool
    """Whether the function writes the results only here, so that no value of these registers is read."""


class UnusedResults:
    """Finds them in one function."""

    def __init__(self, steps: Steps, sets: RegisterSets, liveness: Liveness) -> None:
        self._graph = sets.graph
        self._steps = steps
        self._sets = sets
        self._liveness = liveness

    def __iter__(self) -> Iterator[UnusedResult | None]:
        """The instructions in order, and nothing after some milliseconds without one."""
        work = 0
        for number in sorted(self._graph.reachable):
            node, found = self._graph.nodes[number], []
            work += 1
            if not work % _LOOKED_AT_IN_A_STEP:
                yield None
            if not node.piece.unread and not node.piece.overwritten:
                continue
            for statement, count in self._unread(node).items():
                if self._is_unused(node, statement, count):
                    found.append(statement)
                work += 1
                if not work % _LOOKED_AT_IN_A_STEP:
                    yield None
            for statement in sorted(found):
                step = self._steps.at(number, statement)
                overwritten = self._next_write(step)
                yield UnusedResult(step, overwritten, overwritten is None and self._is_only_write(step))

    @once
    def _excused(self) -> frozenset[str]:
        """The registers that unreachable code reads: that they are not read otherwise is a consequence of that."""
        graph, found, written = self._graph, set[str](), set[str]()
        for node in graph.nodes:
            number = node.number
            if number in graph.reachable:
                continue
            if node.straight == number:
                written = set()  # else a chunk ends in its block
            found |= self._sets.exposed[number].keys() - written
            written |= self._sets.written[number].keys()
        return frozenset(found)

    def _unread(self, node: BasicBlock) -> Mapping[int, int]:
        """The number of results of each statement of a node that are never read, where it has such results."""
        piece, registers = node.piece, self._graph.registers
        live = self._liveness.after[node.number]
        unread = registers.keys(piece.unread, node.scope)
        needed = frozenset(self._sets.among(live, unread))
        unneeded = [register for register in unread if register not in needed]
        if not unneeded and not piece.overwritten:
            return {}
        dead = Counter(piece.overwritten)
        hidden = registers.keys(piece.hidden, node.scope) if piece.hidden else {}
        for register in unneeded:
            dead.update((unread[register], *hidden.get(register, ())))
        return dead

    def _is_unused(self, node: BasicBlock, statement: int, count: int) -> bool:
        """Whether a statement does nothing but write ``count`` results, which are never read."""
        effect = self._graph.effects.of(node.chunk, statement)
        return effect.results_only and count == len(effect.writes) and self._are_judged(node, statement)

    def _are_judged(self, node: BasicBlock, statement: int) -> bool:
        """Whether the results of a statement are declared, and what reads them is reachable."""
        declaration = self._graph.registers.declaration
        return all(
            register not in self._excused and declaration(register, node.scope) is not None
            for register in self._steps.at(node.number, statement).writes
        )

    def _next_write(self, step: Step) -> Step | None:
        """The next instruction that surely writes the results of ``step`` again."""
        if not step.writes:
            return None
        register = step.writes[0]
        later = next(self._sure_writes(step.node, register, step.statement + 1), None)
        if later is None and not self._is_only_write(step):
            later = self._write_after(step, register)
        return later if later is not None and set(step.writes) <= {*later.writes} else None

    def _write_after(self, step: Step, register: str) -> Step | None:
        """The nearest one on the paths after the node of a step."""
        nodes, written = self._graph.nodes, self._graph.written
        piece = nodes[step.node].piece
        waiting = [(piece.end - step.statement, one, 0) for one in nodes[step.node].successors]
        heapify(waiting)
        seen = set(nodes[step.node].successors)
        found: dict[int, Step] = {}
        for _ in range(_MOST_BLOCKS):
            distance, number, is_write = heappop(waiting) if waiting else (_FAR, 0, 0)
            if is_write:
                return found[number]
            if distance >= _FAR:
                return None
            piece = nodes[number].piece
            write = next(self._sure_writes(number, register), None) if register in written[number] else None
            if write is not None:
                found[number] = write
                heappush(waiting, (distance + write.statement - piece.start, number, 1))
                continue
            for one in nodes[number].successors:
                if one not in seen:
                    seen.add(one)
                    heappush(waiting, (distance + piece.end - piece.start, one, 0))
        return None

    def _sure_writes(self, number: int, register: str, first: int = 0) -> Iterator[Step]:
        """The instructions of a node that write a register whatever their guard is, from statement ``first`` on."""
        for step in self._steps.naming(number, register, first):
            if register in step.writes and not step.guarded:
                yield step

    def _is_only_write(self, step: Step) -> bool:
        node = self._graph.nodes[step.node]
        first, writers = self._graph.written[step.node], self._graph.writers
        return all(
            len(writers[register]) == 1
            and first[register] == step.statement
            and register not in node.piece.updated
            and not self._is_written(step.node, register, step.statement + 1)
            for register in step.writes
        )

    def _is_written(self, number: int, register: str, first: int) -> bool:
        """Whether some instruction of a node writes a register, from statement ``first`` on."""
        return any(register in step.writes for step in self._steps.naming(number, register, first))


def readers_of(steps: Steps, step: Step, register: str, limit: int, among: Iterable[int] | None = None) -> list[Step]:
    """The instructions that may read a register with the value that ``step`` gives it.

    Empty if there are more than ``limit`` of them, or if they are more than ``limit`` nodes away and ``among`` is
    None.

    Args:
        steps: the instructions of the function.
        step: the instruction.
        register: the register.
        limit: so many are found.
        among: the nodes that may read the register before they write it. Of those far away all count to which a path
            leads, also if it writes the register.

    """
    nodes, name = steps.graph.nodes, name_of(register)
    own = steps.all_naming(step.node, register)
    found, goes_on = _reads([one for one in own if one.statement > step.statement], register)
    waiting = deque(nodes[step.node].successors if goes_on else ())
    seen = set(waiting)
    while waiting:
        if len(seen) > limit:
            if among is None:
                return []
            leads, near = steps.graph.reachability.leads, seen - {*waiting}
            far = [one for one in among if one not in near and leads(step.node, one)]
            found += [one for number in far[:limit] for one in _reads(steps.all_naming(number, register), register)[0]]
            return found if len(far) <= limit and len(found) <= limit else []
        node, goes_on = nodes[waiting.popleft()], True
        if name in node.piece.written or name in node.piece.exposed:
            more, goes_on = _reads(steps.all_naming(node.number, register), register)
            found += more
        fresh = [one for one in node.successors if goes_on and one not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return found if len(found) <= limit else []


def _reads(run: Iterable[Step], register: str) -> tuple[list[Step], bool]:
    """The steps of ``run`` that read a register before one surely writes it, and whether none does."""
    found = []
    for step in run:
        if register in step.reads or register in step.updates:
            found.append(step)
        if register in step.writes and not step.guarded:
            return found, False
    return found, True
