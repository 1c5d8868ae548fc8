"""E101 missing-token."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E101")


def check(use: Use) -> Iterator[Finding]:
    """Something that the grammar requires is not there: a `;`, a `,`, an operand, a closing bracket.

    The place is where it is missing, not the next token that surprises: a forgotten `;` is
    reported at the end of its own line.

    ```ptx
    //- sm_80 ptx 7.0
    add.s32 %r1, %r2, %r3
    //                   ^ error[E101]
    sub.s32 %r1, %r1, 1;
    ```

    **Right:** `add.s32 %r1, %r2, %r3;`

    **Fixes offered:** insert what is missing.
    """
    for diagnostic in syntax_errors(use.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
