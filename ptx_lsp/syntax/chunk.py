"""A piece of a document: about 256 statements of one function."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import accumulate, pairwise

from ptx_lsp.deriving import Deriving
from ptx_lsp.syntax import raw
from ptx_lsp.syntax.kind import HEADS
from ptx_lsp.syntax.lexical import has_large_number, has_too_large_number
from ptx_lsp.syntax.shape import SHAPES, shape_ids
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.trivia import open_comment

STATEMENTS = 256
"""How many statements a chunk holds when nothing else ends it."""

_HEAD = re.compile(b"[" + re.escape(bytes(sorted(HEADS))) + b"]").finditer
# Characters that ptxas refuses wherever they stand, also in comments, which shapes do not see.
_REFUSED = re.compile(r"[^\x01-\x7f]").search


class Chunk(Deriving):
    """An immutable run of statements: their texts joined, where each starts, its kind and its shape."""

    __slots__ = (
        "__weakref__",
        "_starts",
        "closes",
        "ends_raw",
        "kinds",
        "length",
        "newlines",
        "opens",
        "opens_raw",
        "shapes",
        "text",
    )

    def __init__(self, parts: list[str], shapes: array[int], kinds: bytes) -> None:
        self.text = "".join(parts)
        self.length = len(self.text)
        self.newlines = self.text.count("\n")
        self.kinds = kinds
        self.shapes = shapes
        self._starts = array("Q", accumulate(map(len, parts), initial=0))
        self.closes = "*/" in self.text
        self.opens_raw = raw.BEGIN in self.text and any(map(raw.is_unclosed, parts))
        self.ends_raw = raw.END in self.text and raw.ends(self.text) is not None
        self.opens = "/*" in self.text and any(open_comment(part) >= 0 for part in parts)

    def starts(self) -> array[int]:
        """The offset of each statement in ``text``, and at last the length of ``text``."""
        return self._starts

    def parts(self) -> list[str]:
        """The texts of the statements; joined they are ``text``."""
        text, starts = self.text, self._starts
        return [text[start:end] for start, end in pairwise(starts)]

    def part(self, index: int) -> str:
        """The text of one statement."""
        return self.text[self._starts[index] : self._starts[index + 1]]

    def statement(self, index: int) -> Statement:
        """One statement."""
        return Statement(self.part(index), self.shapes[index])

    def __len__(self) -> int:
        return len(self.kinds)

    def flawed(self) -> list[int]:
        """The statements that have syntax errors, in order."""
        errors = SHAPES.errors
        found = [index for index, shape in enumerate(self.shapes) if errors[shape]]
        text = self.text
        if self.opens or not text.isascii() or "\0" in text or has_large_number(text):
            found += [index for index, part in enumerate(self.parts()) if _is_flawed(part)]
            found = sorted(set(found))
        return found


def _is_flawed(part: str) -> bool:
    """Whether a statement has an error that its shape does not show."""
    return _REFUSED(part) is not None or open_comment(part) >= 0 or has_too_large_number(part)


def chunks(parts: list[str]) -> Iterator[Chunk]:
    """Cut statements into chunks: before every function head, and after ``STATEMENTS`` at the latest."""
    shapes = shape_ids(parts)
    kinds = bytes(map(SHAPES.kinds.__getitem__, shapes))
    count = len(parts)
    start = 0
    for head in [*(match.start() for match in _HEAD(kinds)), count]:
        while head - start > 2 * STATEMENTS:
            cut = _cut(parts, start + STATEMENTS)
            yield Chunk(parts[start:cut], shapes[start:cut], kinds[start:cut])
            start = cut
        if head > start:
            yield Chunk(parts[start:head], shapes[start:head], kinds[start:head])
            start = head


def _cut(parts: list[str], earliest: int) -> int:
    """Where a chunk may end: before a statement that starts a line, so that lines are seen whole, if there is one."""
    for index in range(earliest, earliest + STATEMENTS):
        part = parts[index]
        if "\n" in part[: len(part) - len(part.lstrip())]:
            return index
    return earliest
