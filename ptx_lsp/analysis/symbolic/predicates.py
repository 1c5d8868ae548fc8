"""Predicates of jumps and guards: what is known of them for one thread."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ptx_lsp.analysis.dataflow.operations import integer_types
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbolic.inductions import Inductions
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.symbolic.substitution import Substitution
from ptx_lsp.analysis.symbolic.value_sources import Source, Write
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_DEEPEST = 6
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    ".eq": operator.eq,
    ".ne": operator.ne,
    ".lt": operator.lt,
    ".le": operator.le,
    ".gt": operator.gt,
    ".ge": operator.ge,
    ".lo": operator.lt,
    ".ls": operator.le,
    ".hi": operator.gt,
    ".hs": operator.ge,
}
_UNSIGNED = frozenset({".lo", ".ls", ".hi", ".hs"})


class IntegerComparison(NamedTuple):
    """``setp`` of two integers."""

    word: str
    """The comparison: ``.lt``."""
    is_signed: bool
    width: int
    one: LinearValue
    other: LinearValue


class Predicates:
    """The predicates of one function.

    Args:
        expressions: the values of its registers.

    """

    def __init__(self, expressions: Inductions) -> None:
        self._expressions = expressions
        self._values = expressions.values
        self.atoms = expressions.values.atoms
        """The unknown things in what is compared."""
        self._known: dict[Source, IntegerComparison | tuple[str, tuple[Source | None, ...]] | None] = {}

    def before(self, context: StatementContext, name: str) -> Source | None:
        """The source of a predicate that a statement reads."""
        return self._values.sources.before(context, name)

    def guard(self, context: StatementContext) -> Source | None:
        """The source of the predicate that decides whether a statement is executed; its negation is left out."""
        tree = context.instruction
        if tree is None or tree.guard is None:
            return None
        return self.before(context, context.word(tree.guard.name))

    def holds(
        self, source: Source | None, context: StatementContext, numbers: Substitution, depth: int = _DEEPEST
    ) -> bool | None:
        """The value of a predicate for one thread; None if it is not known."""
        found = self.definition(source, context) if source is not None and depth else None
        if found is None:
            return None
        if isinstance(found, IntegerComparison):
            return self._compared(found, numbers)
        word, parts = found
        values = [self.holds(one, context, numbers, depth - 1) for one in parts]
        if word == "not":
            return None if values[0] is None else not values[0]
        if word == "mov":
            return values[0]
        decisive = word == "or"
        if decisive in values:
            return decisive
        return None if None in values else not decisive

    def contents(self, source: Source | None, context: StatementContext, depth: int = _DEEPEST) -> frozenset[str | int]:
        """The special registers and the headers of the loops on which it depends what is known of a predicate."""
        found = self.definition(source, context) if source is not None and depth else None
        if found is None:
            return frozenset()
        if isinstance(found, IntegerComparison):
            values = [self.atoms.contents(token) for one in (found.one, found.other) for token, _ in one.terms]
            return frozenset().union(*(one.specials for one in values), *(one.loops for one in values))
        return frozenset().union(*(self.contents(one, context, depth - 1) for one in found[1]))

    def definition(
        self, source: Source, context: StatementContext
    ) -> IntegerComparison | tuple[str, tuple[Source | None, ...]] | None:
        """The comparison that a predicate is, or the operation that it is made with; None if it is not followed."""
        if source not in self._known:
            self._known[source] = self._found(source, context)
        return self._known[source]

    def _found(
        self, source: Source, context: StatementContext
    ) -> IntegerComparison | tuple[str, tuple[Source | None, ...]] | None:
        if not isinstance(source, Write) or not source.is_sure:
            return None
        inside = StatementContext(context.module, context.function, source.chunk, source.statement)
        tree = inside.instruction
        if tree is None:
            return None
        result, *operands = tree.operands
        if result.kind is not OperandKind.NAME or inside.word(result.name) != name_of(source.register):
            return None
        if tree.opcode[0] == "setp" and len(operands) == 2 and result.pair is None:
            return self._comparison(inside, tree, operands)
        if tree.opcode[1:] == (".pred",) and tree.opcode[0] in ("and", "or", "not", "mov"):
            return tree.opcode[0], tuple(self._part(inside, one) for one in operands)
        return None

    def _part(self, context: StatementContext, operand: Operand) -> Source | None:
        is_plain = operand.kind is OperandKind.NAME and operand.name >= 0 and not operand.sign
        return (
            self.before(context, context.word(operand.name)) if is_plain and operand.last - operand.first == 1 else None
        )

    def _comparison(
        self, context: StatementContext, tree: Instruction, operands: list[Operand]
    ) -> IntegerComparison | None:
        types = integer_types(tree.opcode)
        if len(tree.opcode) != 3 or tree.opcode[1] not in _COMPARED or not types:
            return None
        letter, width = types[0]
        values = [self._values.operand(context, one) for one in operands]
        one, other = (None if value is None else self._expressions.resolved(value, width) for value in values)
        if one is None or other is None:
            return None
        return IntegerComparison(tree.opcode[1], letter == "s" and tree.opcode[1] not in _UNSIGNED, width, one, other)

    def _compared(self, found: IntegerComparison, numbers: Substitution) -> bool | None:
        atoms = self.atoms
        read = atoms.signed if found.is_signed else atoms.unsigned
        one, other = (read(numbers.of(value), found.width) for value in (found.one, found.other))
        if one.terms == other.terms:
            return _COMPARED[found.word](one.number, other.number)
        bounds = atoms.bounds(one), atoms.bounds(other)
        (least, most), (low, high) = bounds
        if least > high or most < low:
            return _COMPARED[found.word](least, low)
        if most == low and found.word in (".le", ".ls"):
            return True
        if least == high and found.word in (".ge", ".hs"):
            return True
        if most == low and found.word in (".gt", ".hi"):
            return False
        return False if least == high and found.word in (".lt", ".lo") else None
