"""E426 missing-label."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.checks.support.finding import PlacedFinding, error

RULE = error("E426").for_faults(StructureFaultKind.UNLABELLED)


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """A `.branchtargets`, `.calltargets` or `.callprototype` without a label.

    ```ptx
    //- sm_80 ptx 7.0
    .branchtargets FIRST, SECOND;
    // <--- error[E426]: '.branchtargets' requires a label before it: 'name: .branchtargets …'
    FIRST:
    SECOND:
    // ptxas: Parsing error near '.branchtargets': syntax error
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    TABLE: .branchtargets FIRST, SECOND;
    FIRST:
    SECOND:
    ```
    """
    for fault in function.faults:
        if fault.fault is StructureFaultKind.UNLABELLED:
            statement = fault.place.chunk.statement(fault.place.statement)
            word = statement.word(0)
            message = f"'{word}' requires a label before it: 'name: {word} …'"
            yield PlacedFinding(fault.place, RULE.at(statement.span(0), message))
