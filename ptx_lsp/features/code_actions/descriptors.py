"""Descriptors and the literals that they are: what several actions ask for."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.descriptors.packed_operands import PackedOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place

_Packed = tuple[StatementContext, PackedOperand]

ALL = 20_000
"""Statements that may be looked at for what a literal becomes: an action must not break any of it."""


def descriptor_at(cursor: Cursor, values: PackedValues) -> tuple[PackedOperand, Place] | None:
    """The packed operand that is under the cursor, or that the literal under the cursor is, and this literal."""
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
    """An integer in the base, the digits and the case of another one."""
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
