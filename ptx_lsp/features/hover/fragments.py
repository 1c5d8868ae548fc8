"""Hover of matrix fragments: the elements that a register holds, and a picture of the tile.

Source: the tables of the matrix instructions' pages, read by ``layouts/fragments.py``.
"""

from __future__ import annotations

from dataclasses import replace

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind, touched
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.spelling import spelling_of
from ptx_lsp.features.hover.declared_names import declared_name
from ptx_lsp.features.hover.parts.fragment_text import OPCODES, condition, element_sentence, fragment_in, legend, reason
from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.features.hover.parts.manual_links import manual_link
from ptx_lsp.features.hover.parts.operand_role import instruction_name, operand_at
from ptx_lsp.features.hover.parts.tile_pictures import blocks, cells
from ptx_lsp.layouts.formulas import SimplifiedFormula, simplified
from ptx_lsp.layouts.fragments import METADATA, WARP, Fragment
from ptx_lsp.syntax.tree import OperandKind

_ONE_PICTURE = 8
"""The number of columns up to which a picture shows every element."""


def fragment(cursor: Cursor) -> HoverInfo | None:
    """Return the matrix elements held by the register under the cursor; None if it is not part of a fragment."""
    context = cursor.context
    tree, match = context.instruction, context.match
    if cursor.what is not CursorKind.NAME or cursor.symbol is None or tree is None or match is None:
        return None
    at = operand_at(tree, cursor.token)
    held = fragment_in(context, match, at) if at is not None else None
    if at is None or held is None:
        return None
    operand = tree.operands[at]
    parts = operand.parts if operand.kind is OperandKind.VECTOR else (operand,)
    register = next((n for n, part in enumerate(parts) if part.first <= cursor.token < part.last), None)
    if register is None or not (held.unknown or register < held.registers):
        return None
    base = declared_name(cursor, cursor.symbol)
    opcode = instruction_name(match, tree)
    number = f"register {register} of `{held.operand}`" if len(parts) > 1 else f"`{held.operand}`"
    lead = f"`{cursor.word}` is {number} of `{opcode}`: {_held(held, register)}"
    notes = tuple(note for note in base.notes if not note.startswith("here: "))
    if not held.unknown and _is_small(held):
        notes = ("numbers in the picture: the lane that has each element", *notes)
    return replace(base, code=base.code[:1], lead=(lead, *base.lead), picture=_picture(held, register), notes=notes)


def braced(module: Module, offset: int) -> HoverInfo | None:
    """Return the hover of a whole fragment, with the cursor on a brace or comma of its vector."""
    found = touched(module, offset)
    if found is None:
        return None
    context, token, base = found
    tree = context.instruction
    if tree is None or tree.opcode[0] not in OPCODES:
        return None
    at, match = operand_at(tree, token), context.match
    if at is None or match is None or tree.operands[at].kind is not OperandKind.VECTOR:
        return None
    held = fragment_in(context, match, at)
    if held is None:
        return None
    size = f"{held.rows} × {held.columns}" + (f", {held.tiles} of them" if held.tiles > 1 else "")
    lead = [f"in each {'thread' if held.lanes > WARP else 'lane'}: {element_sentence(held)}"]
    if not held.unknown:
        many = f"{held.registers} register{'s' if held.registers > 1 else ''}"
        of = f" of {held.packed} elements, the first in the low bits" if held.packed > 1 else ""
        lead = [f"{size}; {many}{of}; {element_sentence(held)}", f"with {legend(held)}, `i` = element"]
    span = context.operand_span(tree.operands[at]).shifted(base)
    picture = () if held.unknown else tuple(blocks(held, None))
    title = f"`{held.operand}` of `{instruction_name(match, tree)}`"
    link = manual_link(match.instruction.words, spelling_of(context, match))
    return HoverInfo(span, title=title, lead=tuple(lead), picture=picture, link=link)


def _held(held: Fragment, register: int) -> str:
    """Describe the elements that one register holds."""
    if held.unknown:
        return reason(held)
    first = register * held.packed
    where = []
    for name, formula in (("row", held.row), ("column", held.column)):
        found = [simplified(formula, e=held.packed, i=first + part) for part in range(held.packed)]
        said = _run(name, found)
        if not said:
            what = "groups" if held.operand in METADATA else "elements"
            return f"{held.packed} {what} from the low bits up; {element_sentence(held)}; {legend(held)}"
        where.append(said)
    tile = f" of tile `{simplified(held.tile, e=held.packed, i=first)}`" if held.tile else ""
    only = f", in lanes with `{condition(held)}`" if held.holding else ""
    return f"{', '.join(where)}{tile} of a {held.rows} × {held.columns} matrix{only}; {legend(held)}"


def _run(name: str, found: list[SimplifiedFormula]) -> str:
    """Describe one position or a range of consecutive ones; empty if they are not consecutive."""
    first, last = found[0], found[-1]
    if all(one == first for one in found):
        return f"{name} `{first}`"
    if all(one == SimplifiedFormula(first.terms, first.constant + step) for step, one in enumerate(found)):
        return f"{name}s `{first}` {'and' if len(found) == len('ab') else 'to'} `{last}`"
    return ""


def _picture(held: Fragment, register: int) -> tuple[str, ...]:
    if held.unknown:
        return ()
    return tuple(cells(held, register) if _is_small(held) else blocks(held, register))


def _is_small(held: Fragment) -> bool:
    return held.columns == _ONE_PICTURE and held.rows in (8, 16) and held.lanes == WARP
