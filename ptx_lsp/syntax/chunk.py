"""Chunks: immutable runs of about 256 statements of one function, the unit of incremental work.

Where someone types they become smaller: what a keystroke costs grows with the size of its chunk.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Generator, Iterator, Sequence
from itertools import accumulate, pairwise

from ptx_lsp.derived_values import Deriving
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.lexical import has_large_number, has_too_large_number
from ptx_lsp.syntax.shape import SHAPES, shape_ids
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.trivia import open_comment

CHUNK_SIZE = 256
"""The usual number of statements of a chunk; function heads end a chunk earlier."""
_AROUND = 12
"""The number of statements before and after edited ones that share their chunk."""
_LARGE = 6 * _AROUND
"""Chunks of fewer statements are not divided where they are edited."""

_LONG = 4096
"""Characters from which on the tokens of a statement cost so much that it is kept when another is asked for."""
_MOST_LONG = 2

_LINE_ENDS = ("\n", "\r\n")
_HEAD = re.compile(b"[" + re.escape(bytes(sorted(HEADS))) + b"]").finditer
# Characters that ptxas rejects anywhere, including in comments, which shapes do not cover.
_REJECTED = re.compile(r"[^\x01-\x7f]").search


class Chunk(Deriving):
    """An immutable run of statements: their joined text, and the offset, kind and shape of each."""

    __slots__ = (
        "__weakref__",
        "_last",
        "_long",
        "_starts",
        "closes",
        "kinds",
        "length",
        "newlines",
        "opens",
        "shapes",
        "text",
    )

    def __init__(self, parts: list[str], shapes: array[int], kinds: bytes) -> None:
        self.text = "".join(parts)
        self.length = len(self.text)
        self.newlines = self.text.count("\n")
        self.kinds = kinds
        self.shapes = SHAPES.use(shapes)
        self._starts = array("Q", accumulate(map(len, parts), initial=0))
        self._last: tuple[int, Statement] | None = None
        """The statement that was asked for last: mostly several ask for it in turn, and its tokens are found once."""
        self._long: dict[int, Statement] = {}
        """Long statements that were asked for before: a finding about one may name another."""
        self.closes = "*/" in self.text
        self.opens = "/*" in self.text and any(open_comment(part) >= 0 for part in parts)

    def starts(self) -> array[int]:
        """The offset of each statement in ``text``, followed by the length of ``text``."""
        return self._starts

    def parts(self) -> list[str]:
        """The texts of the statements; their concatenation is ``text``."""
        text, starts = self.text, self._starts
        return [text[start:end] for start, end in pairwise(starts)]

    def part(self, index: int) -> str:
        """The text of one statement."""
        return self.text[self._starts[index] : self._starts[index + 1]]

    def statement(self, index: int) -> Statement:
        """One statement."""
        last = self._last
        if last is not None and last[0] == index:
            return last[1]
        if index in self._long:
            found = self._long[index]
        else:
            found = Statement(self.part(index), self.shapes[index])
            if self._starts[index + 1] - self._starts[index] > _LONG:
                if len(self._long) >= _MOST_LONG:
                    del self._long[next(iter(self._long))]
                self._long[index] = found
        self._last = index, found
        return found

    def __len__(self) -> int:
        return len(self.kinds)

    def flawed(self) -> list[int]:
        """The indices of the statements with syntax errors, in order."""
        errors = SHAPES.errors
        found = [index for index, shape in enumerate(self.shapes) if errors[shape]]
        text = self.text
        if self.opens or not text.isascii() or "\0" in text or has_large_number(text):
            found += [index for index, part in enumerate(self.parts()) if is_flawed(part)]
            found = sorted(set(found))
        return found


def is_flawed(part: str) -> bool:
    """Whether a statement has an error that its shape does not record."""
    return _REJECTED(part) is not None or open_comment(part) >= 0 or has_too_large_number(part)


def is_border(before: Sequence[str], after: str) -> bool:
    """Whether a chunk may end between statements: not if a brace there may belong to a broken statement.

    Whether a brace is one of the structure or of a vector that fell apart is decided by the statements next to it on
    its line, within its chunk. The decision must not depend on where chunks end.

    Args:
        before: the last two statements before the border, or fewer if there are no more.
        after: the statement after it.

    """
    if after.startswith(_LINE_ENDS):
        return True
    kinds = [SHAPES.kinds[shape] for shape in shape_ids([*before, after])]
    last = kinds[-2] if before else None
    if last == Kind.CLOSE and _is_broken(after):
        return False
    if last == Kind.OPEN and len(before) > 1 and _is_broken(before[-2]):
        return False
    return kinds[-1] != Kind.OPEN or not before or not _is_broken(before[-1])


def _is_broken(part: str) -> bool:
    return bool(SHAPES.errors[shape_ids([part])[0]]) or is_flawed(part)


def chunks(parts: list[str], edited: range | None = None, shapes: array[int] | None = None) -> Iterator[Chunk]:
    """Cut statements into chunks: before every function head, else after about ``CHUNK_SIZE`` statements.

    Args:
        parts: the texts of the statements.
        edited: statements that someone edits. They and a few around them become a chunk of their own, so that the next
            keystrokes there concern only those.
        shapes: those of the statements, if they are known.

    """
    if shapes is None:
        shapes = shape_ids(parts)
    kinds = bytes(map(SHAPES.kinds.__getitem__, shapes))
    start = 0
    for end in _ends(parts, kinds, edited):
        if end > start:
            yield Chunk(parts[start:end], shapes[start:end], kinds[start:end])
            start = end


def _ends(parts: list[str], kinds: bytes, edited: range | None) -> Iterator[int]:
    """The ends of chunks, in ascending order, some repeatedly."""
    start = 0
    for head in [*(match.start() for match in _HEAD(kinds)), len(parts)]:
        if edited is not None and head - start > _LARGE and edited.start < head and edited.stop > start:
            start = yield from _ends_around(parts, start, head, edited)
        while head - start > 2 * CHUNK_SIZE:
            start = _cut(parts, start + CHUNK_SIZE, head)
            yield start
        yield head
        start = head


def _ends_around(parts: list[str], start: int, end: int, edited: range) -> Generator[int, None, int]:
    """The ends of the chunks before and of edited statements of ``[start, end)``; the last one is the value."""
    while edited.start - start > 2 * CHUNK_SIZE + _AROUND:
        start = _cut(parts, start + CHUNK_SIZE, end)
        yield start
    first = _line_start(parts, max(edited.start - _AROUND, start), edited.start)
    if first is not None:
        yield first
        start = first
    if edited.stop + _AROUND - start < 2 * CHUNK_SIZE:
        last = _line_start(parts, edited.stop + _AROUND, min(start + 2 * CHUNK_SIZE, end))
        if last is not None:
            yield last
            start = last
    return start


def _cut(parts: list[str], earliest: int, end: int) -> int:
    """The end of a chunk of statements up to ``end``, preferably where a line starts: so chunks hold whole lines."""
    latest = earliest + CHUNK_SIZE
    found = _line_start(parts, earliest, latest)
    if found is None:
        leads = ((index, parts[index][: -len(parts[index].lstrip()) or None]) for index in range(earliest, latest))
        found = next((index for index, lead in leads if "\n" in lead), None)
    if found is None:
        borders = (index for index in range(earliest, end) if is_border(parts[max(index - 2, 0) : index], parts[index]))
        found = next(borders, end)
    return found


def _line_start(parts: list[str], earliest: int, latest: int) -> int | None:
    """The first statement of a range before which a line ends, without a comment or blanks at its end."""
    return next((index for index in range(earliest, latest) if parts[index].startswith(_LINE_ENDS)), None)
