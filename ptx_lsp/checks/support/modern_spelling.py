"""The spelling that a page puts in the place of a deprecated one, as a fix."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.mismatches import qualifier_span
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.form import Deprecated
from ptx_lsp.text import Span


def modern_spelling(context: StatementContext, one: Deprecated, at: int) -> Fix:
    """Write what the page says instead of the word ``at`` of the opcode; operands that it adds are added: a guess."""
    span = qualifier_span(context, at)
    if not one.instead:
        return Fix(f"remove '{one.word}'", (Edit(span, ""),))
    word, _, rest = one.instead.partition(" ")
    edits = [Edit(span, word)]
    tree = context.instruction
    assert tree is not None
    if rest.startswith("...") and tree.operands:
        end = context.operand_span(tree.operands[-1]).end
        edits.append(Edit(Span(end, end), rest[3:]))
    return Fix(f"write '{word}'", tuple(edits), is_sure=len(edits) == 1)
