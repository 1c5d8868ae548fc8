"""The record of a function after an edit that changes nothing of its structure but the places of some labels.

Most edits are within instructions. A scan walks all marks of a function, which may be thousands; here only the changed
chunks are looked at. What the record would be is sure if the chunks before and after the edit

* stand in the body, all in one scope, and have instructions;
* have no marks but labels, and these are the same in the same order;
* have no broken declaration, and the function has no fault: faults depend on more than the marks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

from ptx_lsp.analysis.module.chunk_summary import MARKS, ChunkSummary, any_of
from ptx_lsp.analysis.module.function import Function, Segment
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

_OTHERS = any_of({*MARKS, Kind.DATA} - {Kind.LABEL})


def relabelled(
    function: Function, removed: Sequence[Chunk], added: Sequence[Chunk], summaries: Mapping[Chunk, ChunkSummary]
) -> Function | None:
    """The record with ``added`` in the place of ``removed``, two runs of chunks; None if a scan has to make it.

    Scopes are shared with the former record, which must not be used any more.
    """
    if function.faults or function.half_declared or function.has_broken_file or not removed or not added:
        return None
    if any(_is_structural(chunk) for chunk in (*removed, *added)) or not all(map(_has_instructions, (removed, added))):
        return None
    if any(summaries[chunk].half_declared or summaries[chunk].has_broken_file for chunk in added):
        return None
    segments = [segment for chunk in removed for segment in function.segments[chunk]]
    scope = segments[0].scope
    if not all(segment.inside and segment.scope is scope for segment in segments):
        return None
    labels = [symbol for chunk in added for mark in summaries[chunk].marks for symbol in mark.symbols]
    if len(labels) != sum(chunk.kinds.count(Kind.LABEL) for chunk in removed) or not _are_same(scope, labels, removed):
        return None
    scope.names.update((label.name, label) for label in labels)
    return _replaced(function, removed, added, scope)


def _is_structural(chunk: Chunk) -> bool:
    return _OTHERS.search(chunk.kinds) is not None


def _has_instructions(chunks: Sequence[Chunk]) -> bool:
    return any(Kind.INSTRUCTION in chunk.kinds for chunk in chunks)


def _are_same(scope: Scope, labels: Sequence[Symbol], removed: Sequence[Chunk]) -> bool:
    """Whether each label was in ``removed`` and declared in the scope, in the same order."""
    last = (-1, -1)
    for label in labels:
        former = scope.names.get(label.name)
        if former is None or former.kind is not SymbolKind.LABEL or former.place.chunk not in removed:
            return False
        place = removed.index(former.place.chunk), former.place.statement
        if place <= last:
            return False
        last = place
    return True


def _replaced(function: Function, removed: Sequence[Chunk], added: Sequence[Chunk], scope: Scope) -> Function:
    at = function.chunks.index(removed[0])
    record = copy(function)
    record.forget_derived()
    record.chunks = (*function.chunks[:at], *added, *function.chunks[at + len(removed) :])
    record.segments = function.segments.copy()
    for chunk in removed:
        del record.segments[chunk]
    record.segments.update((chunk, [Segment(0, len(chunk), scope, True)]) for chunk in added)
    return record
