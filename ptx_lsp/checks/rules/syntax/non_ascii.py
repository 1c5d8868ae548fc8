"""E108 non-ascii."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.checks.support.in_ascii import with_ascii
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E108", phase=Phase.SYNTAX).for_syntax_errors()


def check(context: StatementContext) -> Iterator[Finding]:
    """A character outside ASCII, also in a string. ptxas refuses the whole file.

    ```ptx
    //- sm_80 ptx 7.0
    .pragma "nounröll";
    //            ^ error[E108]: 'ö' is not ASCII; PTX allows only ASCII
    // ptxas: Unexpected non-ASCII character encountered on line 1
    ```

    **Right:** `.pragma "nounroll";`

    **Fixes offered:** the ASCII characters that look like it.

    ---

    In comments ptxas accepts such characters since CUDA 13.1: there they are `W603`. A NUL byte is an error in
    comments, too.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(with_ascii(diagnostic, context.statement))
