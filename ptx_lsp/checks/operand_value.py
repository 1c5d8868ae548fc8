"""E404 operand-value."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.checks.mismatches import mismatches, mnemonic, place_of
from ptx_lsp.checks.wording import listed
from ptx_lsp.isa.match import Problem

RULE = error("E404")


def check(use: Use) -> Iterator[Finding]:
    """A constant outside the values that the instruction takes.

    ```ptx
    //- sm_80 ptx 7.0
    cp.async.ca.shared.global [%r1], [%rd1], 12;
    //                                       ^^ error[E404]
    ```
    """
    for mismatch in mismatches(use, Problem.OPERAND_VALUE):
        span = place_of(use, mismatch)
        text = use.statement.text[span.start : span.end]
        message = f"'{text}' is out of range; '{mnemonic(use)}' takes {listed(mismatch.wanted)} here"
        yield RULE.at(span, mismatch.message or message)
