"""What a constant does in its instruction: masks, shifts, bit fields, the table of ``lop3``."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.analysis.statements.context import Use
from ptx_lsp.features.hover.parts.constant_effects import constant_effect
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.lop3 import expression_of
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand

_TABLE = 4
"""The operand of ``lop3`` that says what is computed."""
_LARGEST = 0xFF
_LONGEST = 24
_WORD = 32


def effect_of(use: Use, at: int) -> str:
    """What the constant that operand ``at`` is does to the others; empty where nothing is worth saying."""
    tree = use.instruction
    if tree is None or at >= len(tree.operands) or (value := _value(use, tree.operands[at])) is None:
        return ""
    return _effect(use, tree.opcode, tree.operands, at) or named_meaning(use, at, value)


def acts(use: Use, at: int) -> bool:
    """Whether what constant ``at`` does to the other operands can be told with their names."""
    tree = use.instruction
    if tree is None or at >= len(tree.operands):
        return False
    return tree.opcode[0] == "prmt" or is_table(use, at) or bool(_effect(use, tree.opcode, tree.operands, at))


def _effect(use: Use, opcode: Sequence[str], operands: Sequence[Operand], at: int) -> str:
    if at < 1:
        return ""
    sources = operands[1:]
    values = [_value(use, operand) for operand in sources]
    texts = [_text(use, operand) for operand in sources]
    return constant_effect(opcode, values, at - 1, texts)


def named_meaning(use: Use, at: int, value: int | None) -> str:
    """What a whole value of operand ``at`` is called: ``all lanes``; empty for values without a name."""
    tree, match = use.instruction, use.match
    role = match.roles[at] if match is not None and at < len(match.roles) else ""
    if tree is None or value is None or not role or tree.opcode[0] == "prmt":
        return ""
    for named in catalogue().vocabulary.named_values:
        if not (int(named.text, 16) - value) % (1 << _WORD) and named.is_for(role, tree.opcode):
            return named.means
    return ""


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
