"""What a constant does in its instruction: masks, shifts, bit fields, the table of ``lop3``."""

from __future__ import annotations

from ptx_lsp.analysis.constant_effects import constant_effect
from ptx_lsp.analysis.use import Use
from ptx_lsp.layouts.lop3 import expression_of
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand

_TABLE = 4
"""The operand of ``lop3`` that says what is computed."""
_LARGEST = 0xFF
_LONGEST = 24


def effect_of(use: Use, at: int) -> str:
    """What the constant that operand ``at`` is does to the others; empty where nothing is worth saying."""
    tree = use.instruction
    if tree is None or at < 1:
        return ""
    sources = tree.operands[1:]
    values = [_value(use, operand) for operand in sources]
    if at > len(sources) or values[at - 1] is None:
        return ""
    return constant_effect(tree.opcode, values, at - 1, [_text(use, operand) for operand in sources])


def table_in_words(use: Use, table: int) -> str:
    """The function of a ``lop3`` with what is written for a, b and c, in code marks; empty if it is none."""
    tree = use.instruction
    if tree is None or len(tree.operands) <= _TABLE or not 0 <= table <= _LARGEST:
        return ""
    return f"`{expression_of(table, [_text(use, operand) for operand in tree.operands[1:_TABLE]])}`"


def is_table(use: Use, at: int) -> bool:
    """Whether operand ``at`` is the table of a ``lop3``."""
    tree = use.instruction
    return tree is not None and tree.opcode[0] == "lop3" and at == _TABLE


def _value(use: Use, operand: Operand) -> int | None:
    value = evaluate(use.statement, operand)
    return value if isinstance(value, int) else None


def _text(use: Use, operand: Operand) -> str:
    text = " ".join(use.text_of(operand).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
