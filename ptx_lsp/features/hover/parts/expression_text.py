"""Values as expressions: ``= param_0 + 16 * i``, and what ``i`` counts."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.cursor.expressions import ExpressionReader, KnownExpression, legend
from ptx_lsp.analysis.references.register_writes import accesses_at, is_register
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.hover.parts.hover_info import line_link
from ptx_lsp.syntax.tree import Operand


def expression_note(cursor: Cursor) -> str:
    """Return the value of the register at the cursor: before the instruction, or after its write; empty if unknown."""
    context, semantics = cursor.context, cursor.semantics
    if not is_register(context, cursor.symbol):
        return ""
    _, is_written = accesses_at(semantics, context, cursor.token)
    found = ExpressionReader(semantics, context.function).register(context, cursor.word, after=is_written)
    if found is None or (is_written and not found.is_known):
        return ""
    return _in_words(semantics, cursor.word, found)


def address_note(semantics: Semantics, context: StatementContext, operand: Operand) -> str:
    """Return the address that an operand in brackets is; empty if no more is known than it says."""
    if not context.is_inside:
        return ""
    found = ExpressionReader(semantics, context.function).address(context, operand)
    if found is None:
        return ""
    return _in_words(semantics, " ".join(context.text_of(operand).split()), found)


def _in_words(semantics: Semantics, what: str, found: KnownExpression) -> str:
    counters = legend(semantics, found, line_link)
    return f"`{what}` = `{found.text}`" + (f" ({counters})" if counters else "")
