"""E108 non-ascii."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E108")


def check(use: Use) -> Iterator[Finding]:
    """A character outside ASCII. ptxas refuses the whole file for one; up to 13.0 even where it stands in a comment.

    ```ptx
    //- sm_80 ptx 7.0
    .pragma "naïve";
    //         ^ error[E108]
    // ptxas: Unexpected non-ASCII character encountered on line 1
    ```

    **Right:** `.pragma "naive";`

    ---

    ptxas 13.5 takes such characters in comments, and in no other place.
    """
    for diagnostic in syntax_errors(use.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
