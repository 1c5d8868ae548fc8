"""Numbers of iterations of loops, where one comparison decides it whose operands are known in each iteration."""

from __future__ import annotations

from collections.abc import Mapping

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loop
from ptx_lsp.analysis.symbolic.atoms import AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import Line, LinearValue
from ptx_lsp.analysis.symbolic.predicate_series import PredicateSeries
from ptx_lsp.analysis.symbolic.predicates import IntegerComparison, Predicates
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

_MOST_TRIPS = 1024
"""Loops with more iterations are not counted."""
_MOST_LOOKS = 1 << 12
"""So many iterations are looked at in all loops of a function, for all threads."""
_LOOKED_AT = (8, 64, 512)
"""So many iterations are looked at first: most values that are no lines are lists with a number for each."""
_NEVER = 1 << 64
"""More iterations than any loop has."""
_OPPOSITES = ((".eq", ".ne"), (".lt", ".ge"), (".le", ".gt"), (".lo", ".hs"), (".ls", ".hi"))
_OPPOSITE = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}
_COUNTED = (AtomKind.SPECIAL, AtomKind.ITERATION)


class _Sum(NamedTuple):
    """A sum of special registers and of the iterations of loops."""

    number: int
    parts: tuple[tuple[str | int, int], ...]
    """The names of the registers and the headers of the loops, with their factors."""

    def along(self, loop: int, numbers: Mapping[str | int, int]) -> Line | None:
        """The sum in the iterations of a loop; None if something else in it has no number."""
        start, step = self.number, 0
        for key, factor in self.parts:
            if key == loop:
                step += factor
            elif key in numbers:
                start += factor * numbers[key]
            else:
                return None
        return Line(start, step)


class ComparedLines(NamedTuple):
    """A comparison of two sums that grow by the same in each iteration: a division says when its result changes."""

    word: str
    smallest: int
    """The least integer of the type that is compared."""
    whole: int
    """The number of integers of this type."""
    one: _Sum
    other: _Sum

    @classmethod
    def of(cls, compared: IntegerComparison, atoms: Atoms) -> ComparedLines | None:
        """A comparison as one of lines; None if there is anything else in its operands."""
        one, other = (_sum(value, atoms) for value in (compared.one, compared.other))
        if one is None or other is None:
            return None
        whole = 1 << compared.width
        return cls(compared.word, -(whole >> 1) if compared.is_signed else 0, whole, one, other)

    def first(self, loop: int, numbers: Mapping[str | int, int], count: int, *, result: bool) -> int | None:
        """The first iteration of a loop in which the comparison has a result; a large number if there is none.

        None if that is not known, or if an operand leaves the range of its type in the first ``count`` iterations.
        """
        one, other = (self._within(each.along(loop, numbers), count) for each in (self.one, self.other))
        if one is None or other is None:
            return None
        start, step = one.start - other.start, one.step - other.step
        match self.word if result else _OPPOSITE[self.word]:
            case ".gt" | ".hi":
                return _first_above(start, step)
            case ".ge" | ".hs":
                return _first_above(start + 1, step)
            case ".lt" | ".lo":
                return _first_above(-start, -step)
            case ".le" | ".ls":
                return _first_above(1 - start, -step)
            case ".eq":
                is_met = step and not start % step and start // step <= 0
                return -(start // step) if is_met else _NEVER if start else 0
        return 0 if start else 1 if step else _NEVER

    def _within(self, line: Line | None, count: int) -> Line | None:
        """The integers of the type that are equal to those of a line modulo its width, if they are a line too."""
        if line is None:
            return None
        start = (line.start - self.smallest) % self.whole
        step = (line.step + self.whole // 2) % self.whole - self.whole // 2
        return Line(start + self.smallest, step) if 0 <= start + (count - 1) * step < self.whole else None


def _sum(value: LinearValue, atoms: Atoms) -> _Sum | None:
    parts = []
    for token, factor in value.terms:
        atom = atoms.atom(token)
        if atom.kind not in _COUNTED or not isinstance(atom.key, (str, int)):
            return None
        parts.append((atom.key, factor))
    return _Sum(value.number, tuple(parts))


def _first_above(start: int, step: int) -> int:
    """The least ``i`` from 0 with ``start + i * step > 0``; a large number if there is none.

    >>> _first_above(-6, 3), _first_above(-5, 3), _first_above(1, -1), _first_above(0, 0) == _NEVER
    (3, 2, 0, True)
    """
    if start > 0:
        return 0
    return -start // step + 1 if step > 0 else _NEVER


class LoopExit:
    """The only jump that can end a loop."""

    __slots__ = ("contents", "context", "is_of_lines", "lines", "node", "source", "stays")

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
        self.lines = ComparedLines.of(compared, predicates.atoms) if isinstance(compared, IntegerComparison) else None
        """The comparison, if it is known of what the sums are."""


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
        self._before_ends: dict[tuple[int, int], bool | None] = {}

    def last_iteration(self, loop: Loop, node: int, numbers: dict[str | int, int]) -> int | None:
        """The greatest iteration, from 0, in which a node of a loop is executed; None if that is not proven.

        Args:
            loop: the loop.
            node: the number of the node; it must be on the way of each iteration.
            numbers: the special registers of the thread, and the iterations of the loops around.

        """
        found = self._exit_of(loop)
        before_end = self._before_end(loop, node) if found is not None else None
        if found is None or before_end is None:
            return None
        given = {key: numbers[key] for key in found.contents if key in numbers and key != loop.header}
        key = (loop.header, tuple(given.items()))
        if key not in self._counts:
            self._counts[key] = self._first_exit(loop.header, found, given)
        count = self._counts[key]
        return None if count is None else count if before_end else count - 1

    def _before_end(self, loop: Loop, node: int) -> bool | None:
        """Whether a node is executed in the iteration too in which control leaves a loop; None if not in each one."""
        key = loop.header, node
        if key not in self._before_ends:
            found, dominance = self._exit_of(loop), self._graph.dominance
            is_passed = all(dominance.dominates(node, latch) for latch in loop.latches)
            is_after = found is not None and node != found.node and dominance.dominates(found.node, node)
            self._before_ends[key] = not is_after if is_passed else None
        return self._before_ends[key]

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
        first = found.lines.first(header, given, end, result=not found.stays) if found.lines is not None else None
        if first is not None:
            self._left -= min(first + 1, end)
            return first if first < end else None
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
