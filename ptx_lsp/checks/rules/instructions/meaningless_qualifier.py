"""W601 meaningless-qualifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.checks.support.mismatches import mnemonic, notes, removal
from ptx_lsp.isa.model.match_result import Problem

RULE = warning("W601").for_problems(Problem.MEANINGLESS)


def check(context: StatementContext) -> Iterator[Finding]:
    """A qualifier that the instruction does not have and that ptxas silently ignores.

    ```ptx
    //- sm_80 ptx 7.0
    add.acc::f32.s32 %r1, %r2, %r3;
    // ^^^^^^^^^ warning[W601]: '.acc::f32' has no effect on 'add'; ptxas ignores it
    // ptxas: accepts it
    ```

    **Right:** `add.s32 %r1, %r2, %r3;`

    **Fixes offered:** remove it.
    """
    for note in notes(context, Problem.MEANINGLESS):
        word, span, fix = removal(context, note)
        yield RULE.at(span, f"'{word}' has no effect on '{mnemonic(context)}'; ptxas ignores it", fixes=(fix,))
