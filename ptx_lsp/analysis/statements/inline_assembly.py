"""Blocks of inline assembly in code that a compiler wrote: it puts a comment before and after each.

People of libraries write what is between the comments, the compiler what is outside of them.
"""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.chunk import CHUNK_SIZE, Chunk

_BEGIN = "// begin inline asm"
_END = "// end inline asm"
_FAR = 2 * CHUNK_SIZE
"""The number of statements that are searched for the other end of a block; longer ones are rare."""


def is_between_markers(context: StatementContext) -> bool:
    """Whether a statement is in a block of inline assembly."""
    chunks = context.function.chunks
    text = context.chunk.text[: _start(context.chunk, context.index)]
    left = _FAR - context.index
    for number in range(chunks.index(context.chunk), -1, -1):
        begin, end = text.rfind(_BEGIN), text.rfind(_END)
        if begin != end:
            return begin > end
        if not number or left <= 0:
            break
        before = chunks[number - 1]
        text = before.text[before.starts()[max(len(before) - left, 0)] :]
        left -= len(before)
    return False


def is_same_block(context: StatementContext, later: Place) -> bool:
    """Whether no block ends between a statement and a later one that is not far from it."""
    chunks = context.function.chunks
    first, last = chunks.index(context.chunk), chunks.index(later.chunk)
    if first > last or sum(map(len, chunks[first:last])) + later.statement - context.index > _FAR:
        return False
    begin, end = _start(context.chunk, context.index), _start(later.chunk, later.statement)
    if first == last:
        return _END not in context.chunk.text[begin:end]
    between = "".join([chunk.text for chunk in chunks[first + 1 : last]])
    return _END not in context.chunk.text[begin:] + between + later.chunk.text[:end]


def _start(chunk: Chunk, statement: int) -> int:
    return chunk.starts()[statement] + chunk.statement(statement).lead
