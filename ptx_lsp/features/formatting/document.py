"""Formatting of a whole document."""

from __future__ import annotations

from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.formatting.edits import edits_of
from ptx_lsp.features.formatting.layout import lay_out
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.region import FormatState, region_of
from ptx_lsp.features.formatting.statement_gaps import Gap
from ptx_lsp.syntax.document import Document


def format_document(document: Document, options: Options) -> list[Edit]:
    """Return the edits that format a document, in text order; empty if it is formatted."""
    region = region_of(document, 0, len(document.chunks), FormatState())
    return edits_of(region.source, lay_out(region, options, newline_of(document)))


def formatted(text: str, options: Options | None = None) -> str:
    """Return the formatted text."""
    document = Document(text)
    region = region_of(document, 0, len(document.chunks), FormatState())
    return applied(text, lay_out(region, options or Options.of(), newline_of(document)))


def newline_of(document: Document) -> str:
    """Return the line ending of the majority of the lines."""
    returns = sum(chunk.text.count("\r\n") for chunk in document.chunks if "\r" in chunk.text)
    return "\r\n" if returns and 2 * returns > document.line_count else "\n"


def applied(text: str, gaps: list[Gap]) -> str:
    """Return the text with the gaps replaced."""
    pieces: list[str] = []
    end = 0
    for gap in gaps:
        pieces += (text[end : gap.start], gap.text)
        end = gap.end
    pieces.append(text[end:])
    return "".join(pieces)
