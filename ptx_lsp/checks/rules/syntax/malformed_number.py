"""E103 malformed-number."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E103", phase=Phase.SYNTAX).for_syntax_errors()


def check(context: StatementContext) -> Iterator[Finding]:
    """A number that is not a PTX constant.

    Integers: `10`, `0x1F`, `017`, `0b101`, each with an optional suffix `U`. Floats: `1.5`, `2.0e-3`, or their bits:
    `0f` with 8 hexadecimal digits for `.f32`, `0d` with 16 for `.f64`.

    ```ptx
    //- sm_80 ptx 7.0
    mov.f32 %f1, 0f3F80;
    //           ^^^^^^ error[E103]: '0f3F80' is not a number: '0f' must have 8 hexadecimal digits, not 4
    // ptxas: Parsing error near 'f3F80': syntax error
    ```

    **Right:** `mov.f32 %f1, 0f3F800000;`
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
