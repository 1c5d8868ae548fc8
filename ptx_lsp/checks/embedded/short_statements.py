"""The statements of a short fragment that can be checked together with those of others."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence

from ptx_lsp import suppressions
from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import CHUNK_SIZE, Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.lexical import has_large_number
from ptx_lsp.syntax.shape import SHAPES, shape_ids
from ptx_lsp.syntax.split import split

_LONGEST = 1000
"""Characters of a fragment: with longer ones a module of their own counts little."""


def _only(*kinds: Kind) -> bytes:
    return b"[%b]++" % re.escape(bytes(kinds))


_SELF_CONTAINED = re.compile(
    _only(Kind.EMPTY, Kind.INSTRUCTION, Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.REGISTERS, Kind.BAD)
).fullmatch
_PLAIN = re.compile(_only(Kind.INSTRUCTION)).fullmatch


class ShortStatements(NamedTuple):
    """The statements of one fragment, or of several one after another."""

    parts: Sequence[str]
    shapes: Sequence[int]
    kinds: bytes
    length: int
    are_plain: bool
    """Whether they are instructions without errors of syntax, and without comments."""

    @classmethod
    def joined(cls, some: Iterable[ShortStatements]) -> ShortStatements:
        """Those of several fragments."""
        some = list(some)
        return cls(
            [part for one in some for part in one.parts],
            [shape for one in some for shape in one.shapes],
            b"".join([one.kinds for one in some]),
            sum(one.length for one in some),
            all(one.are_plain for one in some),
        )

    def chunk(self) -> Chunk:
        """The chunk that they are."""
        return Chunk([*self.parts], array("I", self.shapes), self.kinds)


def short_statements(text: str) -> ShortStatements | None:
    """The statements of a fragment, if what is found in them does not depend on other functions."""
    if len(text) > _LONGEST or suppressions.MARK in text:
        return None
    parts = split(text)
    if not 0 < len(parts) <= CHUNK_SIZE:
        return None
    shapes = shape_ids(parts)
    kinds = bytes(map(SHAPES.kinds.__getitem__, shapes))
    if _SELF_CONTAINED(kinds) is None:
        return None
    are_broken = any(map(SHAPES.errors.__getitem__, shapes))
    length = len(text)
    if (
        not are_broken
        and not _is_unbalanced(kinds)
        and len(parts) > 1
        and kinds[-1] == Kind.EMPTY
        and parts[-1].isspace()
    ):
        length -= len(parts.pop())
        shapes, kinds = shapes[:-1], kinds[:-1]
    are_plain = not are_broken and _PLAIN(kinds) is not None and _is_plain(text)
    found = ShortStatements(parts, shapes, kinds, length, are_plain)
    if are_broken:
        summary = summarise(found.chunk())
        if summary.half_declared or summary.has_broken_file:
            return None
    return found


def _is_plain(text: str) -> bool:
    """Whether a text has no comments, and nothing that is an error anywhere."""
    return "/" not in text and "\0" not in text and text.isascii() and not has_large_number(text)


def _is_unbalanced(kinds: bytes) -> bool:
    """Whether braces do not pair."""
    if Kind.OPEN not in kinds and Kind.CLOSE not in kinds:
        return False
    depth = 0
    for kind in kinds:
        depth += (kind == Kind.OPEN) - (kind == Kind.CLOSE)
        if depth < 0:
            return True
    return depth > 0
