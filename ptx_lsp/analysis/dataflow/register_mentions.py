"""The statements that name a register: of each chunk the registers are read once, statements only for one name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.syntax.chunk import Chunk

_REGISTERS = re.compile(r"%[\w$]++", re.ASCII).findall
OF_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
"""The characters that continue a name."""


class RegisterMentions:
    """The statements of a function by the names in them, comments included."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def chunks(self, name: str) -> list[Chunk]:
        """The chunks that name something."""
        if name.startswith("%"):
            return [chunk for chunk, names in self._registers if name in names]
        return [chunk for chunk in self._function.chunks if name in chunk.text]

    def of(self, name: str) -> Iterator[tuple[Chunk, int]]:
        """All statements that name something, in the order of the text."""
        for chunk in self.chunks(name):
            for index, _ in naming(chunk, name):
                yield chunk, index

    @cached_property
    def _registers(self) -> list[tuple[Chunk, frozenset[str]]]:
        return [(chunk, chunk.derived(_registers_in)) for chunk in self._function.chunks]


def _registers_in(chunk: Chunk) -> frozenset[str]:
    """They depend on the text of a chunk alone, so that an edit costs one chunk."""
    return frozenset(_REGISTERS(chunk.text))


def naming(chunk: Chunk, name: str, first: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The statements of a chunk that name something, each with the offset of the first place in the chunk.

    Args:
        chunk: a chunk.
        name: a word.
        first: the statement to begin with.
        end: the statement to stop before; None for all.

    """
    text, starts = chunk.text, chunk.starts()
    length = len(name)
    limit = len(text) if end is None else starts[end]
    at = text.find(name, starts[first], limit)
    while at >= 0:
        after = at + length
        if text[after : after + 1] in OF_NAMES:
            at = text.find(name, after, limit)
            continue
        index = bisect_right(starts, at) - 1
        yield index, at
        at = text.find(name, starts[index + 1], limit)
