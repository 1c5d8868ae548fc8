"""The hints of whole chunks, for editors that ask for those of the whole text after every change.

They hold as long as the function around them is not edited and the module declares the same. Of each only what is
shown at once is kept; its tooltip is made from the text again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.features.inlay_hints.hint import Hint, Stands
from ptx_lsp.features.inlay_hints.sight import Sight
from ptx_lsp.syntax.chunk import Chunk

_Make = Callable[[Chunk, int], Iterable[Hint]]
"""Finds the hints of a chunk that begins at an offset."""


class _Hint(NamedTuple):
    """A hint, with its offset in the chunk."""

    offset: int
    label: str
    kind: str
    stands: Stands
    declared: Place | None


def _by_chunk(_: Function) -> dict[Chunk, tuple[object, list[_Hint]]]:
    """The hints that are kept of a function, with the state of the module and the kinds that they are for."""
    return {}


def kept(sight: Sight, chunk: Chunk, base: int, mask: int, make: _Make) -> Iterator[Hint]:
    """The hints of a chunk that begins at ``base``, made by ``make`` if they are not known."""
    chunks = sight.module.function_of(chunk).derived(_by_chunk)
    key = (sight.module.generation, mask)
    held = chunks.get(chunk)
    if held is None or held[0] != key:
        gave_up, sight.first_writes.gave_up = sight.first_writes.gave_up, False
        left_out, sight.gave_up = sight.gave_up, False
        hints = [_Hint(one.offset - base, one.label, one.kind, one.stands, one.declared) for one in make(chunk, base)]
        held = (key, hints)
        if not sight.waits:
            chunks[chunk] = held
        sight.first_writes.gave_up |= gave_up
        sight.gave_up |= left_out
    for offset, label, kind, stands, declared in held[1]:
        tooltip = partial(_tooltip, make, chunk, base, base + offset, kind)
        yield Hint(base + offset, label, kind, stands, tooltip, declared)


def _tooltip(make: _Make, chunk: Chunk, base: int, offset: int, kind: str) -> str:
    """The tooltip of a kept hint."""
    return next((one.tooltip() for one in make(chunk, base) if (one.offset, one.kind) == (offset, kind)), "")
