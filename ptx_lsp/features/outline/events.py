"""Declared symbols and the boundaries of blocks of each chunk, for the outline."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module.chunk_summary import Mark
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_BEGINS_INLINE = "begin inline asm"
"""The comment of compilers before inline assembly."""
_CALL = re.compile(r"[ \t]*// callseq")
"""The comment of compilers after the brace that begins a call."""


class OutlineEvent(NamedTuple):
    """A symbol or block boundary of a chunk; offsets are relative to the chunk."""

    kind: int
    start: int
    end: int
    """The end of the statement; ``start`` excludes the white space before it."""
    names: tuple[tuple[str, SymbolKind, str, int, int], ...]
    """Name, kind, detail, start and end of each declared symbol."""
    statement: int
    """Its number in the chunk."""
    is_inline: bool = False
    """Whether inline assembly begins here, or the block of a compiler around a call."""


class _EventsOfChunk:
    """The events of a chunk: chunks do not change, so they are found once."""

    def __init__(self, chunk: Chunk) -> None:
        self._chunk = chunk
        self._events: tuple[OutlineEvent, ...] | None = None

    def by(self, marks: tuple[Mark, ...]) -> tuple[OutlineEvent, ...]:
        """The events by the marks of the chunk, which are equal in any module."""
        if self._events is None:
            self._events = tuple(_found(self._chunk, marks))
        return self._events


def events(module: Module, chunk: Chunk, following: Chunk | None) -> tuple[OutlineEvent, ...]:
    """The symbols and the boundaries of blocks in a chunk, in text order; the comment after the last may follow it."""
    found = chunk.derived(_EventsOfChunk).by(module.summaries.marks(chunk))
    if following is None or not found or found[-1].kind != Kind.OPEN or found[-1].end != chunk.length:
        return found
    return (*found[:-1], found[-1]._replace(is_inline=found[-1].is_inline or _begins_call(following.text, 0)))


_SHAPING = frozenset({Kind.OPEN, Kind.CLOSE})


def _found(chunk: Chunk, marks: tuple[Mark, ...]) -> Iterator[OutlineEvent]:
    starts = chunk.starts()
    for mark in marks:
        start, end = starts[mark.statement], starts[mark.statement + 1]
        if mark.kind in _SHAPING:
            is_inline = mark.kind is Kind.OPEN and (
                _BEGINS_INLINE in chunk.text[start:end] or _begins_call(chunk.text, end)
            )
            yield OutlineEvent(mark.kind, end - 1, end, (), mark.statement, is_inline)
        elif mark.symbols:
            first = mark.symbols[0]
            if mark.kind is Kind.LABEL and chunk.text.startswith(first.name, end - 1 - len(first.name)):
                places = [(end - 1 - len(first.name), end - 1)]
                lead = places[0][0]
            else:
                statement = chunk.statement(mark.statement)
                lead = start + statement.lead
                tokens = statement.tokens
                places = [
                    (start + tokens[one.place.token].start, start + tokens[one.place.token].end) for one in mark.symbols
                ]
            names = tuple(
                (_shown(symbol), symbol.kind, _detail(symbol), *place)
                for symbol, place in zip(mark.symbols, places, strict=True)
            )
            yield OutlineEvent(mark.kind, lead, end, names, mark.statement)


def _begins_call(text: str, after_brace: int) -> bool:
    return _CALL.match(text, after_brace) is not None


def _shown(symbol: Symbol) -> str:
    return symbol.name if symbol.count is None else f"{symbol.name}<{symbol.count}>"


def _detail(symbol: Symbol) -> str:
    vector = f".v{symbol.vector}" if symbol.vector else ""
    return " ".join(word for word in (symbol.space, vector, symbol.type) if word)
