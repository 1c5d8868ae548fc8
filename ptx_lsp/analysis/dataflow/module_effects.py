"""The effects of the statements of a module, found once for each shape."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.basic_blocks import BlockSummary, pieces
from ptx_lsp.analysis.dataflow.effects import Effect, effect
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES


class Effects:
    """The effects of the statements and chunks of a module under its version and target."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._matcher = matcher_of(module)
        self._effects: dict[int, Effect] = {}
        self._pieces: dict[Chunk, tuple[BlockSummary, ...]] = {}
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

    def of(self, chunk: Chunk, index: int) -> Effect:
        """The effect of one statement."""
        number = chunk.shapes[index]
        found = self._effects.get(number)
        if found is None:
            found = self._of(chunk, index)
            if not SHAPES[number].errors:
                self._effects[number] = found
        return found

    def unknown_shapes(self, chunk: Chunk) -> int:
        """The number of shapes to read before the pieces of a chunk can be made: the expensive part."""
        return 0 if chunk in self._pieces else len(set(chunk.shapes).difference(self._effects))

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._pieces.pop(chunk, None)
        self._written.pop(chunk, None)

    def clear(self) -> None:
        """The version or the target of the module is another."""
        self._matcher = matcher_of(self.module)
        self._effects.clear()
        self._pieces.clear()
        self._written.clear()

    def _of(self, chunk: Chunk, index: int) -> Effect:
        statement = chunk.statement(index)
        context = StatementContext(self.module, self.module.function_of(chunk), chunk, index)
        if context.instruction is None:
            return effect(statement, None)
        match = self._matcher.match(statement.shape, context.codes, statement, values=False)
        if match is not None and not match.fits:
            # Some name is wrong here; other statements of the shape may be right.
            match = self._matcher.match(statement.shape, (0,) * len(statement.shape.names), statement, values=False)
        return effect(statement, match)
