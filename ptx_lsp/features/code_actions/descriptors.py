"""Descriptor literals: the lookup shared by several actions."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.descriptors.packed_operands import PackedOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place

_Packed = tuple[StatementContext, PackedOperand]

ALL = 20_000
"""The maximum number of statements searched for uses of a literal; an edit must keep all of these legal."""


def descriptor_at(cursor: Cursor, values: PackedValues) -> tuple[PackedOperand, Place] | None:
    """Return the packed operand at the cursor, or the one built from the literal there, with the literal's place."""
    context = cursor.context
    here: Iterable[_Packed] = (
        (context, one.packed)
        for one in values.operands(context)
        if one.packed.operand.first <= cursor.token < one.packed.operand.last
    )
    for user, packed in here:
        place = values.literal(user, packed)
        return (packed, place) if place is not None else None
    if cursor.what is CursorKind.NUMBER:
        at = Place(context.chunk, context.index, cursor.token)
        for user, packed in values.made_in(context.chunk, context.index, ALL):
            if values.literal(user, packed) == at:
                return packed, at
    return None


def spelled(value: int, like: str) -> str:
    """Format an integer with the base, digit count and case of an existing literal."""
    digits = like.removesuffix("U")
    suffix = like[len(digits) :]
    if digits[:2].lower() == "0x":
        is_lower = digits[2:] == digits[2:].lower() != digits[2:].upper()
        return f"{digits[:2]}{value:0{len(digits) - 2}{'x' if is_lower else 'X'}}{suffix}"
    if digits[:2].lower() == "0b":
        return f"{digits[:2]}{value:0{len(digits) - 2}b}{suffix}"
    if digits[:1] == "0" and len(digits) > 1:
        return f"0{value:o}{suffix}"
    return f"{value}{suffix}"
