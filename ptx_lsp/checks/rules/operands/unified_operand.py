"""E431 unified-operand."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.role_misuse import accessed_name
from ptx_lsp.analysis.symbols.attributes import UNIFIED, is_unified, may_be_unified
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction

RULE = error("E431").in_trees(Instruction)


def accepts_shape(shape: Shape) -> bool:
    """Instructions with a qualifier after an operand."""
    tree = shape.tree
    return isinstance(tree, Instruction) and any(operand.selector for operand in tree.operands)


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether it is the one that is meant."""
    return UNIFIED in text


def prefilter_chunk(text: str) -> bool:
    """Whether there is any in a piece of a document."""
    return UNIFIED in text


def check(context: StatementContext) -> Iterator[Finding]:
    """`.unified` after the address of a variable that is not declared so.

    ```ptx
    //- sm_90 ptx 8.0 module
    .global .u32 counter;
    .visible .entry kernel()
    {
        .reg .b32 %r<2>;
        ld.global.u32 %r1, [counter].unified;
    //                              ^^^^^^^^ error[E431]: 'counter' is not declared with '.attribute(.unified(…))' (line 5)
    // ptxas: Illegal use of attribute '.unified' for instruction 'ld'
        ret;
    }
    ```

    **Right:** `ld.global.u32 %r1, [counter];`, or `.global .attribute(.unified(1, 2)) .u32 counter;`

    **Fixes offered:** remove `.unified`.
    """  # noqa: E501 (a caret line carries its message)
    tree = context.instruction
    for operand in tree.operands if tree is not None else ():
        if not operand.selector or context.word(operand.selector[0]) != UNIFIED:
            continue
        symbol = context.symbols.get(accessed_name(operand))
        if symbol is not None and may_be_unified(symbol) and not is_unified(symbol):
            span = context.span(operand.selector[0])
            fix = Fix(f"remove '{UNIFIED}'", (Edit(span, ""),))
            message = f"'{symbol.name}' is not declared with '.attribute(.unified(…))'"
            yield RULE.at(span, message, fixes=(fix,)).explained_by(symbol)
