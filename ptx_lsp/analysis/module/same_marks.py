"""The record of a function after an edit that keeps its marks: what opens, closes and declares is as before.

Most edits are within instructions. A scan walks all marks of a function, which may be thousands; here only those of the
changed chunks are looked at, and their places replaced. What the record would be is sure if

* the function has no fault: faults depend on more than the marks;
* the changed chunks have the same marks in the same order, before and after the edit, and all of them are braces,
  declarations, labels, or heads with a body;
* between each two of these marks stand instructions where some stood before: a declaration after one is a late one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from operator import attrgetter

from ptx_lsp.analysis.module.chunk_summary import MARKS, Mark, any_of, summarise
from ptx_lsp.analysis.module.function import Function, Segment
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_PLAIN = frozenset({Kind.OPEN, Kind.CLOSE, Kind.LABEL, Kind.REGISTERS, Kind.VARIABLE, Kind.FUNCTION})
_HAS_OTHERS = any_of({*MARKS, Kind.DATA} - _PLAIN).search
_start = attrgetter("start")
_MANY = 64
"""The segments of a chunk of more braces than this may be coarser than its marks."""


class _Around(NamedTuple):
    """The innermost scope with declarations that statements are in, and whether that is in the body."""

    scope: Scope
    inside: bool


class _Renewed(NamedTuple):
    """A symbol of a changed chunk, and the one that now declares the same; its scope, and whether it is in the body."""

    old: Symbol
    new: Symbol
    scope: Scope
    inside: bool


def with_same_marks(function: Function, removed: Sequence[Chunk], added: Sequence[Chunk]) -> Function | None:
    """The record with ``added`` in the place of ``removed``, two runs of chunks; None if a scan has to make it.

    Scopes are shared with the former record, which must not be used any more.
    """
    if function.faults or function.half_declared or function.has_broken_file or not removed or not added:
        return None
    if not all(map(_is_plain, (*removed, *added))) or _outline(removed) != _outline(added):
        return None
    around = [_around(function, chunk, mark.statement) for chunk, mark in _marks(removed)]
    begin = _before(function, removed[0], added[0])
    if begin is None:
        return None
    renewed = [
        _Renewed(old, new, function.scope if mark.kind is Kind.FUNCTION else here.scope, here.inside)
        for (_, mark), (_, after), here in zip(_marks(removed), _marks(added), around, strict=True)
        for old, new in zip(mark.symbols, after.symbols, strict=True)
    ]
    if not all(map(_Kept(function).has, renewed)):
        return None
    record = _with_symbols(function, renewed)
    at = function.chunks.index(removed[0])
    record.chunks = (*function.chunks[:at], *added, *function.chunks[at + len(removed) :])
    record.first = record.chunks[0]
    record.segments = function.segments.copy()
    for chunk in removed:
        del record.segments[chunk]
    record.segments.update(_segments(added, begin, around))
    return record


def _is_plain(chunk: Chunk) -> bool:
    summary = chunk.derived(summarise)
    is_readable = not summary.half_declared and not summary.has_broken_file and _HAS_OTHERS(chunk.kinds) is None
    return is_readable and not len(summary.marks) == len(chunk.kinds) > _MANY


def _marks(chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, Mark]]:
    return ((chunk, mark) for chunk in chunks for mark in chunk.derived(summarise).marks)


def _outline(chunks: Iterable[Chunk]) -> list[object]:
    """The marks of some chunks without their places; between them what counts of other statements."""
    outline: list[object] = []
    between = 0
    for chunk in chunks:
        at = 0
        for mark in chunk.derived(summarise).marks:
            between |= _content(chunk.kinds, at, mark.statement)
            outline += (between, mark.kind, [(*symbol[:2], *symbol[3:]) for symbol in mark.symbols])
            if mark.kind is Kind.FUNCTION and not mark.symbols:
                outline.append(object())  # it is broken, and what it declares is not known
            between, at = 0, mark.statement + 1
        between |= _content(chunk.kinds, at, len(chunk.kinds))
    outline.append(between)
    return outline


def _content(kinds: bytes, start: int, end: int) -> int:
    """Whether there are instructions, and lines that must be in a body, among some statements; as bits."""
    return (kinds.find(Kind.INSTRUCTION, start, end) >= 0) | (kinds.find(Kind.LOCATION, start, end) >= 0) << 1


def _before(function: Function, chunk: Chunk, added: Chunk) -> _Around | None:
    """The scope that the first statements of ``added`` are in, put in the place of ``chunk``; None if it is unknown."""
    marks = chunk.derived(summarise).marks
    if not marks or marks[0].statement:
        return _around(function, chunk, 0)
    first = added.derived(summarise).marks[:1]
    if first and not first[0].statement:
        return _around(function, chunk, 0)  # there are no statements before the mark
    number = function.chunks.index(chunk)
    last = function.chunks[number - 1]
    return _around(function, last, len(last) - 1) if number and last.kinds[-1] != Kind.FORWARD else None


def _around(function: Function, chunk: Chunk, statement: int) -> _Around:
    segments = function.segments[chunk]
    segment = segments[bisect_right(segments, statement, key=_start) - 1]
    return _Around(segment.scope, segment.inside)


class _Kept:
    """The symbols that a function has, by where it keeps them."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._globals = set(function.globals)

    def has(self, renewed: _Renewed) -> bool:
        """Whether it is known where a symbol is kept; of a label that names a register of a group nothing is kept."""
        symbol, scope = renewed.old, renewed.scope
        if symbol.kind is SymbolKind.FUNCTION:
            return symbol is self._function.symbol and symbol in self._globals
        if symbol.kind is SymbolKind.LABEL:
            known = scope.names.get(symbol.name)
            return renewed.inside and (known is symbol or known is None)
        if symbol in self._globals:
            return True
        return scope.names.get(symbol.name) is symbol or scope.groups.get(symbol.name) is symbol


def _with_symbols(function: Function, renewed: list[_Renewed]) -> Function:
    """A record with other symbols for the same declarations."""
    record = copy(function)
    record.forget_derived()
    for old, new, scope, _ in renewed:
        for table in (scope.names, scope.groups, function.late.get(scope, {})):
            if table.get(old.name) is old:
                table[old.name] = new
    others = {one.old: one.new for one in renewed}
    record.globals = [others.get(one, one) for one in function.globals]
    if function.symbol is not None:
        record.symbol = others.get(function.symbol, function.symbol)
    return record


def _segments(
    chunks: Iterable[Chunk], here: _Around, around: Iterable[_Around]
) -> Iterator[tuple[Chunk, list[Segment]]]:
    """The segments of the added chunks; the first statements are ``here``, those from each mark on in ``around``."""
    from_mark = iter(around)
    for chunk in chunks:
        own: list[Segment] = []
        start = 0
        for mark in chunk.derived(summarise).marks:
            before, here = here, next(from_mark)
            if here != before and mark.statement > start:
                own.append(Segment(start, mark.statement, *before))
            if here != before:
                start = mark.statement
        own.append(Segment(start, len(chunk), *here))
        yield chunk, own
