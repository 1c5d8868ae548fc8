"""The summaries of all chunks of a module."""

from __future__ import annotations

from ptx_lsp.analysis.module.chunk_summary import ChunkSummary, Mark, summarise
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES


class ChunkSummaries(dict[Chunk, ChunkSummary]):
    """The summary of each chunk, and what is asked about them."""

    def add(self, chunk: Chunk) -> None:
        """Summarise a chunk that is new."""
        self[chunk] = summarise(chunk)

    def marks(self, chunk: Chunk) -> tuple[Mark, ...]:
        """The statements of a chunk that shape the structure: braces, labels, declarations."""
        return self[chunk].marks

    def broken(self, chunk: Chunk) -> tuple[int, ...]:
        """The statements of a chunk with syntax errors."""
        return self[chunk].broken

    def has_broken(self, kind: Kind) -> bool:
        """Whether some statement with syntax errors was meant to be of this kind."""
        return any(SHAPES[chunk.shapes[at]].meant == kind for chunk, summary in self.items() for at in summary.broken)
