"""Inlay hints: what a reader would look up, between the words of the text.

Each kind is a module with ``looks_at(shape)``, asked once per shape, and ``hints(seen)``, asked of the statements in
sight; :data:`_KINDS` names them by their setting. A hint's label is short, its tooltip is made when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.inlay_hints import (
    branches,
    byte_picks,
    descriptors,
    literals,
    logic_tables,
    masks,
    parameter_names,
    parameter_offsets,
    register_types,
)
from ptx_lsp.features.inlay_hints.hint import Hint
from ptx_lsp.features.inlay_hints.kept import kept
from ptx_lsp.features.inlay_hints.sight import SeenStatement, Sight
from ptx_lsp.preferences import InlayHints
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.text import Span

__all__ = ["Found", "Hint", "inlay_hints"]


class _Kind(NamedTuple):
    """One kind of hints."""

    name: str
    """The setting that it goes by, a field of :class:`~ptx_lsp.preferences.InlayHints`."""
    values: frozenset[object]
    """With which values of the setting there are such hints."""
    looks_at: Callable[[Shape], bool]
    """Whether statements of a shape can have such a hint."""
    hints: Callable[[SeenStatement], Iterable[Hint]]


_ON = frozenset({True})
_KINDS = (
    _Kind("register_types", frozenset({"named", "all"}), register_types.looks_at, register_types.hints),
    _Kind("register_types", frozenset({"all"}), register_types.looks_at_numbered, register_types.hints),
    _Kind("parameter_names", _ON, parameter_names.looks_at, parameter_names.hints),
    _Kind("literals", _ON, literals.looks_at, literals.hints),
    _Kind("masks", _ON, masks.looks_at, masks.hints),
    _Kind("logic_tables", _ON, logic_tables.looks_at, logic_tables.hints),
    _Kind("byte_picks", _ON, byte_picks.looks_at, byte_picks.hints),
    _Kind("branches", _ON, branches.looks_at, branches.hints),
    _Kind("parameter_offsets", _ON, parameter_offsets.looks_at, parameter_offsets.hints),
    _Kind("descriptors", _ON, descriptors.looks_at, descriptors.hints),
)


@cache
def _worth(shape: Shape) -> int:
    """Which of the kinds can have hints in the statements of a shape, a bit each."""
    return sum(1 << number for number, kind in enumerate(_KINDS) if kind.looks_at(shape))


class HintBatch(NamedTuple):
    """The hints of a part of a text."""

    hints: list[Hint]
    waits: bool
    """Whether there may be more of them once the flow through the functions has been followed."""


def inlay_hints(module: Module, span: Span, wanted: InlayHints | None = None) -> HintBatch:
    """The hints in ``span``, in the order of the text.

    Args:
        module: the text.
        span: the part that is seen.
        wanted: which kinds of hints; the usual ones by default.

    """
    settings = wanted or InlayHints()
    sight = Sight(module, span, settings)
    document = module.document
    mask = sum(1 << number for number, kind in enumerate(_KINDS) if getattr(settings, kind.name) in kind.values)
    if not mask or not document.chunks or span.end < span.start:
        return HintBatch([], False)
    found: list[Hint] = []
    first, last = document.locate(span.start), document.locate(span.end)
    for number in range(first.chunk, last.chunk + 1):
        chunk = document.chunks[number]
        base = document.chunk_start(number)
        if first.chunk < number < last.chunk:
            found += kept(sight, chunk, base, _own(mask), lambda chunk, base: _in_chunk(sight, chunk, base, _own(mask)))
            found += _in_chunk(sight, chunk, base, mask & ~_own(mask))
        else:
            start = first.statement if number == first.chunk else 0
            end = last.statement + 1 if number == last.chunk else len(chunk)
            found += _in_chunk(sight, chunk, base, mask, start, end)
    found.sort(key=lambda hint: hint.offset)
    if found and (found[0].offset < span.start or found[-1].offset > span.end):
        found = [hint for hint in found if span.start <= hint.offset <= span.end]
    return HintBatch(found, sight.waits)


def _own(mask: int) -> int:
    """Those of some kinds whose hints depend on nothing but their function, the module's scope and its header."""
    return mask & ~sum(1 << number for number, kind in enumerate(_KINDS) if kind.name == "parameter_names")


def _in_chunk(
    sight: Sight, chunk: Chunk, base: int, mask: int, start: int = 0, end: int | None = None
) -> Iterator[Hint]:
    """The hints of some kinds in the statements ``[start, end)`` of a chunk that begins at ``base``."""
    shapes, starts = chunk.shapes, chunk.starts()
    for index in range(start, len(chunk) if end is None else end):
        worth = _worth(SHAPES[shapes[index]]) & mask
        if worth:
            seen = SeenStatement(sight, chunk, index, base + starts[index])
            for number, kind in enumerate(_KINDS):
                if worth >> number & 1:
                    yield from kind.hints(seen)
