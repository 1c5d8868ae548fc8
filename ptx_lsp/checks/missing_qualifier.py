"""E303 missing-qualifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.checks.mismatches import mismatches, mnemonic
from ptx_lsp.checks.wording import listed
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.match import Problem
from ptx_lsp.text import Span

RULE = error("E303")


def check(use: Use) -> Iterator[Finding]:
    """A qualifier or type that the instruction cannot do without.

    ```ptx
    //- sm_80 ptx 7.0
    cvt.f32.s32 %f1, %r1;
    // <--- error[E303]
    // ptxas: Rounding modifier required for instruction 'cvt'
    ```

    **Right:** `cvt.rn.f32.s32 %f1, %r1;`

    **Fixes offered:** insert it, where only one is possible.
    """
    for mismatch in mismatches(use, Problem.MISSING_QUALIFIER):
        span = use.opcode_span()
        fixes: tuple[Fix, ...] = ()
        if len(mismatch.wanted) == 1:
            insert = Edit(Span(span.end, span.end), mismatch.wanted[0])
            fixes = (Fix(f"insert '{mismatch.wanted[0]}'", (insert,)),)
            message = f"'{mnemonic(use)}' needs '{mismatch.wanted[0]}' here"
        elif mismatch.wanted:
            message = f"'{mnemonic(use)}' needs one of {listed(mismatch.wanted)}"
        else:
            message = f"'{mnemonic(use)}' lacks a qualifier"
        yield RULE.at(span, mismatch.message or message, fixes=fixes)
