"""E305 duplicate-qualifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, removal
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E305").for_problems(Problem.DUPLICATE_QUALIFIER)


def check(context: StatementContext) -> Iterator[Finding]:
    """A second qualifier of a kind that can be written only once.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.global.u32 %r1, [%rd1];
    //       ^^^^^^^ error[E305]: '.global' is written twice
    // ptxas: Unexpected number of state spaces specified in instruction 'ld'
    ```

    **Right:** `ld.global.u32 %r1, [%rd1];`

    **Fixes offered:** remove it.

    ---

    If ptxas accepts the second one, it is `W602`.
    """
    for mismatch in mismatches(context, Problem.DUPLICATE_QUALIFIER):
        tree = context.instruction
        assert tree is not None
        word, span, fix = removal(context, mismatch)
        other = tree.opcode[mismatch.other] if mismatch.other >= 0 else word
        message = (
            f"'{word}' is written twice"
            if other == word
            else f"'{word}' conflicts with '{other}': only one of them is allowed"
        )
        yield RULE.at(span, message, fixes=(fix,))
