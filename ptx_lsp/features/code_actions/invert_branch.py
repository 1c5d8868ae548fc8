"""Refactoring: negate a guarded branch and swap its target with that of the branch after it."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.statement_lines import end_offset, neighbour
from ptx_lsp.syntax.tree import Instruction, Label
from ptx_lsp.text import Span


def invert_branch(request: ActionRequest) -> Iterator[CodeAction]:
    """Negate the guard of ``@p bra A; bra B;`` and swap the targets.

    If ``A:`` follows immediately, the second branch is removed.
    """
    context = request.context
    if context is None or (first := _branch(context)) is None or first.guard is None:
        return
    other = neighbour(context, 1)
    second = _branch(other) if other is not None else None
    if other is None or second is None or second.guard is not None or second.opcode != first.opcode:
        return
    start, other_start = request.start_of(context), request.start_of(other)
    name = context.span(first.guard.name).shifted(start)
    if first.guard.negated:
        guard = Edit(Span(context.span(0).shifted(start).start, name.end), f"@{context.word(first.guard.name)}")
    else:
        guard = Edit(Span(name.start, name.start), "!")
    mine, theirs = context.operand_span(first.operands[0]), other.operand_span(second.operands[0])
    here, there = context.text_of(first.operands[0]), other.text_of(second.operands[0])
    edits = [guard, Edit(mine.shifted(start), there)]
    if _is_label(neighbour(other, 1), here):
        edits.append(
            Edit(Span(end_offset(request.module, context), end_offset(request.module, other)), _kept_comments(other))
        )
        yield CodeAction(f"negate the guard and fall through to '{here}'", tuple(edits), kind=REWRITE)
        return
    edits.append(Edit(theirs.shifted(other_start), here))
    yield CodeAction("negate the guard and swap the targets", tuple(edits), kind=REWRITE)


def _kept_comments(context: StatementContext) -> str:
    """Return the comments before a statement, with the white space before them."""
    before = context.statement.text[: context.statement.lead]
    return before.rstrip() if "/" in before else ""


def _branch(context: StatementContext) -> Instruction | None:
    tree = context.instruction
    if tree is None or tree.opcode[0] != "bra" or len(tree.operands) != 1 or tree.operands[0].name < 0:
        return None
    return tree


def _is_label(context: StatementContext | None, name: str) -> bool:
    tree = context.statement.shape.tree if context is not None else None
    return context is not None and isinstance(tree, Label) and context.word(tree.name) == name
