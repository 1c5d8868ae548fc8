"""E108 non-ascii."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E108")


def check(use: Use) -> Iterator[Finding]:
    """A character outside ASCII. ptxas refuses the whole file for one, even in a comment or a string.

    ```ptx
    //- sm_80 ptx 7.0
    mov.u32 %r1, 90;  // 90°
    //                     ^ error[E108]
    ```

    **Right:** `mov.u32 %r1, 90;  // 90 degrees`
    """
    for diagnostic in syntax_errors(use.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
