"""Refactoring: enclose the selected statements in a block.

Source: PTX ISA, "Scope of names": declarations in a block are local to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.references.occurrences import occurrences
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.statement_lines import end_offset, first_token_offset, indentation
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.text import Span

_MOST = 2000
"""The maximum number of selected statements."""


def enclose_in_block(request: ActionRequest) -> Iterator[CodeAction]:
    """Offer to enclose the selection in braces. It searches the function for uses, so only on explicit request."""
    if request.span.start == request.span.end or request.is_automatic:
        return
    selected = _selected(request)
    if not selected or not all(context.is_inside for context in selected):
        return
    title = "enclose the selection in braces"
    reason = _reason_against(request, selected)
    if reason:
        yield CodeAction(title, kind=REWRITE, disabled=reason)
        return
    first, last = selected[0], selected[-1]
    start, end = first_token_offset(request.module, first), end_offset(request.module, last)
    outer = indentation(first)
    step = "\t" if outer.endswith("\t") else "    "
    edits = [Edit(Span(start, start), f"{{\n{outer}{step}")]
    text = request.module.document.slice(Span(start, end))
    at = text.find("\n")
    while at >= 0:
        line = start + at + 1
        if text[at + 1 : at + 2] not in ("\n", ""):
            edits.append(Edit(Span(line, line), step))
        at = text.find("\n", at + 1)
    edits.append(Edit(Span(end, end), f"\n{outer}}}"))
    yield CodeAction(title, tuple(edits), kind=REWRITE)


def _selected(request: ActionRequest) -> list[StatementContext]:
    """Return the statements in the selection; empty if it cuts a statement or is too long."""
    module, span = request.module, request.span
    document = module.document
    if not document.chunks or span.end > document.length:
        return []
    number, index, _ = document.locate(min(span.start, document.length - 1))
    found: list[StatementContext] = []
    while number < len(document.chunks):
        chunk = document.chunks[number]
        context = StatementContext(module, module.function_of(chunk), chunk, index)
        if context.statement.tokens:
            start, end = first_token_offset(module, context), end_offset(module, context)
            if start >= span.end:
                break
            if end > span.start:
                if start < span.start or end > span.end or len(found) > _MOST:
                    return []
                found.append(context)
        index += 1
        if index == len(chunk):
            number, index = number + 1, 0
    return found


def _reason_against(request: ActionRequest, selected: list[StatementContext]) -> str:
    """Return why a block around these statements would change name lookup; empty if it would not."""
    depth = 0
    for context in selected:
        depth += (context.statement.kind == Kind.OPEN) - (context.statement.kind == Kind.CLOSE)
        if depth < 0 or context.statement.kind in HEADS:
            return "the selection has unbalanced braces"
    if depth:
        return "the selection has unbalanced braces"
    inside = {(context.chunk, context.index) for context in selected}
    for symbol in _declared(selected):
        for one in occurrences(request.semantics, symbol):
            if (one.chunk, one.statement) not in inside:
                return f"'{symbol.name}' is declared here and used outside of the selection"
    return ""


def _declared(selected: list[StatementContext]) -> Iterator[Symbol]:
    """Yield the symbols that the selected statements declare."""
    inside = {(context.chunk, context.index) for context in selected}
    for scope in dict.fromkeys(context.scope for context in selected):
        for symbol in (*scope.names.values(), *scope.groups.values()):
            if (symbol.place.chunk, symbol.place.statement) in inside:
                yield symbol
