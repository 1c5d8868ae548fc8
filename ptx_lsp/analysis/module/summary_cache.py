"""The summaries of all chunks of a module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator

from ptx_lsp.analysis.module.chunk_summary import ChunkSummary, Mark, any_of, meant_kinds, summarise, summarising
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_COUNTED = (Kind.FILE, Kind.LOCATION, Kind.SECTION)
"""The kinds of which rules ask whether the module has any statement."""
_HAS_COUNTED = any_of(_COUNTED).search


class ChunkSummaries(dict[Chunk, ChunkSummary]):
    """The summary of each chunk, and what is asked about them; counts are kept, so that no question is about all."""

    def __init__(self) -> None:
        super().__init__()
        self._chunks: Counter[Kind] = Counter()
        """The number of chunks that have statements of a kind."""
        self._broken: Counter[Kind] = Counter()
        """The number of statements with syntax errors that were meant to be of a kind."""
        self.with_call_sites: set[Chunk] = set()
        """The chunks that name call sites without their positions."""

    def adding(self, chunk: Chunk) -> Generator[None, None, None]:
        """Summarise a chunk that is new, in steps if it has a long declaration."""
        summary = self[chunk] = yield from chunk.deriving(summarise, summarising(chunk))
        if _HAS_COUNTED(chunk.kinds) is not None:
            self._chunks.update(_counted(chunk))
        if summary.broken:
            self._broken.update(chunk.derived(_meant))
        if summary.call_sites:
            self.with_call_sites.add(chunk)

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        summary = self.pop(chunk, None)
        if summary is not None:
            if _HAS_COUNTED(chunk.kinds) is not None:
                self._chunks.subtract(_counted(chunk))
            if summary.broken:
                self._broken.subtract(chunk.derived(_meant))
            self.with_call_sites.discard(chunk)

    def marks(self, chunk: Chunk) -> tuple[Mark, ...]:
        """The statements of a chunk that shape the structure: braces, labels, declarations."""
        return self[chunk].marks

    def broken(self, chunk: Chunk) -> tuple[int, ...]:
        """The statements of a chunk with syntax errors."""
        return self[chunk].broken

    def has_broken(self, kind: Kind) -> bool:
        """Whether some statement with syntax errors was meant to be of this kind."""
        return self._broken[kind] > 0

    def has(self, kind: Kind) -> bool:
        """Whether some statement is a ``.file``, a ``.loc`` or a ``.section``."""
        return self._chunks[kind] > 0


def _meant(chunk: Chunk) -> Counter[Kind]:
    """The number of statements of a chunk with syntax errors that were meant to be of each kind."""
    return Counter(meant_kinds(chunk, chunk.derived(summarise).broken))


def _counted(chunk: Chunk) -> Iterator[Kind]:
    return (kind for kind in _COUNTED if kind in chunk.kinds)
