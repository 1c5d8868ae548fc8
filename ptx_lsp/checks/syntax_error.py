"""E110 syntax-error."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E110")


def check(use: Use) -> Iterator[Finding]:
    """A statement that fits no rule of the grammar and no more telling one of the E1 family."""
    for diagnostic in syntax_errors(use.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)
