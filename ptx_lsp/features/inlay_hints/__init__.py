"""Inlay hints: facts that a reader would otherwise look up, shown within the text.

Each kind is a module with ``applies_to(shape)``, called once per shape, and ``hints(statement)``, called for visible
statements; :data:`_KINDS` lists them by setting. A hint has a short label; its tooltip is computed on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import chain

from ptx_lsp.analysis.references.reaching_definitions import awaits_flow
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.inlay_hints import (
    addresses,
    branches,
    byte_picks,
    descriptors,
    literals,
    logic_tables,
    masks,
    parameter_names,
    parameter_offsets,
    register_types,
    source_lines,
)
from ptx_lsp.features.inlay_hints.hint import Hint
from ptx_lsp.features.inlay_hints.hint_cache import cached_hints
from ptx_lsp.features.inlay_hints.visible_statement import ReadSource, VisibleRange, VisibleStatement
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.preferences import InlayHints
from ptx_lsp.process_cache import KEPT_BY_SHAPE
from ptx_lsp.stepwise import collected, run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.text import Span

__all__ = ["Hint", "HintBatch", "finding_hints", "inlay_hints", "preparing"]


class _Kind(NamedTuple):
    """One kind of hints."""

    name: str
    """The setting that enables it, a field of :class:`~ptx_lsp.preferences.InlayHints`."""
    values: frozenset[object]
    """The values of the setting for which the hints are shown."""
    applies_to: Callable[[Shape], bool]
    """Whether statements of a shape can have such a hint."""
    hints: Callable[[VisibleStatement], Iterable[Hint]]


_ON = frozenset({True})
_KINDS = (
    _Kind("register_types", frozenset({"named", "all"}), register_types.applies_to, register_types.hints),
    _Kind("register_types", frozenset({"all"}), register_types.applies_to_numbered, register_types.hints),
    _Kind("parameter_names", _ON, parameter_names.applies_to, parameter_names.hints),
    _Kind("literals", _ON, literals.applies_to, literals.hints),
    _Kind("masks", _ON, masks.applies_to, masks.hints),
    _Kind("logic_tables", _ON, logic_tables.applies_to, logic_tables.hints),
    _Kind("byte_picks", _ON, byte_picks.applies_to, byte_picks.hints),
    _Kind("branches", _ON, branches.applies_to, branches.hints),
    _Kind("parameter_offsets", _ON, parameter_offsets.applies_to, parameter_offsets.hints),
    _Kind("descriptors", _ON, descriptors.applies_to, descriptors.hints),
    _Kind("addresses", _ON, addresses.applies_to, addresses.hints),
    _Kind("source_lines", _ON, source_lines.applies_to, source_lines.hints),
)


@KEPT_BY_SHAPE.answers
def _kinds_of(shape: Shape) -> int:
    """The kinds of hints that apply to statements of a shape, as a bit mask."""
    return sum(1 << number for number, kind in enumerate(_KINDS) if kind.applies_to(shape))


class HintBatch(NamedTuple):
    """The hints of a range of the document."""

    hints: list[Hint]
    is_incomplete: bool
    """Whether there may be more hints after the data flow of the functions has been computed."""


def inlay_hints(
    semantics: Semantics, span: Span, wanted: InlayHints | None = None, read_line: ReadSource | None = None
) -> HintBatch:
    """Return the hints in ``span``, in text order.

    Args:
        semantics: the document.
        span: the visible range.
        wanted: the settings; the defaults if None.
        read_line: reads a line of a source file that ``.loc`` names.

    """
    return run_to_completion(finding_hints(semantics, span, wanted, read_line))


def finding_hints(
    semantics: Semantics, span: Span, wanted: InlayHints | None = None, read_line: ReadSource | None = None
) -> Generator[None, None, HintBatch]:
    """Find :func:`inlay_hints`, a statement in a step: editors may ask for the whole document."""
    settings = wanted or InlayHints()
    visible = VisibleRange(semantics, span, settings, read_line)
    document = semantics.module.document
    mask = sum(1 << number for number, kind in enumerate(_KINDS) if getattr(settings, kind.name) in kind.values)
    if not mask or not document.chunks or span.end < span.start:
        return HintBatch([], False)
    cacheable = _cacheable(mask)
    found: list[Hint] = []
    first, last = document.locate(span.start), document.locate(span.end)
    for number in range(first.chunk, last.chunk + 1):
        chunk = document.chunks[number]
        base = document.chunk_start(number)
        if first.chunk < number < last.chunk:
            make = partial(_in_chunk, visible, cacheable)
            found += yield from collected(cached_hints(visible, chunk, base, cacheable, make))
            found += yield from collected(_in_chunk(visible, mask & ~cacheable, chunk, base))
        else:
            start = first.statement if number == first.chunk else 0
            end = last.statement + 1 if number == last.chunk else len(chunk)
            found += yield from collected(_in_chunk(visible, mask, chunk, base, start, end))
    found.sort(key=lambda hint: hint.offset)
    if found and (found[0].offset < span.start or found[-1].offset > span.end):
        found = [hint for hint in found if span.start <= hint.offset <= span.end]
    return HintBatch(found, visible.is_incomplete)


def preparing(semantics: Semantics, span: Span, wanted: InlayHints) -> Iterator[None] | None:
    """Return steps of some milliseconds that make the graphs that addresses in long functions need; None if none do."""
    document = semantics.module.document
    if not wanted.addresses or not document.chunks or span.end - span.start > addresses.MOST_TEXT:
        return None
    chunks = document.chunks[document.locate(span.start).chunk : document.locate(span.end).chunk + 1]
    functions = dict.fromkeys(map(semantics.module.function_of, chunks))
    late = [function for function in functions if awaits_flow(semantics, function)]
    return chain.from_iterable(semantics.flow(one).preparing(only_graph=True) for one in late) if late else None


_UNCACHEABLE = frozenset({"parameter_names", "source_lines"})


def _cacheable(mask: int) -> int:
    """Return the kinds whose hints depend only on their function, the module scope and the header."""
    return mask & ~sum(1 << number for number, kind in enumerate(_KINDS) if kind.name in _UNCACHEABLE)


def _in_chunk(
    visible: VisibleRange, mask: int, chunk: Chunk, base: int, start: int = 0, end: int | None = None
) -> Iterator[Hint | None]:
    """Yield the hints of the kinds in ``mask`` in the statements ``[start, end)`` of a chunk at the offset ``base``.

    After each statement None as a pause.
    """
    shapes, starts = chunk.shapes, chunk.starts()
    for index in range(start, len(chunk) if end is None else end):
        kinds = _kinds_of(SHAPES[shapes[index]]) & mask
        if kinds:
            seen = VisibleStatement(visible, chunk, index, base + starts[index])
            for number, kind in enumerate(_KINDS):
                if kinds >> number & 1:
                    yield from kind.hints(seen)
            yield None
