"""Fixes that take whole statements out of the text."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.diagnostic import Edit
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

_REST_OF_LINE = compiled_on_use(r"[ \t]*+(?://[^\r\n]*+)?(?=\r?\n|\Z)")


def deletion(chunks: Sequence[Chunk], chunk: Chunk, index: int, base: int | None = None) -> Edit:
    """The edit that removes a statement: with its line and the comment after it, where it stands there alone.

    Comments on the lines before it stay.

    Args:
        chunks: those of the document, or of the function that the statement is in.
        chunk: the chunk that holds it.
        index: its number there.
        base: the statement of the chunk that the edit's span is relative to; the same one by default.

    """
    statement = chunk.statement(index)
    starts = chunk.starts()
    start, end = statement.lead, statement.end or len(statement.text)
    before = statement.text[:start]
    kept = before.rstrip(" \t")
    if kept.endswith("\n"):
        line_end = len(kept) - 1
        if _before(chunks, chunk, starts[index] + line_end) == "\r":  # perhaps of the statement before
            line_end -= 1
        rest = _REST_OF_LINE().match(chunk.text + _after(chunks, chunk, index), starts[index] + end)
        if rest is not None:
            start, end = line_end, rest.end() - starts[index]
    else:
        start = len(kept)
    shift = starts[index] - starts[index if base is None else base]
    return Edit(Span(start + shift, end + shift), "")


def _after(chunks: Sequence[Chunk], chunk: Chunk, index: int) -> str:
    """The statement after the last one of a chunk: its line may go on there. After a function, a line begins."""
    if index + 1 < len(chunk):
        return ""
    number = chunks.index(chunk) + 1
    return chunks[number].part(0) if number < len(chunks) else ""


def _before(chunks: Sequence[Chunk], chunk: Chunk, offset: int) -> str:
    """The character before an offset in a chunk."""
    if offset:
        return chunk.text[offset - 1]
    number = chunks.index(chunk)
    return chunks[number - 1].text[-1:] if number else ""
