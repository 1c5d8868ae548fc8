"""W637 unified-write."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.attributes import UNIFIED
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.checks.support.finding import HERE, Finding, warning
from ptx_lsp.checks.support.unified_accesses import accessed_tokens, names_unified, unified_accesses
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction

RULE = warning("W637").in_trees(Instruction)


def accepts_shape(shape: Shape) -> bool:
    """Instructions that write a name which may be in global memory."""
    return bool(accessed_tokens(shape, Verb.WRITES))


def prefilter_names(_module: Module, scope: Scope, statement: Statement) -> bool:
    """Whether the name is a variable that is declared so."""
    return names_unified(scope, statement, Verb.WRITES)


def check(context: StatementContext) -> Iterator[Finding]:
    """A store to a variable with `.attribute(.unified(…))`, or an atomic operation on it: such variables are read-only.

    The host and all devices have the variable at one address, and each may keep copies of it. What a kernel stores
    there may be lost or may fault: the behaviour is undefined.

    ```ptx
    //- sm_90 ptx 8.0 module
    .global .attribute(.unified(1, 2)) .u32 counter;
    .visible .entry kernel()
    {
        .reg .b32 %r<2>;
        mov.u32 %r1, %ctaid.x;
        st.global.u32 [counter], %r1;
    //                ^^^^^^^^^ warning[W637]: 'counter' is written, but declared with '.unified' (line 5), which makes it read-only
        ret;
    }
    ```

    **Right:** a variable without the attribute: `.global .u32 counter;`

    ---

    Not reported if the address is in a register. ptxas accepts such variables only with `-c`. PTX ISA, ".attribute".
    """  # noqa: E501 (a caret line carries its message)
    for operand, symbol, _ in unified_accesses(context, Verb.WRITES):
        message = f"'{symbol.name}' is written, but declared with '{UNIFIED}'{HERE}, which makes it read-only"
        yield RULE.at(context.operand_span(operand), message).explained_by(symbol)
