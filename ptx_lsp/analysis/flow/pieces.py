"""A chunk as straight-line pieces: what each reads before it writes, and what it writes.

Pieces depend on the text of their chunk alone (and on the version and target of the
module), not on scopes: names are as written. So an edit makes those of one chunk anew.
A piece ends before a label, behind a jump, and at braces, so that all its names mean
the same throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.analysis.flow.effects import Control, Effect, words
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES


class Piece(NamedTuple):
    """Statements ``[start, end)`` of a chunk that are executed one after the other."""

    start: int
    end: int
    exposed: dict[str, int]
    """Names that are read before the piece writes them, with the statement of the first such read."""
    written: dict[str, int]
    """Names that the piece writes, guarded or not, with the statement of the first write."""
    surely: frozenset[str]
    """Those of them with a write that no guard can prevent."""
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
"""What the statement ``index`` of a chunk does."""


def pieces(chunk: Chunk, effects: dict[int, Effect], effect_of: EffectOf) -> tuple[Piece, ...]:
    """Cut a chunk into pieces.

    Args:
        chunk: a chunk.
        effects: the effects of the shapes that are known so far; it grows.
        effect_of: asked about shapes that are new.

    """
    for number in set(chunk.shapes).difference(effects):
        if not SHAPES[number].errors:
            effects[number] = effect_of(chunk, chunk.shapes.index(number))
    found: list[Piece] = []
    builder = _Builder(found)
    flat = _flat_words(chunk, effects)
    at = 0
    kinds = chunk.kinds
    for index, number in enumerate(chunk.shapes):
        kind = kinds[index]
        if kind in _CUTTING:
            builder.end(index)
            if kind != Kind.LABEL:
                builder.start = index + 1
        if flat is not None:
            effect = effects[number]
            first, at = at, at + effect.words
            if effect.reads or effect.writes or effect.updates or effect.control:
                builder.take(index, effect, flat, first)
        else:
            effect = effects[number] if number in effects else effect_of(chunk, index)
            builder.take(index, effect, words(chunk.part(index)), 0)
    builder.end(len(chunk.shapes))
    return tuple(found)


_CUTTING = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE})


def _flat_words(chunk: Chunk, effects: dict[int, Effect]) -> list[str] | None:
    """The words of all statements in one list, or None if they have to be sought one statement after the other."""
    if "#" in chunk.text:
        return None
    found = words(chunk.text)
    try:
        expected = sum(effects[number].words for number in chunk.shapes)
    except KeyError:  # a broken statement: they all share one shape
        return None
    return found if len(found) == expected else None


class _Builder:
    """Takes statements one by one and makes pieces of them."""

    def __init__(self, found: list[Piece]) -> None:
        self._found = found
        self._begin(0)

    def _begin(self, start: int) -> None:
        self.start = start
        self._exposed: dict[str, int] = {}
        self._written: dict[str, int] = {}
        self._surely: set[str] = set()
        self._unread: dict[str, int] = {}
        self._overwritten: list[int] = []

    def take(self, index: int, effect: Effect, found: list[str], first: int) -> None:
        """Take over what a statement does; its words begin at ``first`` of ``found``."""
        _, reads, writes, updates, guarded, control, targets = effect
        exposed, written, unread = self._exposed, self._written, self._unread
        for at in reads:
            name = found[first + at]
            if name in unread:
                del unread[name]
            if name not in written and name not in exposed:
                exposed[name] = index
        for at in updates:
            unread.pop(found[first + at], None)
        for at in writes:
            name = found[first + at]
            if not guarded:
                if name in unread:
                    self._overwritten.append(unread[name])
                self._surely.add(name)
            if name not in written:
                written[name] = index
            unread[name] = index
        for at in updates:
            name = found[first + at]
            unread.pop(name, None)
            written.setdefault(name, index)
        if control:
            self.end(index + 1, control, guarded, tuple(found[first + at] for at in targets))

    def end(
        self, end: int, control: Control = Control.ON, guarded: bool = False, targets: tuple[str, ...] = ()
    ) -> None:
        """End the piece before the statement ``end``, unless it is empty, and begin the next there."""
        if end > self.start:
            self._found.append(Piece(
                self.start, end, self._exposed, self._written, frozenset(self._surely), self._unread,
                tuple(self._overwritten), control, guarded, targets,
            ))
        self._begin(end)
