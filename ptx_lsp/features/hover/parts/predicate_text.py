"""The condition of a predicate, at the cursor and in the table of an instruction."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.references.tally import Tally
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.hover.parts.conditions import condition_after, condition_before
from ptx_lsp.features.hover.parts.hover_info import line_link
from ptx_lsp.features.hover.parts.known_value import is_written
from ptx_lsp.syntax.tree import Operand, OperandKind

_PREDICATE = ".pred"
_CONSTANT = {"true": "always executed", "false": "never executed"}
"""The conditions that do not depend on anything, and what they mean for a guard."""


def predicate_note(cursor: Cursor, symbol: Symbol, places: Tally) -> str:
    """Return when the predicate under the cursor is true, or for a negated guard false; empty if unknown."""
    context = cursor.context
    tree = context.instruction
    if symbol.kind is not SymbolKind.REGISTER or symbol.type != _PREDICATE or tree is None:
        return ""
    if is_written(cursor):
        found = condition_after(cursor.semantics, context, cursor.token)
        if found is not None and found.text in _CONSTANT:
            return f"becomes {found.text}"
        return f"becomes true where {found.text}" if found is not None else ""
    found = condition_before(cursor.semantics, context, cursor.word, found=places)
    if found is None or found.made is None:
        return ""
    is_negated_guard = tree.guard is not None and tree.guard.name == cursor.token and tree.guard.negated
    shown = f"false where {found.opposite}" if is_negated_guard else f"true where {found.text}"
    if found.text in _CONSTANT:
        shown = found.text
    return f"{shown}, as of {line_link(context.module.positions.line_of(found.made.place))}"


def guard_in_words(semantics: Semantics, context: StatementContext, name: str, *, negated: bool) -> str:
    """Return when a guarded instruction is executed; by the predicate's name if the condition is unknown."""
    found = condition_before(semantics, context, name, negated=negated)
    if found is not None and found.text in _CONSTANT:
        return _CONSTANT[found.text]
    return f"executed where {found.text if found is not None else f'{name} is ' + ('false' if negated else 'true')}"


def condition_of(semantics: Semantics, context: StatementContext, operand: Operand) -> str:
    """Return the condition of a predicate operand that is read; empty for other operands or if unknown."""
    if operand.kind is not OperandKind.NAME or operand.name < 0:
        return ""
    symbol = context.symbols.get(operand.name)
    if symbol is None or symbol.kind is not SymbolKind.REGISTER or symbol.type != _PREDICATE:
        return ""
    found = condition_before(semantics, context, context.word(operand.name), negated=operand.sign == "!")
    return found.text if found is not None else ""
