"""Call sites of inlined functions: ``.loc`` lines whose ``inlined_at`` names the position of an earlier ``.loc``.

Source: PTX ISA, "Debugging Directives: .loc".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.module.positions import Positions
from ptx_lsp.analysis.module.summary_cache import ChunkSummaries
from ptx_lsp.analysis.symbols.locations import SourcePosition, locations
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.chunk import Chunk


class CallSites:
    """The call sites that a module names, and the chunks that have their positions."""

    def __init__(self, summaries: ChunkSummaries, positions: Positions) -> None:
        self._summaries = summaries
        self._positions = positions
        self._locations: dict[Chunk, frozenset[SourcePosition]] = {}
        """The positions of the ``.loc`` lines of chunks that were looked into."""
        self._providers: dict[Chunk, frozenset[Chunk]] = {}
        """Of chunks whose ``inlined_at`` are all explained: the chunks that explain them."""

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._providers.pop(chunk, None)
        self._locations.pop(chunk, None)

    def unknown(self, chunks: Sequence[Chunk]) -> Iterator[tuple[Place, SourcePosition]]:
        """The ``.loc`` lines of a document whose ``inlined_at`` names a position that no ``.loc`` before them has."""
        for number, chunk in enumerate(chunks):
            wanted = self._summaries[chunk].call_sites
            if not wanted or self._are_inlined(chunk):
                continue
            providers = set()
            missing = False
            for statement, location in wanted:
                provider = self._provider(chunks[:number], location)
                if provider is None:
                    missing = True
                    yield Place(chunk, statement, 0), location
                else:
                    providers.add(provider)
            if not missing:
                self._providers[chunk] = frozenset(providers)

    def _provider(self, before: Sequence[Chunk], location: SourcePosition) -> Chunk | None:
        """The last of some chunks that has a ``.loc`` of this position."""
        for earlier in reversed(before):
            known = self._locations.get(earlier)
            if known is None:
                known = self._locations[earlier] = locations(earlier)
            if location in known:
                return earlier
        return None

    def _are_inlined(self, chunk: Chunk) -> bool:
        """Whether the ``.loc`` lines that explain those of a chunk are where they were."""
        providers = self._providers.get(chunk)
        order = self._positions.order
        return providers is not None and all(order.get(one, len(order)) < order[chunk] for one in providers)
