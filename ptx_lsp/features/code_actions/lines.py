"""Where statements stand among the lines of the text: what edits of whole statements need."""

from __future__ import annotations

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext


def indentation(context: StatementContext) -> str:
    """The blanks before a statement, as far as they stand on its line."""
    before = context.statement.text[: context.statement.lead].rpartition("\n")[2]
    return before if before.isspace() else ""


def body(context: StatementContext) -> str:
    """A statement without what stands before and behind it."""
    return context.statement.text[context.statement.lead :].rstrip()


def place_of(module: Module, context: StatementContext) -> int:
    """The offset in the document of the first token of a statement."""
    return module.positions.statement_start(context.chunk, context.index) + context.statement.lead


def end_of(module: Module, context: StatementContext) -> int:
    """The offset in the document behind the last token of a statement."""
    start = module.positions.statement_start(context.chunk, context.index)
    tokens = context.statement.tokens
    return start + (tokens[-1].end if tokens else len(context.statement.text))


def neighbour(context: StatementContext, by: int) -> StatementContext | None:
    """The statement after (``by`` 1) or before (-1) another in the same function."""
    chunks = context.function.chunks
    number, index = chunks.index(context.chunk), context.index + by
    while not 0 <= index < len(chunks[number]):
        number += by
        if not 0 <= number < len(chunks):
            return None
        index = 0 if by > 0 else len(chunks[number]) - 1
    return StatementContext(context.module, context.function, chunks[number], index)
