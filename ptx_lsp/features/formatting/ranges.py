"""Formatting of line ranges: the subset of the document's formatting within these lines."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.formatting.document import newline_of
from ptx_lsp.features.formatting.edits import edits_of
from ptx_lsp.features.formatting.layout import laying_out
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.region import region_around
from ptx_lsp.features.formatting.statement_gaps import Gap
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span


def format_ranges(document: Document, spans: Iterable[Span], options: Options) -> list[Edit]:
    """Return the edits that format the lines of some spans, in text order; other lines are unchanged."""
    return run_to_completion(formatting_ranges(document, spans, options))


def formatting_ranges(document: Document, spans: Iterable[Span], options: Options) -> Generator[None, None, list[Edit]]:
    """:func:`format_ranges` in steps."""
    found: list[Edit] = []
    end = -1
    for span in sorted(_lines(document, span) for span in spans):
        if span.start > end:
            found += yield from _format_lines(document, span, options)
        elif span.end > end:
            found += yield from _format_lines(document, Span(end + 1, span.end), options)
        end = max(end, span.end)
    return found


def _lines(document: Document, span: Span) -> Span:
    """Extend a span to whole lines; a last line of which nothing is selected is excluded."""
    start, end = max(0, min(span.start, document.length)), max(0, min(span.end, document.length))
    start -= document.position(start)[1]
    line, column = document.position(end)
    if end > start and not column:
        return Span(start, end - 1)
    return Span(start, document.offset(line, document.length))


def _format_lines(document: Document, lines: Span, options: Options) -> Generator[None, None, list[Edit]]:
    if not document.chunks or lines.end < lines.start:
        return []
    region = region_around(document, document.locate(lines.start), document.locate(lines.end + 1), options)
    yield
    base = document.chunk_start(region.first)
    gaps = yield from laying_out(region, options, newline_of(document))
    yield
    return edits_of(region.source, within(region.text, gaps, lines.start - base, lines.end - base), base)


def within(text: str, gaps: Iterable[Gap], start: int, end: int) -> Iterator[Gap]:
    """Yield the gaps in the lines ``[start, end]``; a gap that crosses a border is clipped to the lines."""
    for gap in gaps:
        if start <= gap.start and gap.end <= end:
            yield gap
        elif gap.start < start <= gap.end <= end:
            if (tail := last_line(text, gap)) is not None:
                yield tail
        elif start <= gap.start <= end and "\n" in gap.text and (at := text.find("\n", gap.start, gap.end)) >= 0:
            head = gap.text[: gap.text.index("\n")]
            if text[gap.start : at] != head:
                yield Gap(gap.start, at, head)


def last_line(text: str, gap: Gap) -> Gap | None:
    """Return the part of a gap on its last line; None if that is unchanged, or if the gap joins lines."""
    at = text.rfind("\n", gap.start, gap.end) + 1
    if not at or "\n" not in gap.text:
        return None
    wanted = gap.text[gap.text.rindex("\n") + 1 :]
    return Gap(at, gap.end, wanted) if text[at : gap.end] != wanted else None
