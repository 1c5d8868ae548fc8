"""E103 malformed-number."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E103")


def check(use: Use) -> Iterator[Finding]:
    """A number that is written as no PTX literal is.

    Integers: `10`, `0x1F`, `017`, `0b101`, each with an optional `U`. Floats: `1.5`, `2.0e-3`, or exact bits
    as `0f` with 8 hexadecimal digits (single) and `0d` with 16 (double).

    ```ptx
    //- sm_80 ptx 7.0
    mov.f32 %f1, 0f3F80;
    //           ^^^^^^ error[E103]
    ```

    **Right:** `mov.f32 %f1, 0f3F800000;`
    """
    for diagnostic in syntax_errors(use.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
