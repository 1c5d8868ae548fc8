"""W602 doubled-qualifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.checks.support.mismatches import notes, removal
from ptx_lsp.isa.model.match_result import Problem

RULE = warning("W602").for_problems(Problem.DOUBLED)


def check(context: StatementContext) -> Iterator[Finding]:
    """A qualifier that is written twice. ptxas accepts this for `.uni`, `.sat` and a few others; else it is `E305`.

    ```ptx
    //- sm_80 ptx 7.0
    bra.uni.uni DONE;
    //     ^^^^ warning[W602]: '.uni' is written twice
    DONE:
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    bra.uni DONE;
    DONE:
    ```

    **Fixes offered:** remove the second one.
    """
    for note in notes(context, Problem.DOUBLED):
        word, span, fix = removal(context, note)
        yield RULE.at(span, f"'{word}' is written twice", fixes=(fix,))
