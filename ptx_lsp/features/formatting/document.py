"""Formatting of a whole document."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.formatting.edits import edits_of
from ptx_lsp.features.formatting.layout import laying_out
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.region import FormatState, Region, making_region, region_of
from ptx_lsp.features.formatting.statement_gaps import Gap
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.document import Document


def format_document(document: Document, options: Options) -> list[Edit]:
    """Return the edits that format a document, in text order; empty if it is formatted."""
    return run_to_completion(formatting(document, options))


def formatting(document: Document, options: Options) -> Generator[None, None, list[Edit]]:
    """:func:`format_document` in steps."""
    region = yield from making_region(document, 0, len(document.chunks), FormatState())
    yield
    gaps = yield from _gaps(document, region, options)
    yield
    return edits_of(region.source, gaps)


def formatted(text: str, options: Options | None = None) -> str:
    """Return the formatted text."""
    document = Document(text)
    region = region_of(document, 0, len(document.chunks), FormatState())
    return applied(text, run_to_completion(_gaps(document, region, options or Options.of())))


def _gaps(document: Document, region: Region, options: Options) -> Generator[None, None, list[Gap]]:
    """Return the gaps of a whole document; the line ending that they have is the one of most lines then."""
    newline = newline_of(document)
    gaps = yield from laying_out(region, options, newline)
    if "\r" in region.source and (most := _most(applied(region.source, gaps))) != newline:
        return (
            yield from laying_out(region, options, most)
        )  # the lines that formatting leaves had another one than those it removes
    return gaps


def newline_of(document: Document) -> str:
    """Return the line ending of the majority of the lines."""
    if not any("\r" in chunk.text for chunk in document.chunks):
        return "\n"
    return _most("".join([chunk.text for chunk in document.chunks]))


def _most(text: str) -> str:
    return "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"


def applied(text: str, gaps: list[Gap]) -> str:
    """Return the text with the gaps replaced."""
    pieces: list[str] = []
    end = 0
    for gap in gaps:
        pieces += (text[end : gap.start], gap.text)
        end = gap.end
    pieces.append(text[end:])
    return "".join(pieces)
