"""Numbers of iterations of loops, where one comparison decides it whose operands are known in each iteration."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loop
from ptx_lsp.analysis.symbolic.linear_values import Line
from ptx_lsp.analysis.symbolic.predicate_series import PredicateSeries
from ptx_lsp.analysis.symbolic.predicates import IntegerComparison, Predicates
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

    __slots__ = ("contents", "context", "is_of_lines", "node", "source", "stays")

    def __init__(self, node: int, context: StatementContext, predicates: Predicates, *, stays: bool) -> None:
        self.node = node
        self.stays = stays
        """The value of its predicate, without its negation, with which the loop continues."""
        self.context = context
        self.source = predicates.guard(context)
        """The source of its predicate."""
        self.contents = predicates.contents(self.source, context)
        """The special registers and loops on which it depends what is known of it."""
        compared = predicates.definition(self.source, context) if self.source is not None else None
        values = (compared.one, compared.other) if isinstance(compared, IntegerComparison) else ()
        self.is_of_lines = bool(values) and not any(
            predicates.atoms.atom(token).operands for value in values for token, _ in value.terms
        )
        """Whether it compares sums of registers and counters, so that all iterations are compared at once."""


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
        self._counts: dict[tuple[int, frozenset[tuple[str | int, int]]], int | None] = {}

    def last_iteration(self, loop: Loop, node: int, numbers: dict[str | int, int]) -> int | None:
        """The greatest iteration, from 0, in which a node of a loop is executed; None if that is not proven.

        Args:
            loop: the loop.
            node: the number of the node; it must be on the way of each iteration.
            numbers: the special registers of the thread, and the iterations of the loops around.

        """
        found = self._exit_of(loop)
        dominance = self._graph.dominance
        if found is None or not all(dominance.dominates(node, latch) for latch in loop.latches):
            return None
        given = {key: numbers[key] for key in found.contents if key in numbers and key != loop.header}
        key = (loop.header, frozenset(given.items()))
        if key not in self._counts:
            self._counts[key] = self._first_exit(loop.header, found, given)
        count = self._counts[key]
        if count is None:
            return None
        is_after = node != found.node and dominance.dominates(found.node, node)
        return count - 1 if is_after else count

    def contents(self, loop: Loop) -> frozenset[str | int]:
        """The special registers and the headers of the loops on which the iterations of a loop depend."""
        found = self._exit_of(loop)
        return frozenset() if found is None else found.contents

    def _exit_of(self, loop: Loop) -> LoopExit | None:
        if loop.header not in self._exits:
            self._exits[loop.header] = self._exit(loop)
        return self._exits[loop.header]

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
            last = node.piece.end - 1
            tree = SHAPES[node.chunk.shapes[last]].tree
            if found is not None or len(node.successors) != 2 or not isinstance(tree, Instruction) or not tree.guard:
                return None
            taken = next(one for one in node.successors if one != number + 1)
            context = StatementContext(self._graph.module, self._graph.function, node.chunk, last)
            found = LoopExit(number, context, self._predicates, stays=(taken in inside) is not tree.guard.negated)
        if found is None or not all(self._graph.dominance.dominates(found.node, latch) for latch in loop.latches):
            return None
        return found

    def _first_exit(self, header: int, found: LoopExit, given: dict[str | int, int]) -> int | None:
        """The iteration in which control leaves the loop."""
        if found.source is None:
            return None
        end = min(_MOST_TRIPS, self._left)
        for count in (*(one for one in _LOOKED_AT if one < end and not found.is_of_lines), end):
            changes, unknown = self._changes(found, count, header, given)
            if changes or unknown:
                first = ((changes | unknown) & -(changes | unknown)).bit_length() - 1
                self._left -= first + 1
                return first if changes >> first & 1 else None
        self._left -= end
        return None

    def _changes(self, found: LoopExit, count: int, header: int, given: dict[str | int, int]) -> tuple[int, int]:
        """The first iterations in which control leaves a loop, and those in which that is not known, as bits."""
        numbers: dict[str | int, Line | list[int]] = {key: Line(number, 0) for key, number in given.items()}
        numbers[header] = Line(0, 1)
        truth = PredicateSeries(self._predicates, count, numbers).truth(found.source, found.context)
        unknown = ((1 << count) - 1) & ~(truth.holds | truth.fails)
        return truth.fails if found.stays else truth.holds, unknown
