"""W636 missing-unified."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.attributes import UNIFIED
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.checks.support.finding import HERE, Finding, warning
from ptx_lsp.checks.support.mismatches import would_do
from ptx_lsp.checks.support.unified_accesses import accessed_tokens, names_unified, unified_accesses
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

RULE = warning("W636").in_trees(Instruction)


def accepts_shape(shape: Shape) -> bool:
    """Instructions that read a name which may be in global memory."""
    return bool(accessed_tokens(shape, Verb.READS))


def prefilter_names(_module: Module, scope: Scope, statement: Statement) -> bool:
    """Whether the name is a variable that is declared so."""
    return names_unified(scope, statement, Verb.READS)


def check(context: StatementContext) -> Iterator[Finding]:
    """A read of a variable with `.attribute(.unified(…))` whose address has no `.unified`.

    The qualifier tells ptxas that the address is the same on the host and on all devices. The manual requires it for
    such a variable; without it the behaviour is undefined.

    ```ptx
    //- sm_90 ptx 8.0 module
    .global .attribute(.unified(1, 2)) .u32 counter;
    .visible .entry kernel()
    {
        .reg .b32 %r<2>;
        ld.global.u32 %r1, [counter];
    //                     ^^^^^^^^^ warning[W636]: '.unified' is missing; 'counter' is declared with it (line 5)
        ret;
    }
    ```

    **Right:** `ld.global.u32 %r1, [counter].unified;`

    **Fixes offered:** add `.unified`.

    ---

    Copies to shared memory and other instructions that read the variable cannot have the qualifier: only a load may
    read it. Not reported if the address is in a register, and for writes and atomic operations (`W637`). ptxas accepts
    such variables only with `-c`. PTX ISA, "ld" and ".attribute".
    """
    for operand, symbol, is_written in unified_accesses(context, Verb.READS):
        if operand.selector or is_written:
            continue
        span = context.operand_span(operand)
        edit = Edit(Span(span.end, span.end), UNIFIED)
        if would_do(context, edit):
            message = f"'{UNIFIED}' is missing; '{symbol.name}' is declared with it"
            found = RULE.at(span, message, fixes=(Fix(f"add '{UNIFIED}'", (edit,)),))
        else:
            message = f"'{symbol.name}' is declared with '{UNIFIED}'{HERE}; only an 'ld' with '{UNIFIED}' may read it"
            found = RULE.at(span, message)
        yield found.explained_by(symbol)
