"""Single instructions of a graph, and which lie before, after or between others."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Container, Iterator, Set
from operator import attrgetter

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.registers import name_of, naming
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import Bound, RecentlyUsed
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES

_MOST_CONTEXTS = 1 << 11
"""Statements with what is known of them: the values along many paths are computed from the same ones."""
_NEAR = 64
"""So many blocks are searched for a definition before what else is known of the graph is used."""
_MOST_VISITS, _FEW_VISITS = 32, 8192
"""In all searches for definitions so many nodes are visited for each node of the function, and so many more."""


class Step(NamedTuple):
    """One instruction."""

    node: int
    chunk: Chunk
    statement: int
    opcode: tuple[str, ...]
    reads: tuple[str, ...]
    """The registers that it reads, by their keys; other names are among them too."""
    writes: tuple[str, ...]
    updates: tuple[str, ...]
    guarded: bool

    @property
    def place(self) -> Place:
        """Its statement as a place."""
        return Place(self.chunk, self.statement, 0)

    def names(self, register: str) -> bool:
        """Whether it reads or writes a register."""
        return register in self.reads or register in self.writes or register in self.updates


_STATEMENT = attrgetter("statement")
StepPredicate = Callable[[Step], bool]
_NO_OPCODE = ("",)  # of a broken statement
_EXECUTED = frozenset({Kind.INSTRUCTION, Kind.BAD})


class Steps:
    """The instructions of a function by node."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._of: dict[int, list[Step]] = {}
        self._single: dict[tuple[int, int], Step] = {}
        self._contexts: RecentlyUsed[tuple[Chunk, int], StatementContext] = RecentlyUsed(Bound(_MOST_CONTEXTS))
        self._kept: dict[tuple[Chunk, int], StatementContext] = {}
        self._naming: dict[tuple[int, str], list[Step]] = {}
        self._far: set[str] = set()
        """Registers whose only writer is far from some readers."""
        self._left = _MOST_VISITS * len(graph.nodes) + _FEW_VISITS
        self.has_given_up = False

    def of(self, number: int) -> list[Step]:
        """The instructions of a node, in order."""
        found = self._of.get(number)
        if found is None:
            node = self.graph.nodes[number]
            kinds = node.chunk.kinds
            indices = range(node.piece.start, node.piece.end)
            found = self._of[number] = [self.at(number, at) for at in indices if kinds[at] == Kind.INSTRUCTION]
        return found

    def at(self, number: int, statement: int) -> Step:
        """One instruction of a node; the others are not looked at."""
        found = self._single.get((number, statement))
        if found is None:
            found = self._single[number, statement] = self._made(self.graph.nodes[number], statement)
        return found

    def _made(self, node: BasicBlock, index: int) -> Step:
        graph, chunk, scope = self.graph, node.chunk, node.scope
        effect = graph.effects.of(chunk, index)
        found = words(chunk.part(index))
        if graph.registers.renames(scope):
            found = [graph.registers.key(word, scope) for word in found]
        made = (
            node.number,
            chunk,
            index,
            SHAPES[chunk.shapes[index]].opcode or _NO_OPCODE,
            tuple([found[at] for at in effect.reads]),
            tuple([found[at] for at in effect.writes]),
            tuple([found[at] for at in effect.updates]) if effect.updates else (),
            effect.guarded,
        )
        return tuple.__new__(Step, made)  # the constructor takes twice as long

    def naming(self, number: int, register: str, first: int = 0) -> Iterator[Step]:
        """The instructions of a node that read or write a register, in order; the others are not looked at.

        Broken statements, which may do anything to what they name, are among them.

        Args:
            number: the number of the node.
            register: the register.
            first: the statement of the node's chunk to begin with.

        """
        for index in self.mentions(number, register, first):
            one = self.at(number, index)
            if one.names(register):
                yield one

    def mentions(self, number: int, register: str, first: int = 0) -> Iterator[int]:
        """The instructions of a node in whose text the name of a register is; it may mean another one there."""
        node = self.graph.nodes[number]
        chunk, piece = node.chunk, node.piece
        name = name_of(register)
        first = max(first, piece.start)
        if first >= piece.end or name not in piece.written and name not in piece.exposed:
            return
        kinds = chunk.kinds
        for index, _ in naming(chunk, name, first, piece.end):
            if kinds[index] in _EXECUTED:
                yield index

    def all(self, opcodes: frozenset[str]) -> Iterator[Step]:
        """The instructions whose opcode begins with one of some words, in the order of the text."""
        return (self.at(node.number, index) for node, index in self.places(opcodes))

    def places(self, opcodes: frozenset[str]) -> Iterator[tuple[BasicBlock, int]]:
        """The node and the statement of each of :meth:`all`; what they read and write is not looked at."""
        return self._having(lambda opcode: opcode[:1] and opcode[0] in opcodes)

    def having(self, opcodes: Set[tuple[str, ...]], nodes: Container[int]) -> Iterator[Step]:
        """The instructions of some nodes that have one of some opcodes, in the order of the text."""
        for node, index in self._having(opcodes.__contains__) if opcodes else ():
            if node.number in nodes:
                yield self.at(node.number, index)

    def _having(self, is_wanted: Callable[[tuple[str, ...]], object]) -> Iterator[tuple[BasicBlock, int]]:
        """The node and the statement of each instruction with an opcode that is wanted."""
        for chunk in self.graph.function.chunks:
            numbers = {number for number in set(chunk.shapes) if is_wanted(SHAPES[number].opcode)}
            node = None
            for index in [index for index, number in enumerate(chunk.shapes) if number in numbers] if numbers else ():
                if node is None or node.piece.end <= index:
                    node = self.graph.node_at(chunk, index)
                if node is not None:
                    yield node, index

    def context(self, step: Step) -> StatementContext:
        """The statement of a step in its surroundings: operands, form, scope."""
        key = step.chunk, step.statement
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        try:
            return self._contexts[key]
        except KeyError:
            found = self._contexts[key] = StatementContext(self.graph.module, self.graph.function, *key)
            return found

    def kept_context(self, step: Step) -> StatementContext:
        """:meth:`context` of one of the instructions about which much is asked: it is kept with these steps."""
        key = step.chunk, step.statement
        found = self._kept.get(key)
        if found is None:
            found = self._contexts.get(key) or StatementContext(self.graph.module, self.graph.function, *key)
            self._kept[key] = found
        return found

    def after(self, step: Step, stop: StepPredicate | None = None) -> Iterator[Step]:
        """The instructions that can be executed after ``step``, each once, nearest first.

        After an instruction that ``stop`` is true of the search does not continue (it is yielded itself).
        ``step`` is among them if it lies in a loop.
        """
        yield from self._search(step, stop, forward=True)

    def before(self, step: Step, stop: StepPredicate | None = None) -> Iterator[Step]:
        """The instructions that can be executed before ``step``, each once, nearest first; ``stop`` as above."""
        yield from self._search(step, stop, forward=False)

    def _search(self, step: Step, stop: StepPredicate | None, *, forward: bool) -> Iterator[Step]:
        nodes = self.graph.nodes
        own = self.of(step.node)
        position = own.index(step)
        head, tail = own[: position + 1], own[position + 1 :]
        if not forward:
            head, tail = own[position:][::-1], own[:position][::-1]
        run, goes_on = _until(tail, stop)
        yield from run
        if not goes_on:
            return
        waiting = deque(nodes[step.node].successors if forward else nodes[step.node].predecessors)
        seen = set(waiting)
        while waiting:
            number = waiting.popleft()
            if number == step.node:
                yield from _until(head, stop)[0]
                continue
            run, goes_on = _until(self.of(number) if forward else self.of(number)[::-1], stop)
            yield from run
            if goes_on:
                for following in nodes[number].successors if forward else nodes[number].predecessors:
                    if following not in seen:
                        seen.add(following)
                        waiting.append(following)

    def definitions(self, step: Step, register: str, *, at_any_cost: bool = False) -> tuple[Step, ...]:
        """The instructions whose value a register may have when ``step`` reads it, nearest first.

        None also if all searches together took too long (``has_given_up``), unless it is wanted ``at_any_cost``.
        """
        return self._defining(step, register, len(self.graph.nodes), at_any_cost=at_any_cost) or ()

    def near_definitions(self, step: Step, register: str, most: int) -> tuple[Step, ...] | None:
        """:meth:`definitions`; None if there are more than so many, or if more than so many blocks are searched."""
        found = self._defining(step, register, most, at_any_cost=False)
        return found if found is not None and len(found) <= most else None

    def _defining(self, step: Step, register: str, most: int, *, at_any_cost: bool) -> tuple[Step, ...] | None:
        """:meth:`definitions`; None if more than so many blocks are searched, or all searches took too long."""
        if register not in self.graph.writers:
            return ()
        nodes, written = self.graph.nodes, self.graph.written
        own, before = self._around(step, register)
        found, goes_on = _writes(own, register, 0, before)
        waiting = deque(nodes[step.node].predecessors if goes_on else ())
        seen = set(waiting)
        near = 0 if register in self._far else _NEAR
        while waiting:
            if len(seen) > near and len(self.graph.writers[register]) == 1:
                self._far.add(register)
                return self._far_definitions(step, register)
            if len(seen) > most:
                return None
            if not at_any_cost:
                self._left -= 1
                if self._left < 0:
                    self.has_given_up = True
                    return None
            number = waiting.popleft()
            if number == step.node:
                found += _writes(own, register, before, len(own))[0]
                continue
            if register in written[number]:
                naming_it = self.all_naming(number, register)
                more, goes_on = _writes(naming_it, register, 0, len(naming_it))
                found += more
                self._left -= 0 if at_any_cost else len(more)
                if not goes_on:
                    continue
            for earlier in nodes[number].predecessors:
                if earlier not in seen:
                    seen.add(earlier)
                    waiting.append(earlier)
        return tuple(found)

    def _far_definitions(self, step: Step, register: str) -> tuple[Step, ...]:
        """:meth:`definitions` of a register that one node writes: what counts is only whether that node leads here."""
        own, before = self._around(step, register)
        found, _ = _writes(own, register, 0, before)
        number = self.graph.writers[register][0]
        if self.graph.reachability.leads(number, step.node):
            others = own if number == step.node else self.all_naming(number, register)
            found += _writes(others, register, before if number == step.node else 0, len(others))[0]
        return tuple(found)

    def _around(self, step: Step, register: str) -> tuple[list[Step], int]:
        """The instructions of the node of ``step`` that name a register, and how many of them are before it.

        None if the node does not write the register.
        """
        if register not in self.graph.written[step.node]:
            return [], 0
        own = self.all_naming(step.node, register)
        return own, bisect_left(own, step.statement, key=_STATEMENT)

    def writing(self, number: int, register: str) -> list[Step]:
        """The instructions of a node that write a register, in order; found once for all that ask about it."""
        return [step for step in self.all_naming(number, register) if register in step.writes]

    def all_naming(self, number: int, register: str) -> list[Step]:
        """:meth:`naming` for a whole node, found once: long nodes can have many readers of one register."""
        found = self._naming.get((number, register))
        if found is None:
            found = self._naming[number, register] = [*self.naming(number, register)]
        return found


def _until(run: list[Step], stop: StepPredicate | None) -> tuple[list[Step], bool]:
    """The steps of ``run`` up to the first that stops, and whether none did."""
    if stop is not None:
        for position, step in enumerate(run):
            if stop(step):
                return run[: position + 1], False
    return run, True


def _writes(steps: list[Step], register: str, begin: int, end: int) -> tuple[list[Step], bool]:
    """The writes of a register that can count after ``steps[begin:end]``, last first, and whether none is sure."""
    found = []
    for at in range(end - 1, begin - 1, -1):  # a slice of thousands of steps would be copied
        step = steps[at]
        if register in step.writes or register in step.updates:
            found.append(step)
            if not step.guarded:
                return found, False
    return found, True
