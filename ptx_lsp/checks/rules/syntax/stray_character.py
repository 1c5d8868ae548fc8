"""E102 stray-character."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E102", phase=Phase.SYNTAX).for_syntax_errors()


def check(context: StatementContext) -> Iterator[Finding]:
    """A character that is not part of PTX syntax.

    ```ptx
    //- sm_80 ptx 7.0
    add.s32 %r1, %r2, `%r3;
    //                ^ error[E102]: stray character '`'
    // ptxas: Parsing error near '`': syntax error
    ```

    **Right:** `add.s32 %r1, %r2, %r3;`

    **Fixes offered:** remove it.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
