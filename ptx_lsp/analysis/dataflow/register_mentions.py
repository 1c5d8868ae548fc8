"""Where names stand in a function: of a chunk first the registers are read, and statements only for one name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from weakref import WeakKeyDictionary

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.syntax.chunk import Chunk

_REGISTERS = re.compile(r"%[\w$]++", re.ASCII).findall
_OF_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
_registers: WeakKeyDictionary[Chunk, frozenset[str]] = WeakKeyDictionary()
"""They depend on the text of a chunk alone, so that an edit costs one chunk."""


class RegisterMentions:
    """The statements of a function by the names that stand in them, comments included."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def chunks(self, name: str) -> list[Chunk]:
        """The chunks in which a name stands."""
        if name.startswith("%"):
            return [chunk for chunk, names in self._registers if name in names]
        return [chunk for chunk in self._function.chunks if name in chunk.text]

    def of(self, name: str) -> Iterator[tuple[Chunk, int]]:
        """All statements in which a name stands, in the order of the text."""
        for chunk in self.chunks(name):
            for index, _ in standing(chunk, name):
                yield chunk, index

    @cached_property
    def _registers(self) -> list[tuple[Chunk, frozenset[str]]]:
        found = []
        for chunk in self._function.chunks:
            names = _registers.get(chunk)
            if names is None:
                names = _registers[chunk] = frozenset(_REGISTERS(chunk.text))
            found.append((chunk, names))
        return found


def standing(chunk: Chunk, name: str) -> Iterator[tuple[int, int]]:
    """The statements of a chunk in which a name stands, each with the offset of the first place in the chunk."""
    text, starts = chunk.text, chunk.starts()
    length = len(name)
    at = text.find(name)
    while at >= 0:
        end = at + length
        if text[end : end + 1] in _OF_NAMES:
            at = text.find(name, end)
            continue
        index = bisect_right(starts, at) - 1
        yield index, at
        at = text.find(name, starts[index + 1])


def forget() -> None:
    """Read the registers of all chunks again when they are asked for: for who measures."""
    _registers.clear()
