"""W603 non-ascii-comment."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.checks.support.in_ascii import with_ascii
from ptx_lsp.syntax.errors import syntax_errors

RULE = warning("W603").for_syntax_errors()


def check(context: StatementContext) -> Iterator[Finding]:
    """A character outside ASCII in a comment. ptxas before CUDA 13.1 refuses the whole file.

    ```ptx
    //- sm_80 ptx 7.0
    ret; // naïve
    //        ^ warning[W603]: 'ï' is not ASCII; ptxas before CUDA 13.1 refuses it even in comments
    // ptxas: accepts it
    ```

    **Right:** `ret; // naive`

    **Fixes offered:** the ASCII characters that look like it.

    ---

    Ignore this code if no older ptxas, of a toolkit or of a driver, will read the file.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(with_ascii(diagnostic, context.statement))
