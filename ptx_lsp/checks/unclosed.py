"""E104 unclosed."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.function import Fault, Function
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.errors import syntax_errors

RULE = error("E104")


def check(use: Use) -> Iterator[Finding]:
    """A string, comment, bracket or brace that is opened and never closed, or closed and never opened.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel()
    {
    // <--- error[E104]
        ret;
    // ptxas: Parsing error near '': syntax error
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel()
    {
        ret;
    }
    ```

    **Fixes offered:** insert the bracket that is missing; remove a `}` that closes nothing.

    ---

    A brace is marked where it is opened. The next function is read as if the brace had been closed before it.
    """
    for diagnostic in syntax_errors(use.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """Braces that do not pair within a function."""
    for fault in function.faults:
        statement = fault.place.chunk.statement(fault.place.statement)
        span = statement.span(0) if fault.fault in (Fault.UNCLOSED_BRACE, Fault.UNMATCHED_BRACE) else None
        if span is None:
            continue
        if fault.fault is Fault.UNCLOSED_BRACE:
            yield PlacedFinding(fault.place, RULE.at(span, "this '{' is never closed"))
        else:
            remove = Fix("remove '}'", (Edit(span, ""),))
            yield PlacedFinding(fault.place, RULE.at(span, "'}' closes nothing", fixes=(remove,)))
