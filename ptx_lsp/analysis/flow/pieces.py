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
    unsure: frozenset[str]
    """Those of them with no write but such as a guard can prevent."""
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
    flat = _flat_words(chunk, effects)
    at = 0
    kinds = chunk.kinds
    found: list[Piece] = []
    builder = _Builder(0)
    take = builder.take
    for index, number in enumerate(chunk.shapes):
        kind = kinds[index]
        if kind != Kind.INSTRUCTION and kind in _CUTTING:
            found += builder.ended(index)
            builder = _Builder(index + (kind != Kind.LABEL))
            take = builder.take
        if flat is not None:
            effect = effects[number]
            first, at = at, at + effect[0]
            if effect[1] or effect[2] or effect[3] or effect[5]:
                take(index, effect, flat, first)
        else:
            effect = effects[number] if number in effects else effect_of(chunk, index)
            first, own = 0, words(chunk.part(index))
            take(index, effect, own, first)
        if effect[5]:
            targets = tuple((own if flat is None else flat)[first + place] for place in effect.targets)
            found += builder.ended(index + 1, effect.control, effect.guarded, targets)
            builder = _Builder(index + 1)
            take = builder.take
    found += builder.ended(len(chunk.shapes))
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
    """Takes statements one by one and makes a piece of them."""

    __slots__ = ("exposed", "overwritten", "start", "unread", "unsure", "written")

    def __init__(self, start: int) -> None:
        self.start = start
        self.exposed: dict[str, int] = {}
        self.written: dict[str, int] = {}
        self.unsure: set[str] = set()
        self.unread: dict[str, int] = {}
        self.overwritten: list[int] = []

    def take(self, index: int, effect: Effect, found: list[str], first: int) -> None:
        """Take over what a statement does; its words begin at ``first`` of ``found``."""
        _, reads, writes, updates, guarded, _, _ = effect
        written, unread = self.written, self.unread
        for at in reads:
            name = found[first + at]
            if name in unread:
                del unread[name]
            elif name not in written:
                self.exposed.setdefault(name, index)
        if guarded or updates:
            self._take_unsure(index, effect, found, first)
            return
        for at in writes:
            name = found[first + at]
            if name in written:
                if name in unread:
                    self.overwritten.append(unread[name])
                self.unsure.discard(name)
            else:
                written[name] = index
            unread[name] = index

    def _take_unsure(self, index: int, effect: Effect, found: list[str], first: int) -> None:
        """Take over writes that may not be made, or whose old value may count."""
        for at in effect.writes:
            name = found[first + at]
            if name not in self.written:
                self.written[name] = index
                self.unsure.add(name)
            if not effect.guarded:
                self.unsure.discard(name)
            self.unread[name] = index
        for at in effect.updates:
            name = found[first + at]
            self.unread.pop(name, None)
            self.written.setdefault(name, index)

    def ended(
        self, end: int, control: Control = Control.ON, guarded: bool = False, targets: tuple[str, ...] = ()
    ) -> tuple[Piece, ...]:
        """The piece that ends before the statement ``end``; nothing if it is empty."""
        if end <= self.start:
            return ()
        return (Piece(
            self.start, end, self.exposed, self.written, frozenset(self.unsure), self.unread,
            tuple(self.overwritten), control, guarded, targets,
        ),)
