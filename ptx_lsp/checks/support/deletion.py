"""Fixes that take whole statements out of the text."""

from __future__ import annotations

from ptx_lsp.diagnostic import Edit
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

_REST_OF_LINE = compiled_on_use(r"[ \t]*+(?://[^\r\n]*+)?(?=\r?\n)")


def deletion(chunk: Chunk, index: int, base: int | None = None) -> Edit:
    """The edit that removes a statement: with its line and the comment after it, where it stands there alone.

    Comments on the lines before it stay.

    Args:
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
        if chunk.text[max(starts[index] + line_end - 1, 0)] == "\r":  # perhaps of the statement before
            line_end -= 1
        rest = _REST_OF_LINE().match(chunk.text, starts[index] + end)
        if rest is not None:
            start, end = line_end, rest.end() - starts[index]
        elif starts[index] + end == chunk.length:
            start = line_end  # chunks end where lines do
    else:
        start = len(kept)
    shift = starts[index] - starts[index if base is None else base]
    return Edit(Span(start + shift, end + shift), "")
