"""The functions of a module in the order of the text, and the chunks that each of them is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ptx_lsp.analysis.module.chunk_summary import ChunkSummary
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.positions import Positions
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_FEW = 16
"""Functions are sorted where they are fewer than one of so many."""


class Functions(list[Function]):
    """The functions of a module, and what is asked about them after every edit, so that not all are looked at."""

    def __init__(self, positions: Positions, *, are_bodies: bool = False) -> None:
        super().__init__()
        self.are_bodies = are_bodies
        """Whether each of them is a body without its head and braces."""
        self._positions = positions
        self.unbalanced: set[Function] = set()
        """Those whose braces do not pair."""

    def number(self, function: Function) -> int:
        """The place of a function among the others."""
        rank = self._positions.rank
        return bisect_left(self, rank(function.first), key=lambda one: rank(one.first))

    def replace(self, first: int, stop: int, functions: list[Function]) -> None:
        """The functions ``[first, stop)`` became others."""
        self.unbalanced.difference_update(self[first:stop])
        self[first:stop] = functions
        self.unbalanced.update(one for one in functions if one.has_unbalanced_braces)

    def in_order(self, some: Iterable[Function]) -> Iterator[Function]:
        """Some of the functions in the order of the text; of many the first comes without a look at the others."""
        wanted = set(some)
        if len(wanted) * _FEW > len(self):
            return filter(wanted.__contains__, self)
        rank = self._positions.rank
        return iter(sorted(wanted, key=lambda one: rank(one.first)))


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
