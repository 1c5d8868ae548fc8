"""E103 malformed-number."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E103", phase=Phase.SYNTAX)


def check(context: StatementContext) -> Iterator[Finding]:
    """A number in a form that no PTX constant has.

    Integers: `10`, `0x1F`, `017`, `0b101`, each with `U` after it if wanted. Floats: `1.5`, `2.0e-3`, or their bits:
    `0f` with 8 hexadecimal digits for `.f32`, `0d` with 16 for `.f64`.

    ```ptx
    //- sm_80 ptx 7.0
    mov.f32 %f1, 0f3F80;
    //           ^^^^^^ error[E103]
    // ptxas: Parsing error near 'f3F80': syntax error
    ```

    **Right:** `mov.f32 %f1, 0f3F800000;`
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
