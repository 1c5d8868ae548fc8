"""The first definition of a register in the order of the text, from the blocks of chunks, within a bound per answer."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.module.function import Function, statement_count
from ptx_lsp.analysis.references.reaching_definitions import MOST_STATEMENTS
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

AT_ONCE = 400
"""Statements of long functions that are looked at for one answer: a hundred take a millisecond the first time.

Short functions have no such bound: their answers must not depend on what was asked before.
"""

_BRACES = bytes([Kind.OPEN, Kind.CLOSE])
"""A chunk of nothing else writes no register."""


class FirstWrites:
    """Answers questions about one state of a module, quickly or not at all."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._left = AT_ONCE
        self.gave_up = False
        """Whether some answer would have taken too long; it will not once the flow has been followed."""

    def is_first(self, function: Function, symbol: Symbol, name: str, chunk: Chunk, index: int) -> bool:
        """Whether no statement between a register's declaration and this one writes it.

        Args:
            function: the function that holds the statement.
            symbol: the register's declaration.
            name: the register, of a group its member.
            chunk: the chunk of the statement.
            index: the statement in it.

        """
        declared = symbol.place
        if declared.chunk not in function.segments or not function.has_body:
            return False  # a register of the module: another function may come first
        number = self._effects.module.positions.chunk_number
        first = number(function.chunks[0])
        start, end = number(declared.chunk) - first, number(chunk) - first
        between = tuple(one for one in function.chunks[start + 1 : end] if one.kinds.strip(_BRACES))
        if statement_count(function) > MOST_STATEMENTS and not self._may_ask(between):
            self.gave_up = True
            return False
        if self._writes(chunk, name, declared.statement if start == end else -1, index):
            return False
        if start < end and self._writes(declared.chunk, name, declared.statement, len(declared.chunk)):
            return False
        effects = self._effects
        return not any(name in effects.written(one) for one in between)

    def _writes(self, chunk: Chunk, name: str, after: int, before: int) -> bool:
        """Whether a statement of a chunk between two others writes a register."""
        for piece in self._effects.pieces(chunk):
            at = piece.written.get(name, before)
            if after < at < before:
                return True
            later = range(max(piece.start, after + 1), min(piece.end, before)) if at <= after else ()
            if any(self._is_written_by(chunk, each, name) for each in later):
                return True
        return False

    def _is_written_by(self, chunk: Chunk, index: int, name: str) -> bool:
        effect = self._effects.of(chunk, index)
        found = words(chunk.part(index)) if effect.writes or effect.updates else []
        return any(found[place] == name for place in (*effect.writes, *effect.updates))

    def _may_ask(self, chunks: tuple[Chunk, ...]) -> bool:
        effects = self._effects
        fresh = 0
        for chunk in chunks:
            if not effects.has_pieces(chunk):
                fresh += len(chunk)
                if fresh > self._left:
                    return False
        self._left -= fresh
        return True
