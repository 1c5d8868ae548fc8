"""Hover of declared names: registers, variables, parameters, labels, functions."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.given_names import is_given
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.hover.functions import function
from ptx_lsp.features.hover.labels import label, listed_labels
from ptx_lsp.features.hover.parts.declaration_text import declaration
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, line_link
from ptx_lsp.features.hover.registers import register
from ptx_lsp.features.hover.variables import variable

_DESCRIBERS = {
    SymbolKind.REGISTER: register,
    SymbolKind.VARIABLE: variable,
    SymbolKind.PARAMETER: variable,
    SymbolKind.LABEL: label,
    SymbolKind.FUNCTION: function,
}
_OTHERS = {SymbolKind.PROTOTYPE: "prototype of an indirect call", SymbolKind.TARGETS: "list of targets"}


def declared_name(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """Return the hover of a name with its declaration and its uses."""
    if is_given(symbol):
        return HoverInfo(cursor.span, lead=("computed by the code around the template; not known here",))
    describe = _DESCRIBERS.get(symbol.kind)
    if describe is not None:
        return describe(cursor, symbol)
    line = cursor.context.module.positions.line_of(symbol.place)
    lead = f"`{cursor.word}`: {_OTHERS[symbol.kind]}, in {line_link(line)}"
    targets = listed_labels(cursor.context, symbol) if symbol.kind is SymbolKind.TARGETS else ""
    notes = (targets,) if targets else ()
    return HoverInfo(
        cursor.span, code=(declaration(symbol), *_directive(cursor.context, symbol)), lead=(lead,), notes=notes
    )


def _directive(context: StatementContext, symbol: Symbol) -> tuple[str, ...]:
    """Return the directive after the label of a prototype or target list."""
    chunk, index, _ = symbol.place
    place = context.module.function_of(chunk).after(chunk, index)
    if place is None:
        return ()
    following = place.chunk.statement(place.statement)
    return (" ".join(following.text[following.lead :].split()),)


def unknown_name(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of an undeclared name; None where names are not resolved, as in ``.file``."""
    if cursor.word == "_":
        return HoverInfo(cursor.span, lead=("`_`: this result is discarded",))
    if any(token == cursor.token for token, _ in cursor.context.statement.shape.names):
        return HoverInfo(cursor.span, lead=(f"`{cursor.word}` is not declared here",))
    return None
