"""Sources of the values of registers: a write, or the start of a block where ways with several values meet.

This is static single assignment on demand: nothing is renamed, and only what is asked for is looked at. What a source
left is the same value wherever it is the source, since every path to the place passes it after all other writes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Set
from operator import attrgetter

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.definitions import Definitions, RegisterDefinition, straight_between
from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk

_MOST_MEETINGS = 32
_MOST_WRITES = 8
_MOST_NODES = 4000
"""So many nodes are looked at between a block and its dominator; then the block is the source."""
_MOST_WALKS = 64
"""The walks over them to so many nodes are kept."""


class Write(NamedTuple):
    """An instruction that writes a register; the source of its value once it is executed."""

    chunk: Chunk
    statement: int
    register: str
    is_sure: bool
    """Whether it gives the register a new value: no guard keeps it from being executed, and it is no accumulation."""


class MergePoint(NamedTuple):
    """The start of a block to which control comes with different values of a register."""

    node: int
    register: str


Source = Write | MergePoint


_STATEMENT = attrgetter("statement")


class ValueSources(ABC):
    """The sources of values in one function."""

    @abstractmethod
    def before(self, context: StatementContext, name: str) -> Source | None:
        """The source of the value that a register has before a statement; None if that is not known."""

    @abstractmethod
    def after(self, context: StatementContext, name: str) -> Write | None:
        """The write of a register that a statement itself is."""


class GraphSources(ValueSources):
    """Sources by the control-flow graph."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self._graph: Graph = steps.graph
        self._known: dict[tuple[int, str], Source | None] = {}
        self._writes: dict[tuple[int, str], list[Write]] = {}
        self._writing: dict[str, frozenset[int]] = {}
        """The nodes that write registers."""
        self._between: dict[int, _NodesBetween] = {}

    def before(self, context: StatementContext, name: str) -> Source | None:
        """The source before a statement; None also in code to which control does not come."""
        node = self._graph.node_at(context.chunk, context.index)
        if node is None or node.number not in self._graph.reachable:
            return None
        key = self._graph.registers.key(name, node.scope)
        return self._last(node.number, key, context.index) or self.at_start(node.number, key)

    def after(self, context: StatementContext, name: str) -> Write | None:
        """The write that a statement is."""
        node = self._graph.node_at(context.chunk, context.index)
        if node is None or node.number not in self._graph.reachable:
            return None
        key = self._graph.registers.key(name, node.scope)
        step = self.steps.at(node.number, context.index)
        return _write(step, key) if key in step.writes or key in step.updates else None

    def at_end(self, node: int, register: str) -> Source | None:
        """The source of the value of a register at the end of a node."""
        return self._last(node, register) or self.at_start(node, register)

    def at_start(self, node: int, register: str) -> Source | None:
        """The source of the value of a register at the start of a node; None if nothing may have written it."""
        if (node, register) not in self._known:
            self._known[node, register] = self._found(node, register)
        return self._known[node, register]

    def _found(self, node: int, register: str) -> Source | None:
        graph = self._graph
        writers = graph.writers.get(register, [])
        if not writers:
            return None
        dominance = graph.dominance
        if len(writers) == 1 and writers[0] != node and dominance.dominates(writers[0], node):
            return self._last(writers[0], register)
        others = self._writing.get(register)
        if others is None:
            others = self._writing[register] = frozenset(writers)
        passed: list[int] = []
        while (node, register) not in self._known:
            passed.append(node)
            above = dominance.immediate(node)
            if above is None:
                # At the start of the function, which may be a loop itself, the register has no value yet.
                self._known[node, register] = MergePoint(node, register) if graph.nodes[node].predecessors else None
            elif self._may_be_written_between(above, node, others):
                self._known[node, register] = MergePoint(node, register)
            elif above in others:
                self._known[node, register] = self._last(above, register)
            else:
                node = above
        found = self._known[node, register]
        self._known.update(dict.fromkeys(((one, register) for one in passed), found))
        return found

    def _may_be_written_between(self, above: int, node: int, writers: Set[int]) -> bool:
        """Whether a way from the immediate dominator of a node to it passes one that writes; also if it is too long."""
        between = self._between.get(node)
        if between is None:
            if len(self._between) >= _MOST_WALKS:
                self._between.clear()
            between = self._between[node] = _NodesBetween(self._graph, above, node)
        return between.may_have(writers)

    def _last(self, node: int, register: str, end: int | None = None) -> Write | None:
        """The last write of a register in a node, before a statement of it if one is given."""
        if register not in self._graph.written[node]:
            return None
        writes = self._writes.get((node, register))
        if writes is None:
            naming = self.steps.naming(node, register)
            steps = [step for step in naming if register in step.writes or register in step.updates]
            writes = self._writes[node, register] = [_write(step, register) for step in steps]
        before = len(writes) if end is None else bisect_left(writes, end, key=_STATEMENT)
        return writes[before - 1] if before else None


