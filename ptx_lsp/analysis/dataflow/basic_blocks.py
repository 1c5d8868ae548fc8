"""A chunk as straight-line pieces: what each reads before it writes, and what it writes.

Pieces depend on the text of their chunk alone (and on the version and target of the
module), not on scopes: names are as written. So an edit makes those of one chunk anew.
A piece ends before a label, after a jump, and at braces, so that all its names mean
the same throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import NamedTuple

from ptx_lsp.analysis.dataflow.effects import Control, Effect, words
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES


class BlockSummary(NamedTuple):
    """Statements ``[start, end)`` of a chunk that are executed one after the other."""

    start: int
    end: int
    exposed: dict[str, int]
    """Names that are read before the piece writes them, with the statement of the first such read."""
    updated: frozenset[str]
    """Names whose value from before the piece may be read in it, though not for sure: by an instruction that updates
    them, or after a write with a guard."""
    written: dict[str, int]
    """Names that the piece writes, guarded or not, with the statement of the first write."""
    unsure: frozenset[str]
    """Those of them that a guard may keep from being written."""
    unread: dict[str, int]
    """Names whose last write the piece does not read, with the statement of that write."""
    overwritten: tuple[int, ...]
    """Statements a result of which is written again before it is read."""
    control: Control
    guarded: bool
    """Whether the jump at the end may not be taken."""
    targets: tuple[str, ...]
    """The labels that the jump names."""


EffectOf = Callable[[Chunk, int], Effect]
"""The effect of the statement ``index`` of a chunk."""


def pieces(chunk: Chunk, effects: dict[int, Effect], effect_of: EffectOf) -> tuple[BlockSummary, ...]:
    """Cut a chunk into pieces.

    Args:
        chunk: a chunk.
        effects: the effects of the shapes that are known so far; it grows.
        effect_of: asked about shapes that are new.

    """
    for number in set(chunk.shapes).difference(effects):
        if not SHAPES[number].errors:
            effects[number] = effect_of(chunk, chunk.shapes.index(number))
    flat = _flat_words(chunk, effects)
    found: list[BlockSummary] = []
    piece = _Piece(0)
    exposed, updated, written, unsure, unread, overwritten = piece.names
    at = 0
    for index, (kind, number) in enumerate(zip(chunk.kinds, chunk.shapes, strict=True)):
        if kind in _CUTTING:
            piece.end(found, index)
            piece = _Piece(index if kind == Kind.LABEL else index + 1)
            exposed, updated, written, unsure, unread, overwritten = piece.names
        if flat is not None:
            count, reads, writes, updates, guarded, control, targets, _ = effects[number]
            names, first = flat, at
            at += count
        else:
            effect = effects[number] if number in effects else effect_of(chunk, index)
            _, reads, writes, updates, guarded, control, targets, _ = effect
            names, first = words(chunk.part(index)), 0
        for place in reads:
            name = names[first + place]
            if name in written:
                if name in unread:
                    del unread[name]
                if name in unsure:
                    updated.add(name)
            elif name not in exposed:
                exposed[name] = index
        for place in updates:
            name = names[first + place]
            unread.pop(name, None)
            if name not in written or name in unsure:
                updated.add(name)
        for place in writes:
            name = names[first + place]
            if name not in written:
                written[name] = index
                if guarded:
                    unsure.add(name)
            elif not guarded:
                if name in unread:
                    overwritten.append(unread[name])
                unsure.discard(name)
            unread[name] = index
        for place in updates:
            name = names[first + place]
            unread.pop(name, None)
            if name not in written:
                written[name] = index
                unsure.add(name)
        if control:
            piece.end(found, index + 1, control, guarded, tuple([names[first + place] for place in targets]))
            piece = _Piece(index + 1)
            exposed, updated, written, unsure, unread, overwritten = piece.names
    piece.end(found, len(chunk.shapes))
    return tuple(found)


class _Piece:
    """A piece that is being made."""

    __slots__ = ("names", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.names: _Names = ({}, set(), {}, set(), {}, [])

    def end(
        self,
        found: list[BlockSummary],
        end: int,
        control: Control = Control.ON,
        guarded: bool = False,
        targets: tuple[str, ...] = (),
    ) -> None:
        """End it before the statement ``end``, unless it is empty."""
        if end > self.start:
            exposed, updated, written, unsure, unread, overwritten = self.names
            found.append(
                BlockSummary(
                    self.start,
                    end,
                    exposed,
                    frozenset(updated),
                    written,
                    frozenset(unsure),
                    unread,
                    tuple(overwritten),
                    control,
                    guarded,
                    targets,
                )
            )


_Names = tuple[dict[str, int], set[str], dict[str, int], set[str], dict[str, int], list[int]]
"""They become :attr:`BlockSummary.exposed`, ``updated``, ``written``, ``unsure``, ``unread`` and ``overwritten``."""

_CUTTING = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE})


_FIRST = itemgetter(0)  # Effect.words, in half the time


def _flat_words(chunk: Chunk, effects: dict[int, Effect]) -> list[str] | None:
    """The words of all statements in one list, or None if they have to be sought one statement after the other."""
    if "#" in chunk.text or chunk.opens:
        return None
    found = words(chunk.text)
    try:
        expected = sum(map(_FIRST, map(effects.__getitem__, chunk.shapes)))
    except KeyError:  # a broken statement: they all share one shape
        return None
    return found if len(found) == expected else None
