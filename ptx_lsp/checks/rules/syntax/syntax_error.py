"""E110 syntax-error."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E110", phase=Phase.SYNTAX)


def check(context: StatementContext) -> Iterator[Finding]:
    """A statement that fits no rule of the grammar, and none of the more telling findings `E101` to `E109`.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.u32 %r1, [%rd1-4];
    //                      ^ error[E110]
    // ptxas: Parsing error near '-': syntax error
    ```

    **Right:** `ld.global.u32 %r1, [%rd1+-4];`

    **Fixes offered:** write `+-` for a negative offset; remove a `;` that ends nothing.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
