"""Call sites of inlined functions: ``.loc`` lines whose ``inlined_at`` names the position of an earlier ``.loc``.

Source: PTX ISA, "Debugging Directives: .loc".
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
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
        earliest: dict[SourcePosition, Chunk] | None = None
        for number, chunk in sorted([(chunk_number(chunk), chunk) for chunk in unexplained], key=itemgetter(0)):
            providers = set()
            missing = False
            for statement, location in self._summaries[chunk].call_sites:
                yield None
                provider = self._near(chunks, number, location)
                if provider is None and number > _NEAR:
                    if earliest is None:
                        earliest = yield from self._earliest(chunks)
                    found = earliest.get(location)
                    provider = found if found is not None and chunk_number(found) < number else None
                if provider is None:
                    missing = True
                    yield Place(chunk, statement, 0), location
                else:
                    providers.add(provider)
            if not missing:
                self._providers[chunk] = frozenset(providers)
                for provider in providers:
                    self._explained.setdefault(provider, set()).add(chunk)

    def _near(self, chunks: Sequence[Chunk], number: int, location: SourcePosition) -> Chunk | None:
        """The last of the few chunks before chunk ``number`` that has a ``.loc`` of this position."""
        earlier = reversed(chunks[max(number - _NEAR, 0) : number])
        return next((chunk for chunk in earlier if location in self._of(chunk)), None)

    def _earliest(self, chunks: Sequence[Chunk]) -> Generator[None, None, dict[SourcePosition, Chunk]]:
        """Find the first chunk that has each position, in steps of a chunk."""
        found: dict[SourcePosition, Chunk] = {}
        for chunk in chunks:
            for location in self._of(chunk):
                found.setdefault(location, chunk)
            yield
        return found

    def _of(self, chunk: Chunk) -> frozenset[SourcePosition]:
        known = self._locations.get(chunk)
        if known is None:
            known = self._locations[chunk] = locations(chunk)
        return known


_NEAR = 16
"""So many chunks before a call site are looked at first: a compiler writes the line of a call shortly before."""
