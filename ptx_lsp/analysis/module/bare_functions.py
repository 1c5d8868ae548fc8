"""Functions of one chunk whose marks are their head and the braces of their body: most that are written by a program.

Their records are made without a walk over their marks. They are equal to those of the scanner.
"""

from __future__ import annotations

import re

from ptx_lsp.analysis.module.chunk_summary import ChunkSummary
from ptx_lsp.analysis.module.function import Function, Segment, StructureFault, StructureFaultKind
from ptx_lsp.analysis.symbols.symbols import Place, Scope
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind


def _any(*kinds: Kind) -> bytes:
    return b"[" + re.escape(bytes(kinds)) + b"]*+"


_BARE = re.compile(
    re.escape(bytes([Kind.FUNCTION, Kind.OPEN]))
    + _any(Kind.INSTRUCTION, Kind.LOCATION)
    + b"(?:%b)?+" % re.escape(bytes([Kind.CLOSE]))
    + _any(Kind.EMPTY)
    + b"|"
    + re.escape(bytes([Kind.FORWARD]))
    + _any(Kind.EMPTY)
).fullmatch


class _Extent(NamedTuple):
    """The statements of a bare function that are its body."""

    begin: int
    end: int
    """The number of its ``}``, or of statements if it is not closed."""
    length: int
    is_closed: bool


@memoized(256)
def _extent(kinds: bytes) -> _Extent | None:
    """The body of a bare function by the kinds of its statements; empty for a declaration; None for other functions."""
    if _BARE(kinds) is None:
        return None
    length = len(kinds)
    if kinds[0] == Kind.FORWARD:
        return _Extent(length, length, length, True)
    end = kinds.find(Kind.CLOSE)
    return _Extent(1, length if end < 0 else end, length, end >= 0)


def bare_function(chunk: Chunk, summary: ChunkSummary, module: Scope) -> Function | None:
    """The record of the function that one chunk is; None if it is not bare."""
    extent = None if summary.broken else _extent(chunk.kinds)
    if extent is None or not summary.marks[0].symbols:
        return None
    function = Function((chunk,))
    scope = function.scope
    scope.parent = module
    symbol, *parameters = summary.marks[0].symbols
    function.symbol = symbol
    function.globals.append(symbol)
    faults = function.faults
    for parameter in parameters:
        earlier = scope.declare(parameter)
        if earlier is not None and symbol.is_definition:
            faults.append(StructureFault(StructureFaultKind.DUPLICATE, parameter.place, parameter, earlier))
    begin, end, length, is_closed = extent
    if begin == length:  # a declaration
        function.segments[chunk] = [Segment(0, length, module, False)]
        return function
    function.has_body = True
    if symbol.linkage == ".extern":
        faults.append(StructureFault(StructureFaultKind.EXTERN_BODY, symbol.place, symbol))
    inner = scope if scope.names or scope.groups else module
    segments = function.segments[chunk] = [Segment(0, begin, module, False), Segment(begin, end, inner, True)]
    if is_closed:
        segments.append(Segment(end, length, module, False))
    else:
        faults.append(StructureFault(StructureFaultKind.UNCLOSED_BRACE, Place(chunk, begin, 0)))
        function.has_unbalanced_braces = True
    return function
