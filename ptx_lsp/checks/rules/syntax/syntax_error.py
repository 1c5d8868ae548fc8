"""E110 syntax-error."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E110", phase=Phase.SYNTAX).for_syntax_errors()


def check(context: StatementContext) -> Iterator[Finding]:
    """A statement that the PTX grammar does not allow, if none of the more specific errors `E101` to `E109` fits.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.u32 %r1, [%rd1-4];
    //                      ^ error[E110]: '-' cannot follow '%rd1'; a negative offset is written '+-'
    // ptxas: Parsing error near '-': syntax error
    ```

    **Right:** `ld.global.u32 %r1, [%rd1+-4];`

    **Fixes offered:** write `+-` for a negative offset; remove a `;` without a statement.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
