"""Hover of constants: interpreted in the operand's type, with sign, or as part of an expression."""

from __future__ import annotations

from dataclasses import replace

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, HoverRow
from ptx_lsp.features.hover.parts.literal_values import as_float, number
from ptx_lsp.features.hover.parts.operand_effects import effect_of, is_table, table_in_words
from ptx_lsp.features.hover.parts.operand_role import innermost, operand_at, operand_note
from ptx_lsp.features.hover.parts.operand_types import float_uses, type_of
from ptx_lsp.features.hover.parts.prmt_selectors import with_picked_bytes
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Declaration, Instruction, OperandKind


def constant(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of the number under the cursor."""
    context = cursor.context
    tree = context.statement.shape.tree
    if context.statement.shape.errors:
        return number(cursor.word, cursor.span)
    if isinstance(tree, Instruction):
        return _in_instruction(cursor, tree)
    if isinstance(tree, Declaration) and any(
        one.initializer is not None and one.initializer.first <= cursor.token < one.initializer.last
        for one in tree.declarators
    ):
        return number(cursor.word, cursor.span, tree.type, negative=_is_negated(cursor))
    return number(cursor.word, cursor.span)


def _in_instruction(cursor: Cursor, tree: Instruction) -> HoverInfo | None:
    context, match = cursor.context, cursor.context.match
    at = operand_at(tree, cursor.token)
    if at is None or match is None or at >= len(match.roles):
        return number(cursor.word, cursor.span)
    operand = innermost(tree.operands[at], cursor.token)
    is_plain = operand.kind in (OperandKind.INTEGER, OperandKind.FLOAT)
    type_ = type_of(context, match, match.roles[at]) if match.roles[at] and is_plain else ""
    info = number(cursor.word, cursor.span, type_, negative=is_plain and _is_negated(cursor))
    if info is None:
        return None
    if operand.kind is OperandKind.CONSTANT:
        value = evaluate(context.statement, operand)
        if value is not None:
            shown = f"{value} ({value:#x})" if isinstance(value, int) else str(value)
            info = replace(info, rows=(*info.rows, HoverRow("expression", shown)))
    if context.instruction is not None and at == 1 and is_plain:
        info = _as_used_floats(cursor, context.instruction, info)
    note = operand_note(cursor)
    info = replace(info, notes=(*info.notes, note)) if note else info
    return with_picked_bytes(cursor, _with_effect(context, at, info))


def _as_used_floats(cursor: Cursor, tree: Instruction, info: HoverInfo) -> HoverInfo:
    """Replace the float rows of a moved bit pattern by the types in which later instructions read the register."""
    if tree.opcode[0] != "mov" or tree.operands[0].kind is not OperandKind.NAME or tree.operands[0].selector:
        return info
    context = cursor.context
    value = evaluate(context.statement, tree.operands[1])
    symbol = context.symbols.get(tree.operands[0].name)
    if not isinstance(value, int) or value < 0 or symbol is None or symbol.kind is not SymbolKind.REGISTER:
        return info
    types = float_uses(cursor.semantics, context, symbol, context.word(tree.operands[0].name))
    if not types:
        return info
    rows = [row for row in info.rows if not row.name.startswith("as .") or "f" not in row.name]
    rows += [
        HoverRow(f"as {name}", f"{as_float(value, name)}, as line {line} reads it") for name, line in types.items()
    ]
    return replace(info, rows=tuple(rows))


def _with_effect(context: StatementContext, at: int, info: HoverInfo) -> HoverInfo:
    """Add the effect of the constant before its notations."""
    operand = context.instruction.operands[at] if context.instruction is not None else None
    value = evaluate(context.statement, operand) if operand is not None else None
    if isinstance(value, int) and is_table(context, at):
        said = table_in_words(context, value)
        return replace(info, lead=(f"{said} of every bit",)) if said else info
    effect = effect_of(context, at)
    rows = tuple(row for row in info.rows if row.name not in _REDUNDANT_ROWS)
    return replace(info, lead=(effect,), rows=rows) if effect else info


_REDUNDANT_ROWS = ("mask", "power of 2")
"""Rows that an effect makes redundant."""


def _is_negated(cursor: Cursor) -> bool:
    """Whether a unary minus directly precedes the constant."""
    statement, token = cursor.context.statement, cursor.token
    if token == 0 or statement.word(token - 1) != "-":
        return False
    return statement.word(token - 2) in (",", "{", "=", "(", "+") if token > 1 else True
