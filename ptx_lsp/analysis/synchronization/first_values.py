"""The value of an operand when an instruction is executed for the first time, if it is the same on all paths.

In a loop whose every iteration executes the instruction, the first value comes from outside of the loop.
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loops
from ptx_lsp.analysis.symbolic.inductions import Inductions
from ptx_lsp.analysis.symbolic.linear_values import Unknowns, constant
from ptx_lsp.analysis.symbolic.value_sources import GraphSources, MergePoint, Source, Write
from ptx_lsp.analysis.synchronization.path_results import result_of
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

_MOST_SOURCES = 64
_Numbers = frozenset[int]
_NOTHING: _Numbers = frozenset()


class FirstValues:
    """First values in one function.

    Args:
        graph: its graph.
        expressions: the values of its registers, with the loops.

    """

    def __init__(self, graph: Graph, expressions: Inductions) -> None:
        self._graph = graph
        self._loops: Loops = expressions.loops
        self._sources: GraphSources = expressions.sources
        self._open: set[Source] = set()
        """Sources whose values are being found."""
        self._left = 0

    def of(self, step: Step, operand: Operand) -> int | None:
        """The value of an operand when ``step`` is executed first; None if it is not known, or differs by path."""
        graph = self._graph
        self._left = _MOST_SOURCES
        context = StatementContext(graph.module, graph.function, step.chunk, step.statement)
        found = self._of_operand(context, operand, step.node)
        return next(iter(found)) if found is not None and len(found) == 1 else None

    def _of_operand(self, context: StatementContext, operand: Operand, node: int) -> _Numbers | None:
        """The values that an operand may have before ``node`` is executed for the first time; None: unknown."""
        number = evaluate(context.statement, operand)
        if isinstance(number, int):
            return frozenset({number})
        if operand.kind is not OperandKind.NAME or operand.name < 0 or operand.sign or operand.selector:
            return None
        source = self._sources.before(context, context.word(operand.name))
        return None if source is None else self._of(source, context, node)

    def _of(self, source: Source, context: StatementContext, node: int) -> _Numbers | None:
        if source in self._open:
            return _NOTHING  # a value that comes round to itself adds none
        self._left -= 1
        if self._left < 0:
            return None
        self._open.add(source)
        found = self._written(source, node) if isinstance(source, Write) else self._met(source, context, node)
        self._open.discard(source)
        return found

    def _written(self, source: Write, node: int) -> _Numbers | None:
        """The result of an instruction; it is computed if its operands are known."""
        graph = self._graph
        context = StatementContext(graph.module, graph.function, source.chunk, source.statement)
        tree = context.instruction
        if tree is None or not source.is_sure or not tree.operands:
            return None
        result, *operands = tree.operands
        if result.kind is not OperandKind.NAME or context.word(result.name) != name_of(source.register):
            return None
        values = []
        for operand in operands:
            found = self._of_operand(context, operand, node)
            if found is None or len(found) != 1:
                return None
            values.append(constant(next(iter(found))))
        made = result_of(tree.opcode, values, Unknowns())
        return frozenset({made.number}) if made is not None and not made.terms else None

    def _met(self, source: MergePoint, context: StatementContext, node: int) -> _Numbers | None:
        """The values that come to a block, but for those of later iterations of a loop around ``node``."""
        sources, graph = self._sources, self._graph
        loop = self._loops.innermost(source.node)
        latches: tuple[int, ...] = ()
        if loop is not None and loop.header == source.node and self._loops.contains(loop, node):
            latches = tuple(one for one in loop.latches if graph.dominance.dominates(node, one))
        found: set[int] = set()
        for before in graph.nodes[source.node].predecessors:
            if before in latches or before not in graph.reachable:
                continue
            last = sources.at_end(before, source.register)
            values = None if last is None else self._of(last, context, node)
            if values is None:
                return None
            found |= values
        return frozenset(found)
