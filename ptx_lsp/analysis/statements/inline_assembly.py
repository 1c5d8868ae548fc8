"""Blocks of inline assembly in code that a compiler wrote: it puts a comment before and after each.

People of libraries write what is between the comments, the compiler what is outside of them.
"""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.documents.nearby import runs_before

_BEGIN = "// begin inline asm"
_END = "// end inline asm"
_FAR = 512
"""The number of statements that are searched for the other end of a block; longer ones are rare."""


def is_between_markers(context: StatementContext) -> bool:
    """Whether a statement is in a block of inline assembly."""
    for run in runs_before(context.function.chunks, context.chunk, context.index, _FAR):
        chunk, starts = run.chunk, run.chunk.starts()
        end = _start(chunk, run.end) if chunk is context.chunk else len(chunk.text)
        begins, ends = (chunk.text.rfind(mark, starts[run.first], end) for mark in (_BEGIN, _END))
        if begins != ends:
            return begins > ends
    return False


def is_same_block(context: StatementContext, other: Place) -> bool:
    """Whether no block ends between a statement and another one, before or after it, that is not far from it."""
    chunks = context.function.chunks
    here = chunks.index(context.chunk), context.index
    (first, begin), (last, end) = sorted((here, (chunks.index(other.chunk), other.statement)))
    if sum(map(len, chunks[first:last])) + end - begin > _FAR:
        return False
    start, stop = _start(chunks[first], begin), _start(chunks[last], end)
    if first == last:
        return _END not in chunks[first].text[start:stop]
    between = "".join([chunk.text for chunk in chunks[first + 1 : last]])
    return _END not in chunks[first].text[start:] + between + chunks[last].text[:stop]


def _start(chunk: Chunk, statement: int) -> int:
    return chunk.starts()[statement] + chunk.statement(statement).lead
