"""``lop3.b32 %r1, %r2, %r3, %r4, 0x6A = (a & b) ^ c``: the function of a ``lop3`` look-up table."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.layouts.lop3 import expression
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import Shape

_TABLE = 4
"""The index of the operand with the table, which can be followed by another one."""
_LARGEST = 0xFF
_MOST_OPERATORS = 3
"""The maximum number of operators of a function shown as a hint."""


def applies_to(shape: Shape) -> bool:
    """Whether it is a ``lop3`` with a table."""
    return shape.opcode[:1] == ("lop3",) and not shape.errors and bool(shape.constants)


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the function if its expression is short."""
    tree = seen.context.instruction
    if tree is None or len(tree.operands) <= _TABLE:
        return
    operand = tree.operands[_TABLE]
    table = evaluate(seen.context.statement, operand)
    if not isinstance(table, int) or not 0 <= table <= _LARGEST:
        return
    text = expression(table)
    if sum(map(text.count, "&|^")) > _MOST_OPERATORS or "".join(seen.context.text_of(operand).split()) == text:
        return
    named = ", ".join(
        f"`{name}` is `{seen.context.text_of(one)}`" for name, one in zip("abc", tree.operands[1:_TABLE], strict=True)
    )

    def tooltip() -> str:
        return f"`{text}` by bits, table `0x{table:02X}`\n{named}"

    offset = seen.start + seen.context.operand_span(operand).end
    yield Hint(offset, f"= {text}", "logic_tables", HintPosition.AFTER, tooltip)
