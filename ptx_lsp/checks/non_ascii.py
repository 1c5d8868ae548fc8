"""E108 non-ascii."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E108")


def check(use: Use) -> Iterator[Finding]:
    """A character outside ASCII. ptxas refuses the whole file for one, even in a comment or a string.

    **Fixes offered:** none; write it in ASCII.
    """
    for diagnostic in syntax_errors(use.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
