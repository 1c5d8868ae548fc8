"""Templates with unknown text: names take its place, and what stands around it tells what is unknown."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence

from ptx_lsp.embedded.text_runs import RunKind, TextRuns
from ptx_lsp.hosts.site import Piece, PieceKind
from ptx_lsp.text import Span

_KINDS = {
    PieceKind.VERBATIM: RunKind.VERBATIM,
    PieceKind.ESCAPE: RunKind.ESCAPE,
    PieceKind.JOIN: RunKind.JOIN,
    PieceKind.MACRO: RunKind.MACRO,
    PieceKind.HOLE: RunKind.HOLE,
}
_BEFORE_OPERAND = frozenset(",[{(|!+-")
_AFTER_OPERAND = frozenset(",;]}|)+")
_ENDS = re.compile(r"[;{}]")


class HoleText:
    """The names that take the place of unknown text."""

    BEGIN = "hole_"

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, expression: str) -> str:
        """The name for the text that an expression of the host makes: the same one for the same expression."""
        return f"{self.BEGIN}{self._numbers.setdefault(expression, len(self._numbers))}_"

    @property
    def are_used(self) -> bool:
        """Whether there is such a name."""
        return bool(self._numbers)


_IN_A_STEP = 4096
_HOLES_IN_A_STEP = 256
_FEW = 8
"""So many pieces are taken one by one."""


class JoinedTemplate:
    """The template of a statement, joined from its pieces.

    Args:
        pieces: its pieces in a text of the host.

    """

    __slots__ = ("_pieces", "_texts", "has_holes", "text")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._texts: list[str] | None = None  # those of the pieces if some are unknown
        self.text = ""
        self.has_holes = False
        """Whether a piece is unknown."""

    def joining(self, host: str) -> Iterator[None]:
        """Join the pieces of a text of the host, in steps of some thousand; to be called once."""
        names = HoleText()
        texts: list[str] = []
        for at in range(0, len(self._pieces), _IN_A_STEP):
            if at:
                yield
            texts += [
                names.of(host[start:end]) if kind is PieceKind.HOLE else text
                for start, end, text, kind in self._pieces[at : at + _IN_A_STEP]
            ]
        self.text = "".join(texts)
        self.has_holes = names.are_used
        if self.has_holes:
            self._texts = texts

    def making_runs(self) -> Generator[None, None, TextRuns]:
        """The runs of the template, in steps of some thousand."""
        found = TextRuns()
        if len(self._pieces) <= _FEW:
            texts = self._texts or [one.text for one in self._pieces]
            for (start, end, _, kind), text in zip(self._pieces, texts, strict=True):
                found.add(start, end, len(text), _KINDS[kind])
            return found
        for at in range(0, len(self._pieces), _IN_A_STEP):
            if at:
                yield
            starts, ends, written, kinds = zip(*self._pieces[at : at + _IN_A_STEP], strict=True)
            some = written if self._texts is None else self._texts[at : at + _IN_A_STEP]
            found.extend(starts, ends, map(len, some), map(_KINDS.__getitem__, kinds))
        return found

    def unknown(self, text: str, holes: Iterable[Span]) -> Generator[None, None, tuple[tuple[Span, ...], bool]]:
        """The statements of ``text`` of which more than an operand is unknown, and whether whole ones may be.

        In steps of some hundred holes.
        """
        found: list[Span] = []
        is_unknown = False
        for number, hole in enumerate(holes, 1):
            if not number % _HOLES_IN_A_STEP:
                yield
            before, after = _before(text, hole.start), text[hole.end : hole.end + 256].lstrip()[:1]
            is_word = _is_word(text[hole.start - 1 : hole.start]) or _is_word(text[hole.end : hole.end + 1])
            if not is_word and (not before or before in ";{}") and after not in ",}":
                is_unknown = True
            elif not is_word and _is_operand(text, hole, before, after):
                continue
            if found and hole.end <= found[-1].end:
                continue  # in the same statement
            first, last = _statement_around(text, hole, found[-1].end if found else 0)
            if not found or found[-1].end < last:
                found.append(Span(first, last))
        return tuple(found), is_unknown


def _is_operand(text: str, hole: Span, before: str, after: str) -> bool:
    if after not in _AFTER_OPERAND or not after:
        return False
    if before in _BEFORE_OPERAND and before:
        return True
    # The first operand, after the opcode and a blank.
    return text[hole.start - 1 : hole.start].isspace() and _is_word(before)


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$", ".", ":", "%")


def _before(text: str, at: int) -> str:
    """The character before a place, without white space; empty at the start."""
    while at > 0:
        some = text[max(at - _SOME, 0) : at].rstrip()
        if some:
            return some[-1]
        at -= _SOME
    return ""


_SOME = 256


def _statement_around(text: str, hole: Span, floor: int) -> tuple[int, int]:
    """The statement of a hole, which does not begin before ``floor``."""
    first = max(floor, *(text.rfind(mark, floor, hole.start) + 1 for mark in ";{}"))
    end = text.find(";", hole.end)
    return first, end if end >= 0 else len(text)
