"""Refactorings of ``.reg`` declarations: expand, fold, split, and shrink to the registers in use.

Source: PTX ISA, "Parameterized Variable Names".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ptx_lsp.analysis.references.occurrences import Access, occurrences
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind, split_number
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.statement_lines import indentation
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Declaration, Declarator
from ptx_lsp.text import Span

_MOST = 64
"""The maximum number of registers of a group that is expanded."""


def register_declarations(request: ActionRequest) -> Iterator[CodeAction]:
    """Offer the refactorings of the ``.reg`` declaration under the cursor."""
    context = request.context
    if context is None or context.statement.kind != Kind.REGISTERS or context.statement.shape.errors:
        return
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration) or tree.space != ".reg":
        return
    yield from _expanded(request, context, tree)
    yield from _folded(request, context, tree)
    yield from _split(request, context, tree)
    yield from _cut(request, context, tree)


def _count(context: StatementContext, one: Declarator) -> int:
    word = context.word(one.count)
    return int(word) if word.isdecimal() else 0


def _touched(request: ActionRequest, context: StatementContext, tree: Declaration) -> list[Declarator]:
    """Return the declarators in the selection; all of them if it touches none."""
    start = request.start_of(context)
    found = []
    for one in tree.declarators:
        span = _span(context, one).shifted(start)
        if span.start <= request.span.end and request.span.start <= span.end:
            found.append(one)
    return found or list(tree.declarators)


def _span(context: StatementContext, one: Declarator) -> Span:
    """Return the span of a name with its count in angle brackets."""
    if one.count < 0:
        return context.span(one.name)
    return Span(context.span(one.name).start, context.span(one.count + 1).end)


def _expanded(request: ActionRequest, context: StatementContext, tree: Declaration) -> Iterator[CodeAction]:
    start = request.start_of(context)
    for one in _touched(request, context, tree):
        count = _count(context, one) if one.count >= 0 else 0
        if not count:
            continue
        prefix = context.word(one.name)
        title = f"expand '{prefix}<{count}>'"
        if count > _MOST:
            yield CodeAction(title, kind=REWRITE, disabled=f"{count} names; at most {_MOST} can be expanded")
            continue
        names = ", ".join(f"{prefix}{number}" for number in range(count))
        yield CodeAction(title, (Edit(_span(context, one).shifted(start), names),), kind=REWRITE)


def _folded(request: ActionRequest, context: StatementContext, tree: Declaration) -> Iterator[CodeAction]:
    """Fold consecutive names with one prefix into a parameterized declaration."""
    start = request.start_of(context)
    touched = _touched(request, context, tree)

    def prefix_of(one: Declarator) -> str:
        parts = split_number(context.word(one.name)) if one.count < 0 else None
        return parts[0] if parts is not None else ""

    for prefix, run in groupby(tree.declarators, prefix_of):
        row = list(run)
        if not prefix or len(row) < 2 or not any(one in touched for one in row):
            continue
        numbers = [context.word(one.name)[len(prefix) :] for one in row]
        title = f"fold into '{prefix}<{len(row)}>'"
        if prefix in context.scope.groups:
            yield CodeAction(title, kind=REWRITE, disabled=f"'{prefix}<…>' is already declared")
            continue
        missing = next((str(at) for at in range(len(row)) if str(at) not in numbers), None)
        if missing is not None:
            reason = f"'{prefix}{missing}' is missing: the numbers must start at 0 without gaps"
            yield CodeAction(title, kind=REWRITE, disabled=reason)
            continue
        whole = Span(context.span(row[0].name).start, context.span(row[-1].name).end)
        yield CodeAction(title, (Edit(whole.shifted(start), f"{prefix}<{len(row)}>"),), kind=REWRITE)


def _split(request: ActionRequest, context: StatementContext, tree: Declaration) -> Iterator[CodeAction]:
    """Split a declaration into one per name."""
    if len(tree.declarators) < 2:
        return
    start, text = request.start_of(context), context.statement.text
    head = text[context.statement.lead : context.span(tree.declarators[0].name).start]
    between = f";\n{indentation(context)}{head}"
    edits = []
    for before, one in zip(tree.declarators, tree.declarators[1:], strict=False):
        gap = Span(_span(context, before).end, context.span(one.name).start)
        if "/" in text[gap.start : gap.end]:
            return  # a comment would be lost
        edits.append(Edit(gap.shifted(start), between))
    yield CodeAction(f"split into {len(edits) + 1} declarations", tuple(edits), kind=REWRITE)


def _cut(request: ActionRequest, context: StatementContext, tree: Declaration) -> Iterator[CodeAction]:
    """Reduce a group's count to the registers in use. It searches the whole function, so only on explicit request."""
    if request.is_automatic:
        return
    for one in _touched(request, context, tree):
        symbol = context.scope.groups.get(context.word(one.name)) if one.count >= 0 else None
        if symbol is None or symbol.kind is not SymbolKind.REGISTER or symbol.place.token != one.name:
            continue
        highest = -1
        for found in occurrences(request.semantics, symbol):
            if found.access is not Access.DECLARE:
                word = found.chunk.part(found.statement)[found.start : found.start + found.length]
                highest = max(highest, int(word[len(symbol.name) :] or 0))
        count = highest + 1
        if 0 < count < _count(context, one):
            edit = Edit(context.span(one.count).shifted(request.start_of(context)), str(count))
            yield CodeAction(f"reduce to '{symbol.name}<{count}>', the registers that are used", (edit,), kind=REWRITE)
