"""The role of the word under the cursor in its instruction: guard, or operand with its description."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.features.hover.parts.operand_rows import names_of_parts, words_of
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind


def operand_note(cursor: Cursor) -> str:
    """Return the line about the role of a name in an instruction; empty elsewhere."""
    context = cursor.context
    tree, match = context.instruction, context.match
    if tree is None:
        return ""
    if tree.guard is not None and cursor.token == tree.guard.name:
        return f"here: the guard, the instruction is executed where it is {'false' if tree.guard.negated else 'true'}"
    at = operand_at(tree, cursor.token)
    if match is None or at is None or at >= len(match.roles) or not match.roles[at]:
        return ""
    role, element = role_at(match, tree.operands[at], at, cursor.token)
    opcode = instruction_name(match, tree)
    words = words_of(context, match, role)
    part = innermost(tree.operands[at], cursor.token)
    sign = _SIGNS.get(part.sign, "") if part.kind is OperandKind.NAME else ""
    if words in ("", _NOTHING_NEW) and not element and not sign:
        return ""
    return f"here: {element}`{role}` of `{opcode}`{sign}" + (f": {words}" if words else "")


_NOTHING_NEW = "the address"
"""The description that the brackets already imply."""
_SIGNS = {"-": ", negated", "!": ", inverted"}


def innermost(operand: Operand, token: int) -> Operand:
    """Return the innermost part of an operand that contains a token."""
    for part in (*operand.parts, operand.offset, operand.pair):
        if part is not None and part.first <= token < part.last:
            return innermost(part, token)
    return operand


def instruction_name(match: Match, tree: Instruction) -> str:
    """Return the longest instruction name of the page that is a prefix of the opcode: ``cp.async.bulk.tensor``."""
    opcode, names = "".join(tree.opcode) + ".", match.instruction.names
    return max((name for name in names if opcode.startswith(name + ".")), key=len, default=names[0])


def operand_at(tree: Instruction, token: int) -> int | None:
    """Return the index of the operand that contains a token."""
    return next((at for at, one in enumerate(tree.operands) if one.first <= token < one.last), None)


def role_at(match: Match, operand: Operand, at: int, token: int) -> tuple[str, str]:
    """Return the name of the operand part at a token, and its element index as text."""
    role = match.roles[at]
    form = next((one for one in match.form.operands if one.name == role), None)
    if operand.pair is not None and operand.pair.first <= token < operand.pair.last:
        return (form.pair if form is not None and form.pair else role), ""
    inside = next((number for number, part in enumerate(operand.parts) if part.first <= token < part.last), None)
    if inside is None or len(operand.parts) == 1:
        return role, ""
    names = names_of_parts(form, match) if form is not None else []
    if len(names) == len(operand.parts):
        return names[inside], ""
    return role, f"element {inside} of "
