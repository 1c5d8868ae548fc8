"""W601 meaningless-qualifier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, warning
from ptx_lsp.checks.mismatches import mnemonic, notes, qualifier_span
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.match import Problem

RULE = warning("W601")


def check(use: Use) -> Iterator[Finding]:
    """A qualifier that the instruction does not have and ptxas silently ignores.

    **Fixes offered:** remove it.
    """
    for note in notes(use, Problem.MEANINGLESS):
        tree = use.instruction
        assert tree is not None
        span = qualifier_span(use, note.qualifier)
        word = tree.opcode[note.qualifier]
        message = f"'{word}' has no meaning for '{mnemonic(use)}'; ptxas ignores it"
        yield RULE.at(span, message, fixes=(Fix(f"remove '{word}'", (Edit(span, ""),)),))
