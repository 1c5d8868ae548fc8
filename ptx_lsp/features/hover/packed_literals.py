"""Hover of constants and selectors whose bits have a meaning in their operand: masks, tables, ``.b3210``.

Source: the pages of grammar/layouts.
"""

from __future__ import annotations

from dataclasses import replace

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.descriptors.packed_operands import PackedOperand, packed_operand
from ptx_lsp.analysis.statements.spelling import spelling_of
from ptx_lsp.features.hover.descriptors import link_of, table_of, title_of
from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.features.hover.parts.manual_links import manual_link
from ptx_lsp.features.hover.parts.operand_effects import has_effect_text, named_meaning
from ptx_lsp.features.hover.parts.operand_role import innermost, instruction_name, operand_at, operand_note, role_at
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.encode import from_digits
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind


def packed_literal(cursor: Cursor) -> HoverInfo | None:
    """Return the constant under the cursor decoded by its operand's layout; None where another hover applies."""
    context, match = cursor.context, cursor.context.match
    tree = context.instruction
    at = operand_at(tree, cursor.token) if tree is not None else None
    if tree is None or match is None or at is None or at >= len(match.roles) or not match.roles[at]:
        return None
    operand = innermost(tree.operands[at], cursor.token)
    if operand.kind not in (OperandKind.INTEGER, OperandKind.CONSTANT):
        return None
    role, _ = role_at(match, tree.operands[at], at, cursor.token)
    packed = packed_operand(context, match, operand, role)
    value = evaluate(context.statement, operand)
    if packed is None or not isinstance(value, int) or not match.fits or has_effect_text(context, at):
        return None
    width = packed.layout.width
    if not -(1 << max(width, _LEAST) - 1) <= value < 1 << width:
        return None
    found = _shown(cursor, packed, value & (1 << width) - 1, context.text_of(operand))
    named = named_meaning(context, at, value) if found.picture else ""
    return replace(found, lead=(named, *found.lead)) if named else found


_MOST_FINDINGS = 3
_LEAST = 32
"""The minimum operand size in bits; a negative number is the sign extension of a shorter field."""


def selector(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of the byte selector of a video instruction under the cursor."""
    context, match = cursor.context, cursor.context.match
    tree = context.instruction
    if tree is None or match is None:
        return None
    operand = next((one for one in tree.operands if cursor.token in one.selector), None)
    name = _selector_name(match, tree.operands, operand) if operand is not None else ""
    packed = packed_operand(context, match, operand, name) if operand is not None else None
    if packed is None or not packed.layout.spelled:
        return _part(cursor, match, name)
    value = from_digits(packed.layout, cursor.word[2:])
    return _shown(cursor, packed, value, cursor.word) if value is not None else None


def _part(cursor: Cursor, match: Match, name: str) -> HoverInfo | None:
    """Return the hover of the selector of a scalar video instruction: one byte or half-word."""
    tree, words = cursor.context.instruction, match.instruction.words
    spelling = spelling_of(cursor.context, match)
    meaning = words.meaning(name, spelling)
    if tree is None or not meaning:
        return None
    title = f"`{cursor.word}` of `{instruction_name(match, tree)}`"
    return HoverInfo(cursor.span, title=title, lead=(meaning,), link=manual_link(words, spelling))


def _selector_name(match: Match, operands: tuple[Operand, ...], operand: Operand) -> str:
    """Return the name of a selector's slot on the page; empty if the instruction has none."""
    at = next(at for at, one in enumerate(operands) if one is operand)
    names = _PLACES[at] if at < len(_PLACES) else ()
    return next((name for name in names if name in match.form.slot_numbers), "")


_PLACES = ((".mask", ".dsel"), (".asel",), (".bsel",))
"""The selectors of each operand of the video instructions."""


def _shown(cursor: Cursor, packed: PackedOperand, value: int, written: str) -> HoverInfo:
    layout = packed.layout
    reading = decode(layout, value, packed.spelling)
    table = table_of(reading)
    name = f"`{reading.digits}`" if table and not layout.spelled else f"`{written}`"
    notes = [f"✗ {finding.says}" for finding in reading.findings[:_MOST_FINDINGS]]
    if not layout.spelled:
        notes.append(operand_note(cursor).replace("`, negated", "`", 1))
    elif not table:
        notes.append(reading.fields[0].field.words)
    notes += layout.notes
    lead = () if "not legal" in reading.summary else (reading.summary,)
    return HoverInfo(
        cursor.span,
        title=f"{title_of(layout)} {name}",
        lead=lead,
        picture=table,
        notes=tuple(filter(None, notes)),
        link=link_of(layout),
    )
