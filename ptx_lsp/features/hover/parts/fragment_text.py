"""Text about the fragments in operands of matrix instructions: the formulas of rows and columns.

Source: the tables of the matrix instructions' pages, read by ``layouts/fragments.py``.
"""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.layouts.formulas import simplified
from ptx_lsp.layouts.fragments import SELECTORS, WARP, Fragment, context_of, fragment_of
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

OPCODES = frozenset(("mma", "wmma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05"))
"""The mnemonics of instructions with fragments."""


def fragment_in(context: StatementContext, match: Match, at: int) -> Fragment | None:
    """Return the fragment of an operand, or None."""
    tree = context.instruction
    if tree is None or tree.opcode[0] not in OPCODES or at >= len(match.roles) or not match.roles[at]:
        return None
    operand = tree.operands[at]
    if operand.kind not in (OperandKind.VECTOR, OperandKind.NAME):
        return None
    values = [(slot.name, value) for slot, value in zip(match.form.slots, match.values, strict=False)]
    selectors = (one for one, role in zip(tree.operands, match.roles, strict=False) if role in SELECTORS)
    selector = next((_number(context, one) for one in selectors), 0)
    return fragment_of(match.instruction.path, match.roles[at], context_of(values, selector))


def _number(context: StatementContext, operand: Operand) -> int:
    value = evaluate(context.statement, operand)
    return value if isinstance(value, int) else 0


def legend(held: Fragment) -> str:
    """Return the definitions of the names in the formulas: ``g = lane / 4, t = lane % 4``."""
    used = held.row + held.column + held.tile + held.holding
    found = [f"`{name} = lane {how}`" for name, how in (("g", "/ 4"), ("t", "% 4")) if name in used.replace("tile", "")]
    if held.lanes > WARP:
        found.append("`w` = warp")
    return ", ".join(found) or "`lane` = %laneid"


def element_place(held: Fragment) -> str:
    """Return the position of element ``i`` in short: ``at (g, 2*t + i)``."""
    row, column = (simplified(one, e=held.packed) for one in (held.row, held.column))
    return f"at ({row}, {column})" + (f", tile {simplified(held.tile, e=held.packed)}" if held.tile else "")


def fragment_note(context: StatementContext, match: Match) -> list[str]:
    """Return the line that explains the positions in an instruction's table."""
    tree = context.instruction
    found = [fragment_in(context, match, at) for at in range(len(tree.operands))] if tree is not None else []
    held_fragments = [one for one in found if one is not None]
    if not held_fragments:
        return []
    known = [one for one in held_fragments if not one.unknown]
    return (
        [f"element `i` at (row, column), {legend(known[0])}"] if known else [f"fragments: {reason(held_fragments[0])}"]
    )


def element_sentence(held: Fragment) -> str:
    """Return the position of element ``i`` as a sentence."""
    if held.unknown:
        return reason(held)
    row, column = (simplified(one, e=held.packed) for one in (held.row, held.column))
    tile = f" of tile `{simplified(held.tile, e=held.packed)}`" if held.tile else ""
    only = f", in lanes with `{condition(held)}`" if held.holding else ""
    return f"element `i` is in row `{row}`, column `{column}`{tile}{only}"


def reason(held: Fragment) -> str:
    """Return why there are no formulas."""
    return f"the elements are {held.unknown}, and differ between architectures"


def condition(held: Fragment) -> str:
    """Return the condition for lanes that hold elements."""
    left, _, _ = held.holding.partition(" == ")
    return f"{left} == {held.selector}"
