"""What one chunk contributes to the structure of its function: its marks.

A mark is a statement that opens, closes or declares something. Instructions are
none, so a chunk of 256 statements has a handful. Summaries depend on their chunk
alone and are made once for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ptx_lsp.analysis.declarations import symbols_of
from ptx_lsp.analysis.symbols import Symbol
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind


class Mark(NamedTuple):
    """A statement that shapes the structure."""

    statement: int
    kind: Kind
    symbols: tuple[Symbol, ...]
    """What it declares; of a function head the function, then its parameters."""


class ChunkSummary(NamedTuple):
    """The marks of a chunk, and the statements with syntax errors."""

    marks: tuple[Mark, ...]
    bad: tuple[int, ...]


_DECLARING = frozenset({Kind.LABEL, Kind.REGISTERS, Kind.VARIABLE, Kind.FUNCTION})
_MARKS = _DECLARING | {Kind.OPEN, Kind.CLOSE, Kind.HEADER, Kind.FILE, Kind.ALIAS}


def any_of(kinds: Iterable[Kind]) -> re.Pattern[bytes]:
    """A pattern that finds statements of these kinds in ``Chunk.kinds``."""
    return re.compile(b"[" + b"".join(re.escape(bytes([kind])) for kind in sorted(kinds)) + b"]")


_FIND_MARKS = any_of(_MARKS)


def summarise(chunk: Chunk) -> ChunkSummary:
    """Find the marks of a chunk and the symbols that they declare."""
    kinds = chunk.kinds
    marks = []
    for found in _FIND_MARKS.finditer(kinds):
        at = found.start()
        kind = Kind(kinds[at])
        symbols = symbols_of(chunk, at) if kind in _DECLARING else ()
        marks.append(Mark(at, kind, symbols))
    bad = []
    at = kinds.find(Kind.BAD)
    while at >= 0:
        bad.append(at)
        at = kinds.find(Kind.BAD, at + 1)
    return ChunkSummary(tuple(marks), tuple(bad))
