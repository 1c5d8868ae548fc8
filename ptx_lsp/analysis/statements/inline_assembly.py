"""Blocks of inline assembly in code that a compiler wrote: it puts a comment before and after each.

People of libraries write what is between the comments, the compiler what is outside of them.
"""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.chunk import Chunk

_BEGIN = "// begin inline asm"
_END = "// end inline asm"
_FAR = 2
"""The number of chunks that are searched for the beginning of a block; longer ones are rare."""


def is_between_markers(context: StatementContext) -> bool:
    """Whether a statement is in a block of inline assembly."""
    chunks = context.function.chunks
    number = chunks.index(context.chunk)
    text = context.chunk.text[: _start(context.chunk, context.index)]
    for at in range(number, max(number - _FAR, -1), -1):
        if at != number:
            text = chunks[at].text
        begin, end = text.rfind(_BEGIN), text.rfind(_END)
        if begin != end:
            return begin > end
    return False


def is_same_block(context: StatementContext, later: Place) -> bool:
    """Whether no block ends between a statement and a later one of the same chunk or of the next."""
    chunks = context.function.chunks
    first, last = chunks.index(context.chunk), chunks.index(later.chunk)
    begin, end = _start(context.chunk, context.index), _start(later.chunk, later.statement)
    if first == last:
        return _END not in context.chunk.text[begin:end]
    return first + 1 == last and _END not in context.chunk.text[begin:] + later.chunk.text[:end]


def _start(chunk: Chunk, statement: int) -> int:
    return chunk.starts()[statement] + chunk.statement(statement).lead
