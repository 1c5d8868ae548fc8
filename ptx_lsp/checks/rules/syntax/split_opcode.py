"""E105 split-opcode."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E105", phase=Phase.SYNTAX).for_syntax_errors()


def check(context: StatementContext) -> Iterator[Finding]:
    """A space inside an opcode. ptxas accepts none between a dot and its word.

    ```ptx
    //- sm_80 ptx 7.0
    add. s32 %r1, %r2, %r3;
    // ^^^^^ error[E105]: space inside the qualifier '.s32'
    // ptxas: Parsing error near '.': syntax error
    ```

    **Right:** `add.s32 %r1, %r2, %r3;`

    **Fixes offered:** remove the space.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
