"""Positions of statements in lines, for edits of whole statements."""

from __future__ import annotations

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext


def indentation(context: StatementContext) -> str:
    """Return the white space before a statement on its line."""
    before = context.statement.text[: context.statement.lead].rpartition("\n")[2]
    return before if before.isspace() else ""


def body(context: StatementContext) -> str:
    """Return the text of a statement without leading and trailing trivia."""
    return context.statement.text[context.statement.lead :].rstrip()


def first_token_offset(module: Module, context: StatementContext) -> int:
    """Return the document offset of a statement's first token."""
    return module.positions.statement_start(context.chunk, context.index) + context.statement.lead


def end_offset(module: Module, context: StatementContext) -> int:
    """Return the document offset after a statement's last token."""
    start = module.positions.statement_start(context.chunk, context.index)
    tokens = context.statement.tokens
    return start + (tokens[-1].end if tokens else len(context.statement.text))


def neighbour(context: StatementContext, by: int) -> StatementContext | None:
    """Return the statement after (``by`` 1) or before (``by`` -1) another one in the same function."""
    chunks = context.function.chunks
    number, index = chunks.index(context.chunk), context.index + by
    while not 0 <= index < len(chunks[number]):
        number += by
        if not 0 <= number < len(chunks):
            return None
        index = 0 if by > 0 else len(chunks[number]) - 1
    return StatementContext(context.module, context.function, chunks[number], index)
