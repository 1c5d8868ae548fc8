"""Cuts a document into the runs of chunks that are functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ptx_lsp.analysis.module.chunk_summary import ChunkSummary
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind


def function_runs(
    chunks: Sequence[Chunk], summaries: Mapping[Chunk, ChunkSummary]
) -> Iterator[tuple[tuple[Chunk, ...], bool]]:
    """Cut the chunks before every function head, and say of each run whether it ends with open braces.

    Where braces are open, what declares a function stands in the body of another one.
    """
    run: list[Chunk] = []
    depth = 0
    for chunk in chunks:
        kind = chunk.kinds[0]
        if run and (kind == Kind.FUNCTION or kind == Kind.FORWARD and not depth):
            yield tuple(run), depth > 0
            run = []
            depth = 0
        run.append(chunk)
        closes, opens = summaries[chunk].braces
        depth = max(depth - closes, 0) + opens
    if run:
        yield tuple(run), depth > 0
