"""Indices of rings of stages: registers that are incremented and begin again at the last stage.

``add %i1, %i, 1; setp.eq %p, %i1, 3; selp %i, 0, %i1, %p`` counts from 0 to 2.
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbolic.symbolic_values import SymbolicValues
from ptx_lsp.analysis.symbolic.value_sources import MergePoint, Source, Write
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_MOST_STAGES = 64
"""More stages than a kernel has."""
_MOST_SOURCES = 40
"""So many writes are looked at for one index."""
_WHEN_TRUE = frozenset({".ne", ".lt", ".le", ".lo", ".ls"})
"""Comparisons that are true as long as the index is not at its end."""
_LAST = {".eq": -1, ".ne": -1, ".ge": -1, ".hs": -1, ".lt": -1, ".lo": -1, ".gt": 0, ".hi": 0, ".le": 0, ".ls": 0}
"""The distance of the last index from the number that it is compared with."""


class RingRange(NamedTuple):
    """The first and the last stage."""

    first: int
    last: int


class RingIndices:
    """The indices of the rings of one function.

    Args:
        steps: its instructions.
        values: the values of its registers.

    """

    def __init__(self, steps: Steps, values: SymbolicValues) -> None:
        self._steps = steps
        self._values = values
        self._known: dict[int, RingRange | None] = {}

    def of(self, token: int) -> RingRange | None:
        """The stages that an unknown thing counts; None if it is no such index."""
        if token not in self._known:
            self._known[token] = self._found(token)
        return self._known[token]

    def _found(self, token: int) -> RingRange | None:
        atom = self._values.atoms.atom(token)
        if atom.least >= 0 and atom.most < _MOST_STAGES:
            return RingRange(atom.least, atom.most)
        if (stages := self._stages_of_remainder(token)) is not None:
            return stages
        starts: set[int] = set()
        lasts: set[int] = set()
        waiting, seen = [token], {token}
        left = _MOST_SOURCES
        while waiting:
            source = self._values.origins.get(waiting.pop())
            writes = self._writes(source)
            left -= len(writes)
            if not writes or left < 0:
                return None
            for one in writes:
                values = self._written(one, lasts)
                if values is None:
                    return None
                for value in values:
                    if not value.terms:
                        starts.add(value.number)
                    elif value.number or len(value.terms) > 1 or value.terms[0][1] != 1:
                        return None
                    elif value.terms[0][0] not in seen:
                        seen.add(value.terms[0][0])
                        waiting.append(value.terms[0][0])
        if not starts or len(lasts) != 1:
            return None
        first, last = min(starts), max(lasts)
        return RingRange(first, last) if 0 <= first <= max(starts) <= last < first + _MOST_STAGES else None

    def _stages_of_remainder(self, token: int) -> RingRange | None:
        """The stages of a remainder whose sign is not known; an index is not negative."""
        source = self._values.origins.get(token)
        if not isinstance(source, Write) or not source.is_sure:
            return None
        context = self._context(source)
        tree = context.instruction
        if tree is None or tree.opcode[0] != "rem" or len(tree.operands) != 3:
            return None
        divisor = self._values.operand(context, tree.operands[2])
        is_known = divisor is not None and not divisor.terms and 1 < divisor.number <= _MOST_STAGES
        return RingRange(0, divisor.number - 1) if divisor is not None and is_known else None

    def _context(self, write: Write) -> StatementContext:
        graph = self._steps.graph
        return StatementContext(graph.module, graph.function, write.chunk, write.statement)

    def _writes(self, source: Source | None) -> list[Write]:
        """The writes that may have left a value."""
        if isinstance(source, Write):
            return [source]
        found: list[Write] = []
        if isinstance(source, MergePoint):
            register = source.register
            for node in self._steps.graph.writers.get(register, ()):
                for step in self._steps.naming(node, register):
                    if register in step.updates:
                        return []
                    if register in step.writes:
                        found.append(Write(step.chunk, step.statement, register, not step.guarded))
                if len(found) > _MOST_SOURCES:
                    return []
        return found

    def _written(self, write: Write, lasts: set[int]) -> list[LinearValue] | None:
        """The values of which a write leaves one; None if they are not known. The last stage is added to ``lasts``."""
        context = self._context(write)
        tree = context.instruction
        if tree is None or not tree.operands or not _is_name(context, tree.operands[0], name_of(write.register)):
            return None
        if tree.opcode[0] == "selp" and len(tree.operands) == 4:
            return self._chosen(context, tree, lasts)
        if tree.opcode[0] == "mov" and len(tree.operands) == 2:
            value = self._values.operand(context, tree.operands[1])
        else:
            value = self._values.of(write, context)
        return None if value is None or (value.terms and self._is_plain_result(value, write)) else [value]

    def _is_plain_result(self, value: LinearValue, write: Write) -> bool:
        """Whether nothing is known of a value but which instruction left it."""
        return len(value.terms) == 1 and self._values.origins.get(value.terms[0][0]) == write

    def _chosen(self, context: StatementContext, tree: Instruction, lasts: set[int]) -> list[LinearValue] | None:
        """The start of a ring and the index before, of ``selp`` that begins again after the last stage."""
        compared = self._comparison(context, tree.operands[3])
        values = [self._values.operand(context, one) for one in tree.operands[1:3]]
        if compared is None:
            return None
        word, index, end = compared
        again, following = reversed(values) if word in _WHEN_TRUE else values
        if again is None or following is None or again.terms or len(following.terms) != 1:
            return None
        ahead = following.distance(index)
        token, factor = following.terms[0]
        if ahead is None or factor != 1 or following.number != 1 or ahead not in (0, 1):
            return None
        lasts.add(end + ahead + _LAST[word])
        return [again, LinearValue(0, ((token, 1),))]

    def _comparison(self, context: StatementContext, operand: Operand) -> tuple[str, LinearValue, int] | None:
        """The comparison that a predicate is: its word, the value, and the number that this is compared with."""
        if operand.kind is not OperandKind.NAME or operand.name < 0 or operand.sign:
            return None
        source = self._values.sources.before(context, context.word(operand.name))
        if not isinstance(source, Write) or not source.is_sure:
            return None
        inside = StatementContext(context.module, context.function, source.chunk, source.statement)
        tree = inside.instruction
        if tree is None or len(tree.opcode) != 3 or tree.opcode[0] != "setp" or len(tree.operands) != 3:
            return None
        if tree.opcode[1] not in _LAST or tree.operands[0].pair is not None:
            return None
        index, end = (self._values.operand(inside, one) for one in tree.operands[1:])
        return (tree.opcode[1], index, end.number) if index and end and index.terms and not end.terms else None


def _is_name(context: StatementContext, operand: Operand, name: str) -> bool:
    return operand.kind is OperandKind.NAME and operand.name >= 0 and context.word(operand.name) == name
