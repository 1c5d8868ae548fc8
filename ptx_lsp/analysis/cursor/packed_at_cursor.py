"""Which packed value is, or is built from, what is under the cursor?"""

from __future__ import annotations

from typing import NamedTuple

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.descriptors.terms import Unseen
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.syntax.tree import OperandKind


class PackedAtCursor(NamedTuple):
    """A packed operand and the statement that takes it."""

    context: StatementContext
    known: KnownOperand
    values: PackedValues
    is_here: bool
    """Whether the cursor is on the operand itself; else where it is built."""


def packed_at(cursor: Cursor) -> PackedAtCursor | None:
    """The packed value at the operand, or where it is built; None if there is none of which something is known."""
    context = cursor.context
    if context.instruction is None or cursor.what not in (CursorKind.NAME, CursorKind.NUMBER):
        return None
    values = cursor.semantics.packed(context.function)
    for known in values.operands(context):
        operand = known.packed.operand
        if operand.first <= cursor.token < operand.last and (tells(known) or _has_sources(context, known, values)):
            return PackedAtCursor(context, known, values, is_here=True)
    return _built(cursor, values)


def _built(cursor: Cursor, values: PackedValues) -> PackedAtCursor | None:
    """What the instruction under the cursor helps to build, seen from its literal or its result."""
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
    return PackedAtCursor(user, known, values, is_here=False) if tells(known) else None


def tells(known: KnownOperand) -> bool:
    """Whether enough is known for a table to say something: a field, beside what is fixed anyway."""
    return any(one.meaning is not None and one.field.holds.fixed is None for one in known.reading.fields)


def _has_sources(context: StatementContext, known: KnownOperand, values: PackedValues) -> bool:
    """Whether something that is not known comes from a place that can be told."""
    return any(one.what is not Unseen.NEVER for _, sources in values.unknown(context, known) for one in sources)
