"""E404 operand-value."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.checks.mismatches import mismatches, mnemonic, place_of
from ptx_lsp.checks.wording import listed
from ptx_lsp.isa.match import Problem
from ptx_lsp.syntax.tree import OperandKind

RULE = error("E404")


def check(use: Use) -> Iterator[Finding]:
    """A constant outside the values that the instruction takes.

    ```ptx
    //- sm_80 ptx 7.0
    cp.async.ca.shared.global [%r1], [%rd1], 12;
    //                                       ^^ error[E404]
    // ptxas: Argument 2 of instruction 'cp.async': unexpected value '12', expected to be 4 or 8 or 16
    ```

    **Right:** `cp.async.ca.shared.global [%r1], [%rd1], 8;`
    """
    tree = use.instruction
    for operand in tree.operands if tree is not None else ():
        for part in (operand, *operand.parts):
            if part.offset is not None and part.offset.kind is OperandKind.FLOAT:
                text = use.text_of(part.offset)
                yield RULE.at(use.operand_span(part.offset), f"'{text}' is no integer; an address offset must be one")
    for mismatch in mismatches(use, Problem.OPERAND_VALUE):
        span = place_of(use, mismatch)
        text = use.statement.text[span.start : span.end]
        message = f"'{text}' is out of range; '{mnemonic(use)}' takes {listed(mismatch.wanted)} here"
        yield RULE.at(span, mismatch.message or message)
