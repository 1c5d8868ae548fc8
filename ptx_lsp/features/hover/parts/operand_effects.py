"""The effect of a constant operand in its instruction: masks, shifts, bit fields, the table of ``lop3``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.hover.parts.constant_effects import constant_effect
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.lop3 import expression_of
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand

_TABLE = 4
"""The index of ``lop3``'s operand for the look-up table."""
_LARGEST = 0xFF
_LONGEST = 24
_WORD = 32


Held = Callable[[Operand], "int | None"]
"""The number that a register holds; None if it is not known."""


def effect_of(context: StatementContext, at: int, held: Held | None = None) -> str:
    """Return the effect of the constant operand ``at`` on the others; empty if there is none to report.

    Args:
        context: the instruction.
        at: the number of the operand.
        held: the number in a register; without it only what is written as a constant is one.

    """
    tree = context.instruction
    if tree is None or at >= len(tree.operands) or (value := _value(context, tree.operands[at], held)) is None:
        return ""
    return _effect(context, tree.opcode, tree.operands, at, held) or named_meaning(context, at, value)


def has_effect_text(context: StatementContext, at: int) -> bool:
    """Whether the effect of constant operand ``at`` can be described in terms of the other operands."""
    tree = context.instruction
    if tree is None or at >= len(tree.operands):
        return False
    return tree.opcode[0] == "prmt" or is_table(context, at) or bool(_effect(context, tree.opcode, tree.operands, at))


def _effect(
    context: StatementContext, opcode: Sequence[str], operands: Sequence[Operand], at: int, held: Held | None = None
) -> str:
    if at < 1:
        return ""
    sources = operands[1:]
    values = [_value(context, operand, held) for operand in sources]
    texts = [_text(context, operand) for operand in sources]
    return constant_effect(opcode, values, at - 1, texts, _text(context, operands[0]))


def named_meaning(context: StatementContext, at: int, value: int | None) -> str:
    """Return the name of a value of operand ``at``: ``all lanes``; empty for values without a name."""
    tree, match = context.instruction, context.match
    role = match.roles[at] if match is not None and at < len(match.roles) else ""
    if tree is None or value is None or not role or tree.opcode[0] == "prmt":
        return ""
    for named in catalogue().vocabulary.named_values:
        if not (int(named.text, 16) - value) % (1 << _WORD) and named.is_for(role, tree.opcode):
            return named.means
    return ""


def table_in_words(context: StatementContext, table: int) -> str:
    """Return the function of a ``lop3`` table in terms of its operands, as a code span; empty if it is invalid."""
    tree = context.instruction
    if tree is None or len(tree.operands) <= _TABLE or not 0 <= table <= _LARGEST:
        return ""
    return f"`{expression_of(table, [_text(context, operand) for operand in tree.operands[1:_TABLE]])}`"


def is_table(context: StatementContext, at: int) -> bool:
    """Whether operand ``at`` is the look-up table of a ``lop3``."""
    tree = context.instruction
    return tree is not None and tree.opcode[0] == "lop3" and at == _TABLE


def _value(context: StatementContext, operand: Operand, held: Held | None = None) -> int | None:
    value = evaluate(context.statement, operand)
    if value is None and held is not None:
        value = held(operand)
    return value if isinstance(value, int) else None


def _text(context: StatementContext, operand: Operand) -> str:
    text = " ".join(context.text_of(operand).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
