"""W611 unlikely-value."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operand_advice import (
    advised_operands,
    is_about_constants,
    may_be_unlikely,
    unlikely_constants,
)
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, Operand

RULE = warning("W611")

_known: dict[tuple[int, str], bool] = {}
"""Whether a constant may be unlikely, by shape and what stands behind its last commas."""
_MOST = 1 << 16
_commas: dict[int, int] = {}
"""For each shape how many commas there are from before its first constant on; 0 if none is before it."""
_READABLE = 15
"""Longer ranges say less than the reason behind them."""


def accepts_shape(shape: Shape) -> bool:
    """Instructions with constants whose page says which can be meant."""
    tree = shape.tree
    if not shape.constants or not isinstance(tree, Instruction):
        return False
    if not any(map(_has_advice, catalogue().candidates(tree.opcode))):
        return False
    first = next((at for at, one in enumerate(tree.operands) if one.last > shape.constants[0]), 0)
    _commas[shape.id] = sum(map(_leaves, tree.operands[first:])) if first else 0
    return True


def _leaves(operand: Operand) -> int:
    """How many operands without parts there are in one."""
    return sum(map(_leaves, operand.parts)) or 1


@cache
def _has_advice(page: InstructionPage) -> bool:
    return any(is_about_constants(advice) for form in page.forms for advice in form.advice)


def prefilter_statement(text: str, shape: Shape) -> bool:
    """Whether some form advises against the constants; few combinations of opcode and constants are ever seen."""
    commas = _commas[shape.id]
    if commas == 1:
        end = text[text.rfind(",") :]
    else:
        end = ",".join(text.rsplit(",", commas)[1:]) if commas and "/" not in text else text
    known = _known.get((shape.id, end))
    if known is None:
        if len(_known) > _MOST:
            _known.clear()
        known = _known[shape.id, end] = may_be_unlikely(shape, text)
    return known


def check(context: StatementContext) -> Iterator[Finding]:
    """A constant that ptxas takes and nobody can mean: it does nothing, or what happens is undefined.

    Among these are shifts by the width of the value or more, fields beyond it, tables and selectors with bits that are
    not looked at, masks without a lane, shuffles in which no lane gets another's value, comparisons whose result is
    always the same, and divisions by zero.

    ```ptx
    //- sm_80 ptx 7.0
    shl.b32 %r1, %r2, 32;
    //                ^^ warning[W611]
    // ptxas: accepts it
    ```

    **Right:** `shl.b32 %r1, %r2, 31;`

    ---

    Which constants can be meant stands on the pages of the instructions, in lines with `~`.
    """
    for one in advised_operands(context):
        if not is_about_constants(one.advice):
            continue
        for operand, _ in unlikely_constants(context.statement, one.operand, one.words):
            wanted = " ".join(str(word) for cell in one.words for word in cell)
            place = "cannot be meant" if len(wanted) > _READABLE else f"is outside of {wanted}"
            yield RULE.at(context.operand_span(operand), f"'{context.text_of(operand)}' {place}: {one.advice.message}")
