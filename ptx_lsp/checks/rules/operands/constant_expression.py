"""E427 constant-expression."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.constant_arithmetic import ConstantFault
from ptx_lsp.syntax.constants import fault_of
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, Instruction, Operand, OperandKind, Tree, all_are, has_only_numbers

RULE = error("E427").in_trees(Instruction, Declaration)

_MESSAGES = {
    ConstantFault.DIVISION: "'{0}' divides by zero",
    ConstantFault.MIXED: "'{0}' mixes integers and floats, which are not converted",
    ConstantFault.FLOAT: "'{0}' has a float where only integers are allowed",
    ConstantFault.CAST: "'{0}' has an unknown cast; only (.s64) and (.u64) exist",
}


def check(context: StatementContext) -> Iterator[Finding]:
    """A constant expression that cannot be evaluated: division by zero, integers mixed with floats, a cast to `.u32`.

    ```ptx
    //- sm_80 ptx 7.0
    mov.f32 %f1, 1.0+2;
    //           ^^^^^ error[E427]: '1.0+2' mixes integers and floats, which are not converted
    // ptxas: Constant expression type mismatch
    ```

    **Right:** `mov.f32 %f1, 1.0+2.0;`

    ---

    `+ - * /` and comparisons accept two integers or two floats. Bitwise and logical operators, shifts, remainders,
    casts and all three parts of `a ? b : c` must be integers. The only casts are `(.s64)` and `(.u64)`. Both sides
    of `?:`, `&&` and `||` are evaluated: `0 ? 1/0 : 2` divides by zero. Integers have 64 bits; the result of `& |
    ^` is unsigned if one side is unsigned, the result of `~` and `%` always; a shift uses the low six bits of its
    count.
    """
    for operand in _expressions(context.statement.shape.tree):
        fault = fault_of(context.statement, operand)
        if fault is not None:
            text = " ".join(context.text_of(operand).split())
            shown = text if len(text) <= _LONG else text[: _LONG - 1] + "…"
            yield RULE.at(context.operand_span(operand), _MESSAGES[fault].format(shown))


_LONG = 24


def accepts_shape(shape: Shape) -> bool:
    """Whether a statement has constants that are computed."""
    return any(True for _ in _expressions(shape.tree))


def prefilter_statement(text: str, _: bool) -> bool:
    """Whether a statement may have a division, a float or a cast: nothing else fails."""
    return _MAY_FAIL(text.split(None, 1)[-1]) is not None


_MAY_FAIL = re.compile(r"[/.(]|\d[eEfFdD]|%(?![\w$])").search


def _expressions(tree: Tree | None) -> Iterator[Operand]:
    if isinstance(tree, Instruction):
        for operand in tree.operands:
            yield from _inside(operand)
    elif isinstance(tree, Declaration) and not has_only_numbers(tree):
        for declarator in tree.declarators:
            if declarator.initializer is not None:
                yield from _inside(declarator.initializer)


_PLAIN = frozenset({OperandKind.NAME, OperandKind.INTEGER, OperandKind.FLOAT, OperandKind.LIST})
"""The kinds of operands that hold no other, but for an offset or the other of a pair."""


def _inside(operand: Operand) -> Iterator[Operand]:
    pending = [operand]
    while pending:
        one = pending.pop()
        if one.kind is OperandKind.CONSTANT:
            yield one
        if not all_are(one.parts, _PLAIN):
            pending += [part for part in one.parts if part.kind not in _PLAIN or part.offset or part.pair]
        if one.offset is not None:
            pending.append(one.offset)
        if one.pair is not None:
            pending.append(one.pair)
