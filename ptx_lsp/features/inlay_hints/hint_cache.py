"""A cache of the hints of whole chunks, for clients that request the whole document after each edit.

An entry is valid while its function is not edited and the module-scope declarations are unchanged. Tooltips are not
cached but computed from the text again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleRange
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import without_pauses
from ptx_lsp.syntax.chunk import Chunk

_Make = Callable[..., Iterable["Hint | None"]]
"""Computes the hints of a chunk at an offset, with pauses: of all its statements, or of those in a range."""


class _Hint(NamedTuple):
    """A hint with its offset relative to the chunk."""

    offset: int
    label: str
    kind: str
    placement: HintPosition
    declared: Place | None


def _by_chunk(_: Function) -> dict[Chunk, tuple[object, list[_Hint]]]:
    """The cached hints of a function, with the state of the module and the kinds that they are for."""
    return {}


def cached_hints(visible: VisibleRange, chunk: Chunk, base: int, mask: int, make: _Make) -> Iterator[Hint | None]:
    """Yield the hints of a chunk at the offset ``base``, computed by ``make`` unless cached, with its pauses."""
    chunks = visible.module.function_of(chunk).derived(_by_chunk)
    key = (visible.module.generation, mask)
    held = chunks.get(chunk)
    if held is None or held[0] != key:
        gave_up, visible.first_writes.gave_up = visible.first_writes.gave_up, False
        left_out, visible.gave_up = visible.gave_up, False
        hints = []
        for one in make(chunk, base):
            if one is None:
                yield None
            else:
                hints.append(_Hint(one.offset - base, one.label, one.kind, one.placement, one.declared))
        held = (key, hints)
        if not visible.is_incomplete:
            chunks[chunk] = held
        visible.first_writes.gave_up |= gave_up
        visible.gave_up |= left_out
    for offset, label, kind, placement, declared in held[1]:
        tooltip = partial(_tooltip, make, chunk, base, (base + offset, kind, label))
        yield Hint(base + offset, label, kind, placement, tooltip, declared)


def _tooltip(make: _Make, chunk: Chunk, base: int, wanted: tuple[int, str, str]) -> str:
    """Return the tooltip of a cached hint, from its statement: that of the hint with this offset, kind and label."""
    offset = wanted[0]
    after = bisect_right(chunk.starts(), offset - base, hi=len(chunk))
    found = without_pauses(make(chunk, base, max(after - 2, 0), after))  # a hint can stand at the end of a statement
    return next((one.tooltip() for one in found if (one.offset, one.kind, one.label) == wanted), "")