class _NodesBetween:
    """The nodes on the ways from the immediate dominator of a node to it, found as far as someone asks for them.

    All registers that are read at a node ask about the same ways.
    """

    def __init__(self, graph: Graph, above: int, node: int) -> None:
        self._nodes = graph.nodes
        self._above = above
        self._found: set[int] = set()
        self._waiting = [node]
        self._left = _MOST_NODES

    def may_have(self, wanted: Set[int]) -> bool:
        """Whether one of some nodes is among them; also if there are too many."""
        found, above = self._found, self._above
        if not found.isdisjoint(wanted):
            return True
        while self._waiting and self._left:
            self._left -= 1
            is_found = False
            for before in self._nodes[self._waiting.pop()].predecessors:
                if before != above and before not in found:
                    found.add(before)
                    self._waiting.append(before)
                    is_found = is_found or before in wanted
            if is_found:
                return True
        return bool(self._waiting)


def _write(step: Step, register: str) -> Write:
    return Write(step.chunk, step.statement, register, not step.guarded and register not in step.updates)


def writes_that_meet(sources: GraphSources, meeting: MergePoint) -> list[Write]:
    """The writes one of which left what a register holds at the start of a block.

    Empty if there are too many, on some way there is none, or one may not be executed.
    """
    graph = sources.steps.graph
    waiting, seen = [meeting], {meeting}
    found: dict[Write, None] = {}
    while waiting:
        one = waiting.pop()
        for before in graph.nodes[one.node].predecessors:
            if before not in graph.reachable:
                continue
            source = sources.at_end(before, one.register)
            if source is None or (isinstance(source, Write) and not source.is_sure):
                return []
            if isinstance(source, Write):
                found[source] = None
            elif source not in seen:
                seen.add(source)
                waiting.append(source)
            if len(seen) > _MOST_MEETINGS or len(found) > _MOST_WRITES:
                return []
    return list(found)


def has_the_guard_of(write: Write, context: StatementContext) -> bool:
    """Whether a statement is executed only where a write above it in a straight line was, which has the same guard."""
    made = StatementContext(context.module, context.function, write.chunk, write.statement)
    one, other = (tree.guard if (tree := each.instruction) is not None else None for each in (made, context))
    if one is None or other is None or one.negated != other.negated:
        return False
    name = made.word(one.name)
    if name != context.word(other.name):
        return False
    between = straight_between(context.function, write.chunk, write.statement, context.chunk, context.index)
    return between is not None and not any(
        name in words(run.chunk.part(at))
        for run in between
        for at in range(run.first, run.end)
        if (run.chunk, at) != (write.chunk, write.statement)
    )


class TextSources(ValueSources):
    """Sources by the text alone, for long functions: the write above in a straight line, or the only write.

    Where the only write does not come first on every path, the register has no value before it.
    """

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions

    def before(self, context: StatementContext, name: str) -> Source | None:
        """The source before a statement."""
        register = self._definitions.register(name, context.chunk, context.index)
        if register is None:
            return None
        nearest = self._definitions.nearest(register, context.chunk, context.index)
        found = nearest or self._definitions.only(register)
        return _of_definition(found, register.key) if found is not None else None

    def after(self, context: StatementContext, name: str) -> Write | None:
        """The write that a statement is."""
        register = self._definitions.register(name, context.chunk, context.index)
        if register is None:
            return None
        for one in self._definitions.within(register, context.chunk, context.index, context.index + 1):
            return _of_definition(one, register.key)
        return None


def _of_definition(one: RegisterDefinition, key: str) -> Write:
    return Write(one.chunk, one.statement, key, not one.guarded and one.is_known)


def register_name(source: Source) -> str:
    """The name of the register of a source."""
    return name_of(source.register)
