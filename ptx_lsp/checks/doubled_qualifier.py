"""W602 doubled-qualifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, warning
from ptx_lsp.checks.mismatches import notes, qualifier_span
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.match import Problem

RULE = warning("W602")


def check(use: Use) -> Iterator[Finding]:
    """A qualifier that is written twice. For a few, such as `.uni` and `.sat`, ptxas takes that; else it is `E305`.

    ```ptx
    //- sm_80 ptx 7.0
    bra.uni.uni DONE;
    //     ^^^^ warning[W602]
    DONE:
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    bra.uni DONE;
    DONE:
    ```

    **Fixes offered:** remove the second.
    """
    for note in notes(use, Problem.DOUBLED):
        tree = use.instruction
        assert tree is not None
        span = qualifier_span(use, note.qualifier)
        word = tree.opcode[note.qualifier]
        yield RULE.at(span, f"'{word}' is written twice", fixes=(Fix(f"remove '{word}'", (Edit(span, ""),)),))
