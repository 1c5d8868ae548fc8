"""E107 unknown-directive."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E107", phase=Phase.SYNTAX).for_syntax_errors()


def check(context: StatementContext) -> Iterator[Finding]:
    """A word with a leading dot that is not a PTX directive.

    ```ptx
    //- sm_80 ptx 7.0 module
    .visble .entry kernel() { ret; }
    // <--- error[E107]: unknown directive '.visble'; did you mean '.visible'?
    // ptxas: Parsing error near '.visble': syntax error
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .visible .entry kernel() { ret; }
    ```

    **Fixes offered:** the directive with the most similar spelling.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
