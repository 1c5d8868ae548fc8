"""Single instructions of a graph, and which lie before, after or between others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ptx_lsp.analysis.flow.effects import words
from ptx_lsp.analysis.flow.graph import Graph, Node
from ptx_lsp.analysis.symbols import Place
from ptx_lsp.analysis.use import Use
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES


class Step(NamedTuple):
    """One instruction."""

    node: int
    chunk: Chunk
    statement: int
    opcode: tuple[str, ...]
    reads: tuple[str, ...]
    """The registers that it reads, as :meth:`Graph.register` names them; other names are among them too."""
    writes: tuple[str, ...]
    updates: tuple[str, ...]
    guarded: bool

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.chunk, self.statement, 0)


Wanted = Callable[[Step], bool]


class Steps:
    """The instructions of a function by node."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._of: dict[int, list[Step]] = {}

    def of(self, number: int) -> list[Step]:
        """The instructions of a node, in order."""
        found = self._of.get(number)
        if found is None:
            found = self._of[number] = list(self._made(self.graph.nodes[number]))
        return found

    def _made(self, node: Node) -> Iterator[Step]:
        graph, chunk = self.graph, node.chunk
        for index in range(node.piece.start, node.piece.end):
            if chunk.kinds[index] != Kind.INSTRUCTION:
                continue
            effect = graph.effects.of(chunk, index)
            found = words(chunk.part(index))
            reads, writes, updates = (
                tuple(graph.register(found[at], node.scope) for at in places)
                for places in (effect.reads, effect.writes, effect.updates)
            )
            opcode = SHAPES[chunk.shapes[index]].opcode
            yield Step(node.number, chunk, index, opcode, reads, writes, updates, effect.guarded)

    def all(self, opcodes: frozenset[str]) -> Iterator[Step]:
        """The instructions whose opcode begins with one of some words, in the order of the text."""
        wanted = {
            number
            for chunk in self.graph.function.chunks
            for number in set(chunk.shapes)
            if SHAPES[number].opcode[:1] and SHAPES[number].opcode[0] in opcodes
        }
        if not wanted:
            return
        for node in self.graph.nodes:
            if not wanted.isdisjoint(node.chunk.shapes[node.piece.start : node.piece.end]):
                yield from (step for step in self.of(node.number) if step.opcode[0] in opcodes)

    def use(self, step: Step) -> Use:
        """The statement of a step in its surroundings: operands, form, scope."""
        return Use(self.graph.module, self.graph.function, step.chunk, step.statement)

    def after(self, step: Step, stop: Wanted | None = None) -> Iterator[Step]:
        """The instructions that can be executed after ``step``, each once, nearest first.

        Behind an instruction that ``stop`` is true of the search does not go on (it is yielded itself).
        ``step`` is among them if it lies in a loop.
        """
        yield from self._search(step, stop, forward=True)

    def before(self, step: Step, stop: Wanted | None = None) -> Iterator[Step]:
        """The instructions that can be executed before ``step``, each once, nearest first; ``stop`` as above."""
        yield from self._search(step, stop, forward=False)

    def _search(self, step: Step, stop: Wanted | None, *, forward: bool) -> Iterator[Step]:
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

    def leads_out(self, step: Step, stop: Wanted) -> bool:
        """Whether some path from ``step`` leaves the function without an instruction that ``stop`` is true of."""
        own = self.of(step.node)
        if any(map(stop, own[own.index(step) + 1 :])):
            return False
        waiting = [step.node]
        seen = {step.node}
        while waiting:
            node = self.graph.nodes[waiting.pop()]
            last = self.of(node.number)[-1:]
            if node.number == self.graph.falls_off or (last and last[0].opcode[0] in ("ret", "exit")):
                return True
            for number in node.successors:
                if number not in seen:
                    seen.add(number)
                    if not any(map(stop, self.of(number))):
                        waiting.append(number)
        return False


def _until(run: list[Step], stop: Wanted | None) -> tuple[list[Step], bool]:
    """The steps of ``run`` up to the first that stops, and whether none did."""
    if stop is not None:
        for position, step in enumerate(run):
            if stop(step):
                return run[: position + 1], False
    return run, True
