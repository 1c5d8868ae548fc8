"""E304 conflicting-qualifiers."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, mnemonic, place_of
from ptx_lsp.checks.support.wording import listed
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E304").for_problems(Problem.CONFLICT)


def check(context: StatementContext) -> Iterator[Finding]:
    """Two qualifiers that exclude each other; each is legal without the other.

    ```ptx
    //- sm_80 ptx 7.4
    ld.global.cg.L1::evict_first.u32 %r1, [%rd1];
    //          ^^^^^^^^^^^^^^^^ error[E304]: '.L1::evict_first' cannot be combined with '.cg' in 'ld'
    // ptxas: Modifier '.evict_first' cannot be combined with modifier '.cg'
    ```

    **Right:** `ld.global.L1::evict_first.u32 %r1, [%rd1];`
    """
    for mismatch in mismatches(context, Problem.CONFLICT):
        tree = context.instruction
        assert tree is not None
        span = place_of(context, mismatch)
        word = context.statement.text[span.start : span.end]
        if mismatch.message:
            message = mismatch.message
        elif mismatch.other > 0:
            message = f"'{word}' cannot be combined with '{tree.opcode[mismatch.other]}' in '{mnemonic(context)}'"
        elif mismatch.wanted:
            message = f"'{word}' is not allowed in this '{mnemonic(context)}'; expected {listed(mismatch.wanted)}"
        else:
            message = f"'{word}' is not allowed in this '{mnemonic(context)}'"
        yield RULE.at(span, message)
