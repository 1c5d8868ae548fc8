"""E425 missing-body."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.checks.support.finding import PlacedFinding, error

RULE = error("E425").for_faults(StructureFaultKind.NO_BODY)


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """A kernel without a body, and without the `;` of a declaration.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel()
    //     ^^^^^^ error[E425]: 'kernel' has no body; expected '{' or ';' after its head
    // ptxas: Parsing error near '': syntax error
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() { ret; }
    ```

    ---

    ptxas reports the next word, and accepts a `.func` without both.
    """
    for fault in function.faults:
        if fault.fault is StructureFaultKind.NO_BODY and fault.symbol is not None:
            span = fault.place.chunk.statement(fault.place.statement).span(fault.place.token)
            message = f"'{fault.symbol.name}' has no body; expected '{{' or ';' after its head"
            yield PlacedFinding(fault.place, RULE.at(span, message))
