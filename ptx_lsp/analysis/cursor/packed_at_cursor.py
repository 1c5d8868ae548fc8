"""The packed value at the cursor, or built from the value at the cursor."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.descriptors.terms import Unseen
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import OperandKind


class PackedAtCursor(NamedTuple):
    """A packed operand and the statement that uses it."""

    context: StatementContext
    known: KnownOperand
    values: PackedValues
    is_here: bool
    """Whether the cursor is on the operand itself; else on an instruction that builds it."""


def packed_at(cursor: Cursor) -> PackedAtCursor | None:
    """The packed value of the operand at the cursor, or built there; None if nothing is known of it."""
    context = cursor.context
    if context.instruction is None or cursor.what not in (CursorKind.NAME, CursorKind.NUMBER):
        return None
    values = cursor.semantics.packed(context.function)
    for known in values.operands(context):
        operand = known.packed.operand
        if operand.first <= cursor.token < operand.last and (
            is_informative(known) or _has_sources(context, known, values)
        ):
            return PackedAtCursor(context, known, values, is_here=True)
    return _built(cursor, values)


def _built(cursor: Cursor, values: PackedValues) -> PackedAtCursor | None:
    """The packed value that the instruction under the cursor contributes to, by its literal or result."""
    context, tree = cursor.context, cursor.context.instruction
    if tree is None or not tree.operands:
        return None
    at = next((at for at, one in enumerate(tree.operands) if one.first <= cursor.token < one.last), None)
    if at is None or (at and tree.operands[at].kind is not OperandKind.INTEGER):
        return None
    users = values.made_in(context.chunk, context.index)
    if not users:
        return None
    user, packed = users[0]
    known = values.read(user, packed)
    return PackedAtCursor(user, known, values, is_here=False) if is_informative(known) else None


def is_informative(known: KnownOperand) -> bool:
    """Whether some field that is not fixed is known."""
    return any(one.meaning is not None and one.field.holds.fixed is None for one in known.reading.fields)


def _has_sources(context: StatementContext, known: KnownOperand, values: PackedValues) -> bool:
    """Whether the source of some unknown bits can be reported."""
    return any(one.what is not Unseen.NEVER for _, sources in values.unknown(context, known) for one in sources)
