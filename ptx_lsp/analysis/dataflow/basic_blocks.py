"""A chunk as straight-line pieces: what each reads before it writes, and what it writes.

Pieces depend on the text of their chunk alone (and on the version and target of the
module), not on scopes: names are as written. So an edit makes those of one chunk anew.
A piece ends before a label, after a jump, at braces, and at the head of a function, whose
body begins after it even if its brace is missing; so all its names mean the same throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from operator import itemgetter

from ptx_lsp.analysis.dataflow.effects import Control, Effect, finding_words, words
from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import in_parts, run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
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
    hidden: dict[str, list[int]]
    """Those of them with writes before it that nothing reads either and only a guard may have kept."""
    overwritten: tuple[int, ...]
    """Statements a result of which is written again before it is read."""
    control: Control
    guarded: bool
    """Whether the jump at the end may not be taken."""
    targets: tuple[str, ...]
    """The labels that the jump names."""


EffectOf = Callable[[Chunk, int], Effect]
"""The effect of the statement ``index`` of a chunk."""

UnpackedEffect = tuple[int, tuple[int, ...], tuple[int, ...], bool, Effect]
"""``words``, ``reads`` and ``writes`` of an effect, whether it is *plain*, and all of it.

Most effects are plain: they read, write, and go on, without a guard. One of these is taken apart for each statement,
which takes a plain tuple a third of the time that a named one takes.
"""


def unpacked(effect: Effect, kind: Kind) -> UnpackedEffect:
    """An effect of statements of one kind, as :func:`pieces` needs it."""
    is_plain = not (effect.updates or effect.guarded or effect.control or kind in _MAY_CUT)
    return effect.words, effect.reads, effect.writes, is_plain, effect


def reading_effects(
    chunk: Chunk, effects: dict[int, UnpackedEffect], effect_of: EffectOf
) -> Generator[None, None, None]:
    """Add the effects of the shapes of a chunk that are new, in steps: to match some takes a millisecond each."""
    starts = chunk.starts()
    for count, number in enumerate(set(chunk.shapes).difference(effects), 1):
        at = chunk.shapes.index(number)
        if not count % _PER_STEP or starts[at + 1] - starts[at] > _LONG:
            yield
        if not SHAPES[number].errors:
            effects[number] = unpacked(effect_of(chunk, at), SHAPES[number].kind)


_PER_STEP = 8
"""The number of shapes that are read in a step."""
_WORDS_IN_A_STEP = 8192
_LONG = 1024
"""After a statement of more words, and before the effect of one of more characters, there is a pause."""
_LONG_TEXT = 1 << 15
"""The words of more characters are found in steps."""


def pieces(chunk: Chunk, effects: dict[int, UnpackedEffect], effect_of: EffectOf) -> tuple[BlockSummary, ...]:
    """Cut a chunk into pieces.

    Args:
        chunk: a chunk.
        effects: the effects of the shapes that are known so far; it grows.
        effect_of: asked about shapes that are new.

    """
    return run_to_completion(making_pieces(chunk, effects, effect_of))


def making_pieces(
    chunk: Chunk, effects: dict[int, UnpackedEffect], effect_of: EffectOf
) -> Generator[None, None, tuple[BlockSummary, ...]]:
    """:func:`pieces` in steps of a few milliseconds."""
    yield from reading_effects(chunk, effects, effect_of)
    heads = frozenset(mark.statement for mark in chunk.derived(summarise).marks if mark.kind in HEADS)
    flat = _flat_words(chunk, effects) if chunk.length <= _LONG_TEXT else None
    yield
    names, of_statements = flat or (yield from _seeking_words(chunk, effects, effect_of))
    for at in heads:
        if chunk.kinds[at] not in _MAY_CUT:  # a broken one that is read as something else
            count, reads, writes, _, effect = of_statements[at]
            of_statements[at] = count, reads, writes, False, effect
    found: list[BlockSummary] = []
    piece = _Piece(0)
    exposed, updated, written, unsure, unread, overwritten = piece.names
    hidden = piece.hidden
    first = 0
    per_step = max(1, _WORDS_IN_A_STEP * len(of_statements) // max(1, len(names)))
    statements = enumerate(of_statements)
    for _ in range(0, len(of_statements), per_step):
        for index, (count, reads, writes, is_plain, effect) in islice(statements, per_step):
            if not is_plain and (chunk.kinds[index] in _CUTTING or index in heads):
                start = index if chunk.kinds[index] == Kind.LABEL else index + 1
                if index == piece.start:
                    piece.start = start  # it has no statement yet
                else:
                    piece.end(found, index)
                    piece = _Piece(start)
                    exposed, updated, written, unsure, unread, overwritten = piece.names
                    hidden = piece.hidden
                if start > index:  # a brace, or a head, which can be broken: it is in no piece
                    first += count
                    continue
            for place in reads:
                name = names[first + place]
                if name in unread:
                    del unread[name]
                    if hidden:
                        hidden.pop(name, None)
                elif name not in written:
                    if name not in exposed:
                        exposed[name] = index
                    continue
                if unsure and name in unsure:
                    updated.add(name)
            if is_plain:
                for place in writes:
                    name = names[first + place]
                    if name in written:
                        if name in unread:
                            overwritten.append(unread[name])
                            if hidden:
                                overwritten += hidden.pop(name, ())
                        unsure.discard(name)
                    else:
                        written[name] = index
                    unread[name] = index
            else:
                own = names[first : first + count]
                if count <= _LONG:
                    piece.add(index, effect, own)
                else:
                    yield from piece.adding(index, effect, own)
                if effect.control:
                    targets = tuple([names[first + place] for place in effect.targets])
                    piece.end(found, index + 1, effect.control, effect.guarded, targets)
                    piece = _Piece(index + 1)
                    exposed, updated, written, unsure, unread, overwritten = piece.names
                    hidden = piece.hidden
            first += count
        yield
    piece.end(found, len(chunk.shapes))
    return tuple(found)


class _Piece:
    """A piece that is being made."""

    __slots__ = ("hidden", "names", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.names: _Names = ({}, set(), {}, set(), {}, [])
        self.hidden: dict[str, list[int]] = {}

    def add(self, index: int, effect: Effect, words: list[str]) -> None:
        """Add the updates and writes of a statement, with or without a guard; its reads are added already."""
        if effect.updates:
            self._update(effect.updates, words)
        self._write(index, effect.writes, words, is_guarded=effect.guarded)
        if effect.updates:
            self._set(index, effect.updates, words)

    def adding(self, index: int, effect: Effect, words: list[str]) -> Iterator[None]:
        """:meth:`add` for a long statement, in steps."""
        for places in in_parts(effect.updates):
            self._update(places, words)
            yield
        for places in in_parts(effect.writes):
            self._write(index, places, words, is_guarded=effect.guarded)
            yield
        for places in in_parts(effect.updates):
            self._set(index, places, words)
            yield

    def _update(self, places: Sequence[int], words: list[str]) -> None:
        """Note that the values from before a statement may be read in it."""
        _, updated, written, unsure, unread, _ = self.names
        for place in places:
            name = words[place]
            unread.pop(name, None)
            self.hidden.pop(name, None)
            if name not in written or name in unsure:
                updated.add(name)

    def _write(self, index: int, places: Sequence[int], words: list[str], *, is_guarded: bool) -> None:
        _, _, written, unsure, unread, overwritten = self.names
        for place in places:
            name = words[place]
            if name not in written:
                written[name] = index
                if is_guarded:
                    unsure.add(name)
            elif not is_guarded:
                if name in unread:
                    overwritten.append(unread[name])
                    overwritten += self.hidden.pop(name, ())
                unsure.discard(name)
            elif name in unread:
                self.hidden.setdefault(name, []).append(unread[name])
            unread[name] = index

    def _set(self, index: int, places: Sequence[int], words: list[str]) -> None:
        """Note that a statement may have written what it updates."""
        _, _, written, unsure, unread, _ = self.names
        for place in places:
            name = words[place]
            unread.pop(name, None)
            self.hidden.pop(name, None)
            if name not in written:
                written[name] = index
                unsure.add(name)

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
            made = (
                self.start,
                end,
                exposed,
                frozenset(updated) if updated else _NONE,
                written,
                frozenset(unsure) if unsure else _NONE,
                unread,
                self.hidden,
                tuple(overwritten),
                control,
                guarded,
                targets,
            )
            found.append(tuple.__new__(BlockSummary, made))  # the constructor takes twice as long


_NONE: frozenset[str] = frozenset()
"""Most blocks have two: each call of ``frozenset()`` makes another one, of 216 bytes."""
_Names = tuple[dict[str, int], set[str], dict[str, int], set[str], dict[str, int], list[int]]
"""They become :attr:`BlockSummary.exposed`, ``updated``, ``written``, ``unsure``, ``unread`` and ``overwritten``."""

_CUTTING = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE})
_MAY_CUT = frozenset({*_CUTTING, *HEADS, Kind.BAD})
"""A broken statement may be the head of a function."""


_WordsAndEffects = tuple[list[str], list[UnpackedEffect]]
"""The words of all statements of a chunk in one list, and the effect of each statement."""

_COUNT = itemgetter(0)


def _flat_words(chunk: Chunk, effects: dict[int, UnpackedEffect]) -> _WordsAndEffects | None:
    """The words of the whole text at once; None if they have to be sought one statement after the other."""
    if "#" in chunk.text or chunk.opens:
        return None
    try:
        of_statements = list(map(effects.__getitem__, chunk.shapes))
    except KeyError:  # a broken statement: they all share one shape
        return None
    found = words(chunk.text)
    return (found, of_statements) if len(found) == sum(map(_COUNT, of_statements)) else None


def _seeking_words(
    chunk: Chunk, effects: dict[int, UnpackedEffect], effect_of: EffectOf
) -> Generator[None, None, _WordsAndEffects]:
    """The words of one statement after the other."""
    found: list[str] = []
    of_statements = []
    for index, number in enumerate(chunk.shapes):
        text, known = chunk.part(index), effects.get(number)
        if known is None:
            known = unpacked(effect_of(chunk, index), SHAPES[number].kind)
            if len(text) > _LONG_TEXT:
                yield
        own = words(text) if len(text) <= _LONG_TEXT else (yield from finding_words(text))
        found += own
        of_statements.append((len(own), *known[1:]))
        if len(own) > _LONG:
            yield
    return found, of_statements
