"""Numbers of iterations of loops, where one comparison decides it whose operands are known in each iteration."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loop
from ptx_lsp.analysis.symbolic.linear_values import Line
from ptx_lsp.analysis.symbolic.predicate_series import PredicateSeries
from ptx_lsp.analysis.symbolic.predicates import Predicates
from ptx_lsp.analysis.symbolic.value_sources import Source
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

_MOST_TRIPS = 1024
"""Loops with more iterations are not counted."""
_MOST_LOOKS = 1 << 12
"""So many iterations are looked at in all loops of a function, for all threads."""
_LOOKED_AT = (8, 64, 512)
"""So many iterations are looked at first: most values that are no lines are lists with a number for each."""


class LoopExit:
    """The only jump that can end a loop."""

    __slots__ = ("node", "stays")

    def __init__(self, node: int, *, stays: bool) -> None:
        self.node = node
        self.stays = stays
        """The value of its predicate, without its negation, with which the loop continues."""


class TripCounts:
    """The iterations of the loops of one function.

    Args:
        graph: its graph.
        predicates: its predicates.

    """

    def __init__(self, graph: Graph, predicates: Predicates) -> None:
        self._graph = graph
        self._predicates = predicates
        self._left = _MOST_LOOKS
        self._exits: dict[int, LoopExit | None] = {}
        self._counts: dict[tuple[int, tuple[tuple[str | int, int], ...]], int | None] = {}

    def last_iteration(self, loop: Loop, node: int, numbers: dict[str | int, int]) -> int | None:
        """The greatest iteration, from 0, in which a node of a loop is executed; None if that is not proven.

        Args:
            loop: the loop.
            node: the number of the node; it must be on the way of each iteration.
            numbers: the special registers of the thread, and the iterations of the loops around.

        """
        if loop.header not in self._exits:
            self._exits[loop.header] = self._exit(loop)
        found = self._exits[loop.header]
        dominance = self._graph.dominance
        if found is None or not all(dominance.dominates(node, latch) for latch in loop.latches):
            return None
        key = (loop.header, tuple(sorted(numbers.items(), key=str)))
        if key not in self._counts:
            self._counts[key] = self._first_exit(loop, found, numbers)
        count = self._counts[key]
        if count is None:
            return None
        is_after = node != found.node and dominance.dominates(found.node, node)
        return count - 1 if is_after else count

    def _exit(self, loop: Loop) -> LoopExit | None:
        """The only jump that leaves a loop, if each iteration passes it."""
        inside = set(loop.all_nodes())
        found: LoopExit | None = None
        for number in sorted(inside):
            node = self._graph.nodes[number]
            if node.piece.control is Control.LEAVE or node.is_table:
                return None
            if all(one in inside for one in node.successors):
                continue
            tree = SHAPES[node.chunk.shapes[node.piece.end - 1]].tree
            if found is not None or len(node.successors) != 2 or not isinstance(tree, Instruction) or not tree.guard:
                return None
            taken = next(one for one in node.successors if one != number + 1)
            found = LoopExit(number, stays=(taken in inside) is not tree.guard.negated)
        if found is None or not all(self._graph.dominance.dominates(found.node, latch) for latch in loop.latches):
            return None
        return found

    def _first_exit(self, loop: Loop, found: LoopExit, numbers: dict[str | int, int]) -> int | None:
        """The iteration in which control leaves the loop."""
        node = self._graph.nodes[found.node]
        last = node.piece.end - 1
        context = StatementContext(self._graph.module, self._graph.function, node.chunk, last)
        source = self._predicates.guard(context)
        if source is None:
            return None
        end = min(_MOST_TRIPS, self._left)
        for count in (*(one for one in _LOOKED_AT if one < end), end):
            changes, unknown = self._changes(source, context, found, (count, loop.header, numbers))
            if changes or unknown:
                first = ((changes | unknown) & -(changes | unknown)).bit_length() - 1
                self._left -= first + 1
                return first if changes >> first & 1 else None
        self._left -= end
        return None

    def _changes(
        self,
        source: Source,
        context: StatementContext,
        found: LoopExit,
        places: tuple[int, int, dict[str | int, int]],
    ) -> tuple[int, int]:
        """The first iterations in which control leaves a loop, and those in which that is not known, as bits."""
        count, header, numbers = places
        given = {key: Line(number, 0) for key, number in numbers.items()}
        series = PredicateSeries(self._predicates, count, {**given, header: Line(0, 1)})
        truth = series.truth(source, context)
        unknown = ((1 << count) - 1) & ~(truth.holds | truth.fails)
        return truth.fails if found.stays else truth.holds, unknown
