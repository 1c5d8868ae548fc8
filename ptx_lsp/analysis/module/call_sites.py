"""Call sites of inlined functions: ``.loc`` lines whose ``inlined_at`` names the position of an earlier ``.loc``.

Source: PTX ISA, "Debugging Directives: .loc".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

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
        """Of chunks whose ``inlined_at`` are all explained: the chunks that explain them. The order of two chunks never
        changes, so they stay explained until one of those is gone."""
        self._explained: dict[Chunk, set[Chunk]] = {}
        """The other way round: what a chunk explains."""

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._locations.pop(chunk, None)
        for one in (chunk, *self._explained.pop(chunk, ())):
            for provider in self._providers.pop(one, ()):
                self._explained.get(provider, set()).discard(one)

    def unknown(self, chunks: Sequence[Chunk]) -> Iterator[tuple[Place, SourcePosition] | None]:
        """The ``.loc`` lines of a document whose ``inlined_at`` names a position that no ``.loc`` before them has.

        None is a pause.
        """
        chunk_number = self._positions.chunk_number
        unexplained = self._summaries.with_call_sites - self._providers.keys()
        for number, chunk in sorted([(chunk_number(chunk), chunk) for chunk in unexplained], key=itemgetter(0)):
            providers = set()
            missing = False
            for statement, location in self._summaries[chunk].call_sites:
                yield None
                provider = self._provider(chunks, number, location)
                if provider is None:
                    missing = True
                    yield Place(chunk, statement, 0), location
                else:
                    providers.add(provider)
            if not missing:
                self._providers[chunk] = frozenset(providers)
                for provider in providers:
                    self._explained.setdefault(provider, set()).add(chunk)

    def _provider(self, chunks: Sequence[Chunk], number: int, location: SourcePosition) -> Chunk | None:
        """The last chunk before chunk ``number`` that has a ``.loc`` of this position."""
        for at in range(number - 1, -1, -1):
            earlier = chunks[at]
            known = self._locations.get(earlier)
            if known is None:
                known = self._locations[earlier] = locations(earlier)
            if location in known:
                return earlier
        return None
