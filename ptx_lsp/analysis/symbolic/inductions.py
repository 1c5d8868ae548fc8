"""Registers that a loop advances by the same in each iteration: their value is ``start + i * step`` in iteration ``i``.

It is proven for a register where control enters the loop with one value, and comes back to its header with the value of
the iteration before plus a step, on every back edge. The step is a sum whose values are all found before the loop.
"""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loop, Loops
from ptx_lsp.analysis.symbolic.arithmetic import applied, product
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant
from ptx_lsp.analysis.symbolic.symbolic_values import SymbolicValues, width_of
from ptx_lsp.analysis.symbolic.value_sources import GraphSources, MergePoint, Write
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.tree import Operand

_MOST_ITERATIONS = 1 << 63
_WIDE = 64
"""The bits of an address that is not computed from a register."""
_DEEPEST = 8
"""Operations in operations, and loops in loops, so deep are looked into."""


class Inductions:
    """Meetings of values at the headers of loops, and elsewhere, as expressions.

    Args:
        values: the values of a function by its graph.
        sources: the sources that ``values`` has.
        loops: the natural loops of the graph.

    """

    def __init__(self, values: SymbolicValues, sources: GraphSources, loops: Loops) -> None:
        self.values = values
        self._atoms = values.atoms
        self.sources = sources
        """The sources of its values, by the graph."""
        self._graph = sources.steps.graph
        self.loops = loops
        """The natural loops of the function."""
        self._solved: dict[MergePoint, LinearValue | None] = {}
        self._older: dict[tuple[int, int, int], bool] = {}
        self._addresses: dict[tuple[Chunk, int, int], LinearValue | None] = {}
        self._replacements: dict[tuple[int, int, int], LinearValue] = {}
        self._sums: dict[tuple[tuple[tuple[int, int], ...], int], LinearValue] = {}

    def address(self, context: StatementContext, operand: Operand) -> LinearValue | None:
        """The :meth:`resolved` value of an address of one part; found once for all that ask about an access."""
        return run_to_completion(self.finding_address(context, operand))

    def finding_address(self, context: StatementContext, operand: Operand) -> Generator[None, None, LinearValue | None]:
        """:meth:`address` in steps of a few milliseconds."""
        key = context.chunk, context.index, operand.first
        if key not in self._addresses:
            value = yield from self.values.finding_operand(context, operand)
            if value is not None:
                value = self.resolved(value, width_of(context.visible(context.word(operand.parts[0].name))) or _WIDE)
            self._addresses[key] = value
        return self._addresses[key]

    def resolved(self, value: LinearValue, width: int) -> LinearValue:
        """A value of some bits with expressions instead of the meetings in it, where these are known."""
        key = value.terms, width
        found = self._sums.get(key)  # the addresses of many accesses differ by a constant
        if found is None:
            found = self._sums[key] = self._resolved(LinearValue(0, value.terms), width, _DEEPEST)
        return found.plus(value.number, width)

    def step_of(self, meeting: MergePoint) -> int | None:
        """The constant by which a loop advances a register in each iteration; None if it is not proven."""
        loop = self._loop_at(meeting.node)
        found = self.solved(meeting) if loop is not None else None
        iteration = self._iteration(meeting.node)
        return dict(found.terms).get(iteration.terms[0][0]) if found is not None else None

    def solved(self, meeting: MergePoint) -> LinearValue | None:
        """The expression of the value with which control comes to a block; None if there is none."""
        if meeting not in self._solved:
            self._solved[meeting] = None  # while it is being found
            self._solved[meeting] = self._found(meeting)
        return self._solved[meeting]

    def _found(self, meeting: MergePoint) -> LinearValue | None:
        loop = self._loop_at(meeting.node)
        latches = loop.latches if loop is not None else ()
        reachable = self._graph.reachable
        before = self._graph.nodes[meeting.node].predecessors
        entries = [one for one in before if one not in latches and one in reachable]
        start = self._common(entries, meeting.register)
        if start is None or loop is None:
            return start
        own = self.values.of(meeting, self._context(meeting.node))
        step: LinearValue | None = None
        for latch in latches:
            value = self._at_end(latch, meeting.register)
            if value is None or own is None:
                return None
            distance = combined(value, own, -1)
            if step not in (None, distance):
                return None
            step = distance
        if step is None or step == constant(0) or not self._is_found_before(step, meeting.node, _DEEPEST):
            return None
        found, iteration = combined(start, self._iteration(meeting.node), step.number), self._iteration(meeting.node)
        for token, factor in step.terms:
            found = combined(found, product(self._atoms, iteration, LinearValue(0, ((token, 1),))), factor)
        return found

    def _is_found_before(self, value: LinearValue, header: int, depth: int) -> bool:
        """Whether all that a value depends on is found on every way to the header of a loop, and not in the loop."""
        return all(self._is_older(token, header, depth) for token, _ in value.terms)

    def _is_older(self, token: int, header: int, depth: int) -> bool:
        key = (token, header, depth)
        if key not in self._older:
            self._older[key] = self._found_older(token, header, depth)
        return self._older[key]

    def _found_older(self, token: int, header: int, depth: int) -> bool:
        atom = self._atoms.atom(token)
        if atom.is_fixed:
            return True
        source = self.values.origins.get(token)
        node: int | None = None
        if isinstance(source, MergePoint):
            node = source.node
        elif isinstance(source, Write):
            block = self._graph.node_at(source.chunk, source.statement)
            node = block.number if block is not None else None
        elif atom.kind is AtomKind.ITERATION and isinstance(atom.key, int):
            node = atom.key
        elif atom.operands:
            return depth > 0 and all(self._is_found_before(one, header, depth - 1) for one in atom.operands)
        return node is not None and node != header and self._graph.dominance.dominates(node, header)

    def _common(self, entries: list[int], register: str) -> LinearValue | None:
        """The value of a register at the end of some nodes, if it is the same."""
        found: LinearValue | None = None
        for entry in entries:
            value = self._at_end(entry, register)
            if value is None or (found is not None and value != found):
                return None
            found = value
        return found

    def _at_end(self, node: int, register: str) -> LinearValue | None:
        source = self.sources.at_end(node, register)
        return self.values.of(source, self._context(node)) if source is not None else None

    def _context(self, node: int) -> StatementContext:
        graph, block = self._graph, self._graph.nodes[node]
        return StatementContext(graph.module, graph.function, block.chunk, block.piece.start)

    def _loop_at(self, node: int) -> Loop | None:
        loop = self.loops.innermost(node)
        return loop if loop is not None and loop.header == node else None

    def _iteration(self, header: int) -> LinearValue:
        return self._atoms.value(Atom(AtomKind.ITERATION, header, 0, _MOST_ITERATIONS))

    # ------------------------------------------------------------------ replacing

    def _resolved(self, value: LinearValue, width: int, depth: int) -> LinearValue:
        found = constant(value.number)
        for token, factor in value.terms:
            found = combined(found, self._replaced(token, width, depth), factor)
        return found.reduced(width)

    def _replaced(self, token: int, width: int, depth: int) -> LinearValue:
        """An atom in a sum of some bits; ``width`` 0: the integer itself is needed. Many values share one."""
        key = (token, width, depth)
        if key not in self._replacements:
            self._replacements[key] = self._found_replacement(token, width, depth)
        return self._replacements[key]

    def _found_replacement(self, token: int, width: int, depth: int) -> LinearValue:
        atom = self._atoms.atom(token)
        plain = LinearValue(0, ((token, 1),))
        if not depth:
            return plain
        if atom.kind is AtomKind.MERGED:
            source = self.values.origins[token]
            own_width = self.values.widths[token]
            found = self.solved(source) if isinstance(source, MergePoint) else None
            if found is None:
                return plain
            found = self._resolved(found, own_width, depth - 1)
            return found if 0 < width <= own_width else self._atoms.unsigned(found, own_width)
        if not atom.operands or atom.is_fixed:
            return plain
        operands = tuple(self._integer(one, depth - 1) for one in atom.operands)
        return plain if operands == atom.operands else applied(self._atoms, atom, operands)

    def _integer(self, value: LinearValue, depth: int) -> LinearValue:
        """A sum that is an integer, not only equal to one modulo something."""
        found = constant(value.number)
        for token, factor in value.terms:
            found = combined(found, self._replaced(token, 0, depth), factor)
        return found
