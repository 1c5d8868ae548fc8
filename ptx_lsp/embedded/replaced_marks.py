"""The text of a template with what its marks stand for, and the places of the marks in it.

A template may have a mark for each two characters: they are read in columns, and equal ones once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, compress

from ptx_lsp.embedded.constraints import CONSTANT
from ptx_lsp.embedded.fragment_operand import FragmentOperand
from ptx_lsp.embedded.holes import HoleText
from ptx_lsp.embedded.template import UNIQUE, Meaning, Sigil, SigilKind, WrittenMarks
from ptx_lsp.embedded.text_runs import Changes, RunKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

_IN_A_STEP = 1 << 10
"""Marks."""


class ReplacedMarks(NamedTuple):
    """A template with what its marks stand for."""

    text: str
    changes: Changes | None = None
    """The places of the template that have another text there; None if there are none."""
    marks: tuple[Sigil, ...] = ()
    """All marks but escapes, with places in ``text``."""
    unique: Sequence[int] = ()
    """The places of numbers that are others in each copy of the statement."""
    has_marks: bool = False
    """Whether there are marks, of which all may be escapes."""
    has_holes: bool = False
    """Whether some stand for unknown text."""


def replacing_marks(
    text: str, marks: WrittenMarks, operands: Sequence[FragmentOperand]
) -> Generator[None, None, ReplacedMarks]:
    """Replace the marks of a template; in steps of some thousand."""
    if len(marks.keys) <= _IN_A_STEP and _are_registers(marks, operands):
        ends = list(accumulate(map(len, marks.parts)))
        places = map(_span, zip(ends[::2], ends[1::2], strict=False))
        columns = zip(map(marks.meanings.__getitem__, marks.keys), places, strict=True)
        sigils = [_sigil((kind, place, number, name, other)) for (kind, number, name, other), place in columns]
        return ReplacedMarks(text, None, tuple(sigils), (), True)
    replacing = _Replacing(text, marks, operands)
    for first in range(0, len(marks.keys), _IN_A_STEP):
        if first:
            yield
        replacing.go_on(first, min(first + _IN_A_STEP, len(marks.keys)))
    if replacing.changes is not None:
        text = "".join([*replacing.parts, marks.parts[-1]])
    are_kept = tuple(replacing.sigils), replacing.unique or ()
    return ReplacedMarks(text, replacing.changes, *are_kept, has_marks=True, has_holes=replacing.has_holes)


def _are_registers(marks: WrittenMarks, operands: Sequence[FragmentOperand]) -> bool:
    """Whether all marks are operands in registers, as in most templates: they stay as they are."""
    for kind, number, _, text in marks.meanings.values():
        if kind is not SigilKind.OPERAND or text is not None or number >= len(operands):
            return False
        letter = operands[number].letter
        if letter is None or not letter.is_register:
            return False
    return True


_span = partial(tuple.__new__, Span)
_sigil = partial(tuple.__new__, Sigil)


class _Replacing:
    """Goes through the marks of a template.

    Args:
        text: the template.
        marks: its marks.
        operands: the operands of the statement.

    """

    def __init__(self, text: str, marks: WrittenMarks, operands: Sequence[FragmentOperand]) -> None:
        self._text = text
        self._marks = marks
        self._operands = operands
        self._at = self._begin = 0  # the offsets of the next part in the old and in the new text
        self.parts: list[str] = []
        """The parts of the new text."""
        self.changes: Changes | None = None
        self.sigils: list[Sigil] = []
        self.unique: list[int] = []
        self.has_holes = False
        self._texts: dict[str, str] = {}
        self._kept: dict[str, Meaning] = {}
        self._unique: set[str] = set()
        self._no_registers: set[str] = set()
        for key, one in marks.meanings.items():
            if one.text is not None:
                self._texts[key] = one.text
            if one.kind is SigilKind.ESCAPE:
                if one.text == UNIQUE:
                    self._unique.add(key)
                continue
            self._kept[key] = one
            if one.kind is SigilKind.OPERAND and not self._is_register(one.number):
                self._no_registers.add(key)

    def _is_register(self, number: int) -> bool:
        letter = self._operands[number].letter if number < len(self._operands) else None
        return letter is not None and letter.is_register

    def go_on(self, first: int, stop: int) -> None:
        """Take the marks from ``first`` to ``stop``, each with the text before it."""
        keys, parts = self._marks.keys[first:stop], self._marks.parts[2 * first : 2 * stop]
        bounds = list(accumulate(map(len, parts), initial=self._at))
        self._at = bounds[-1]
        pasted = [] if self._no_registers.isdisjoint(keys) else [*self._pasted(keys, bounds)]
        if self._texts or pasted:
            texts = list(map(self._texts.get, keys))
            for at in pasted:
                texts[at] = f"{HoleText.BEGIN}9{first + at}_"
            kinds = [RunKind.OPERAND if key in self._kept else RunKind.ESCAPE for key in keys]
            for at in pasted:
                kinds[at] = RunKind.HOLE
            self.has_holes = self.has_holes or bool(pasted)
            self._change(bounds, texts, kinds)
            parts[1::2] = [part if text is None else text for part, text in zip(parts[1::2], texts, strict=True)]
            bounds = list(accumulate(map(len, parts), initial=self._begin))
        elif self.changes is not None:
            bounds = [bound + self._begin - bounds[0] for bound in bounds]
        self.parts += parts
        self._place(keys, bounds)

    def _pasted(self, keys: Sequence[str], bounds: Sequence[int]) -> Iterator[int]:
        """The marks that are no registers and stand for unknown text: it may be anything, or is a part of a word."""
        for at, key in enumerate(keys):
            if key in self._no_registers:
                number, (start, end) = self._marks.meanings[key].number, bounds[2 * at + 1 : 2 * at + 3]
                before, after = self._text[start - 1 : start], self._text[end : end + 1]
                letter = self._operands[number].letter if number < len(self._operands) else None
                is_part = _is_word(before) or _is_word(after) or after in ("%", "$")
                if is_part or letter is not None and letter.kind != CONSTANT:
                    yield at

    def _change(self, bounds: Sequence[int], texts: Sequence[str | None], kinds: Iterable[int]) -> None:
        """Note the places that have another text."""
        are_changed = [text is not None for text in texts]
        if True in are_changed:
            if self.changes is None:
                self.changes = Changes()
            starts, ends = (compress(column, are_changed) for column in (bounds[1::2], bounds[2::2]))
            lengths = [len(text) for text in texts if text is not None]
            self.changes.extend(starts, ends, lengths, compress(kinds, are_changed))

    def _place(self, keys: Sequence[str], bounds: Sequence[int]) -> None:
        """Keep marks whose places are asked for; ``bounds`` are those of the parts in the new text."""
        self._begin = bounds[-1]
        places = zip(bounds[1::2], bounds[2::2], strict=True)
        self.sigils += [
            _sigil((kind, _span(place), number, name, text))
            for one, place in zip(map(self._kept.get, keys), places, strict=True)
            if one is not None
            for kind, number, name, text in (one,)
        ]
        if self._unique:
            self.unique += [start for key, start in zip(keys, bounds[1::2], strict=True) if key in self._unique]


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$", ".", ":")
