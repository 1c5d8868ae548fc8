"""Refactoring: merge adjacent ``.reg`` declarations of one type."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.statement_lines import end_offset, neighbour
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Declaration
from ptx_lsp.text import Span

_MOST = 256
"""The maximum number of declarations examined in each direction."""


def merge_declarations(request: ActionRequest) -> Iterator[CodeAction]:
    """Merge the declaration under the cursor with adjacent ones; other types may stand in between."""
    context = request.context
    if context is None or (own := _registers(context)) is None:
        return
    row = [*reversed(_beside(context, -1)), context, *_beside(context, 1)]
    alike = [one for one in row if (tree := _registers(one)) is not None and _type(tree) == _type(own)]
    if len(alike) < 2:
        return
    title = f"join {len(alike)} declarations of '.reg {_type(own)}'"
    first, *others = alike
    end = end_offset(request.module, first) - 1
    names = "".join(f", {_names(one)}" for one in others)
    edits = [Edit(Span(end, end), names)]
    for one in others:
        start = request.start_of(one)
        edits.append(Edit(Span(start, end_offset(request.module, one)), ""))
    yield CodeAction(title, tuple(edits), kind=REWRITE)


def _registers(context: StatementContext) -> Declaration | None:
    """Return the tree of a ``.reg`` declaration without errors that declares something; ptxas also accepts others."""
    tree = context.statement.shape.tree
    if context.statement.kind != Kind.REGISTERS or context.statement.shape.errors or not isinstance(tree, Declaration):
        return None
    is_plain = tree.space == ".reg" and tree.align < 0 and tree.linkage < 0 and not tree.attributes and tree.declarators
    return tree if is_plain and context.word(-1) == ";" else None


def _type(tree: Declaration) -> str:
    return f"{tree.vector} {tree.type}".strip()


def _names(context: StatementContext) -> str:
    """Return the declared names as written."""
    tree = _registers(context)
    assert tree is not None
    return context.statement.text[context.span(tree.declarators[0].name).start : context.span(-1).start].rstrip()


def _beside(context: StatementContext, by: int) -> list[StatementContext]:
    """Return the consecutive ``.reg`` declarations after or before another, up to any other statement or comment."""
    found: list[StatementContext] = []
    last, next_ = context, neighbour(context, by)
    while next_ is not None and _registers(next_) is not None and len(found) < _MOST:
        compute_edits = next_ if by > 0 else last
        if "/" in compute_edits.statement.text[: compute_edits.statement.lead]:
            break
        found.append(next_)
        last, next_ = next_, neighbour(next_, by)
    return found
