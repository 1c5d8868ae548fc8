"""The effects of the statements of a module, found once for each shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ptx_lsp.analysis.dataflow.basic_blocks import BlockSummary, UnpackedEffect, making_pieces, pieces, unpacked
from ptx_lsp.analysis.dataflow.effects import Effect, effect
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.statement import Statement

_MOST_KEPT = 128
"""The pieces of so many chunks are kept, some 50 KB each; of a larger function those of all its chunks."""


class Effects:
    """The effects of the statements and chunks of a module under its version and target."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._matcher = matcher_of(module)
        self._effects: dict[int, UnpackedEffect] = {}
        self._pieces: dict[Chunk, tuple[BlockSummary, ...]] = {}
        """The last ones are of the functions that were followed last."""
        self._written: dict[Chunk, frozenset[str]] = {}

    def has_pieces(self, chunk: Chunk) -> bool:
        """Whether the pieces of a chunk are made already: to make them takes a millisecond."""
        return chunk in self._pieces

    def written(self, chunk: Chunk) -> frozenset[str]:
        """The names that the statements of a chunk write."""
        found = self._written.get(chunk)
        if found is None:
            found = self._written[chunk] = frozenset().union(*(piece.written for piece in self.pieces(chunk)))
        return found

    def pieces(self, chunk: Chunk) -> tuple[BlockSummary, ...]:
        """The pieces of a chunk."""
        found = self._pieces.get(chunk)
        if found is None:
            found = self._pieces[chunk] = pieces(chunk, self._effects, self._of)
        return found

    def preparing(self, chunk: Chunk) -> Iterator[None]:
        """Make the pieces of a chunk, in steps of a few milliseconds."""
        if chunk not in self._pieces:
            self._pieces[chunk] = yield from making_pieces(chunk, self._effects, self._of)
        yield

    def of(self, chunk: Chunk, index: int) -> Effect:
        """The effect of one statement."""
        number = chunk.shapes[index]
        known = self._effects.get(number)
        if known is not None:
            return known[-1]
        found = self._of(chunk, index)
        shape = SHAPES[number]
        if not shape.errors:
            self._effects[number] = unpacked(found, shape.kind)
        return found

    def unknown_shapes(self, chunks: Iterable[Chunk]) -> int:
        """The number of shapes to read before the pieces of some chunks can be made: the expensive part."""
        unknown: set[int] = set()
        for chunk in chunks:
            if chunk not in self._pieces:
                unknown.update(chunk.shapes)
        return len(unknown.difference(self._effects))

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._pieces.pop(chunk, None)
        self._written.pop(chunk, None)

    def followed(self, chunks: Sequence[Chunk]) -> None:
        """The flow through a function with these chunks is known: it is needed next if the function is edited.

        Pieces take more memory than the text. Of functions that were followed longer ago they are made again.
        """
        for chunk in chunks:
            held = self._pieces.pop(chunk, None)
            if held is not None:
                self._pieces[chunk] = held
        excess = len(self._pieces) - max(_MOST_KEPT, len(chunks))
        for chunk in list(islice(self._pieces, max(excess, 0))):
            self.forget(chunk)

    def clear(self) -> None:
        """The version or the target of the module is another."""
        self._matcher = matcher_of(self.module)
        self._effects.clear()
        self._pieces.clear()
        self._written.clear()

    def _of(self, chunk: Chunk, index: int) -> Effect:
        statement = chunk.statement(index)
        return effect(statement, lambda: self._match(chunk, index, statement))

    def _match(self, chunk: Chunk, index: int, statement: Statement) -> Match | None:
        """The form that an instruction fits, whatever its constants are."""
        shape = statement.shape
        codes = self._codes(chunk, index, shape)
        if codes is None:
            codes = StatementContext(self.module, self.module.function_of(chunk), chunk, index).codes
        found = self._matcher.fitting(shape, codes, statement)
        if found is None and any(codes):
            # Some name is wrong here; other statements of the shape may be right.
            found = self._matcher.fitting(shape, (0,) * len(shape.names), statement)
        return found

    def _codes(self, chunk: Chunk, index: int, shape: Shape) -> tuple[int, ...] | None:
        """The meanings of the names if all are members of numbered groups, without a look at their declarations."""
        scope = self.module.scope_of(chunk, index)
        codes = [scope.prefix_code(prefix) if prefix else None for _, prefix in shape.names]
        return None if None in codes else tuple(codes)  # type: ignore[arg-type]
