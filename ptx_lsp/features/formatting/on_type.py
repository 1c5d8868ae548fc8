"""Formatting on typing: after ``;`` the statement, after ``}`` the line, after a line break the new line."""

from __future__ import annotations

from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.formatting.document import newline_of
from ptx_lsp.features.formatting.edits import edits_of
from ptx_lsp.features.formatting.layout import lay_out
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.ranges import last_line
from ptx_lsp.features.formatting.region import context_at, count_braces, region_around
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

CHARACTERS = (";", "}", "\n")
"""The trigger characters."""


def format_on_type(document: Document, offset: int, character: str, options: Options) -> list[Edit]:
    """Return the edits after ``character`` was typed directly before ``offset``."""
    if not document.chunks or character not in CHARACTERS:
        return []
    if character == "\n":
        return _new_line(document, offset, options)
    if offset < 1 or document.slice(Span(offset - 1, offset)) != character:
        return []
    return _ended(document, offset - 1, options)


def _ended(document: Document, offset: int, options: Options) -> list[Edit]:
    """Return the edits of the statement that ends at ``offset``, and of the indentation of its line."""
    place = document.locate(offset)
    chunk = document.chunks[place.chunk]
    statement = chunk.statement(place.statement)
    tokens = statement.tokens
    if not tokens or tokens[-1].start != place.offset or statement.shape.errors:
        return []
    if statement.text[place.offset] == "}" and statement.kind is not Kind.CLOSE:
        return []
    region = region_around(document, place, place, options)
    base = document.chunk_start(region.first)
    stop = offset + 1 - base
    body = stop - tokens[-1].end + tokens[0].start
    found = []
    for gap in lay_out(region, options, newline_of(document)):
        if body <= gap.start < stop and gap.end <= stop:
            found.append(gap)
        elif gap.end == body:
            line = last_line(region.text, gap)
            if line is not None:
                found.append(line)
            elif not gap.start and region.is_first:
                found.append(gap)
    return edits_of(region.source, found, base)


def _new_line(document: Document, offset: int, options: Options) -> list[Edit]:
    """Return the edit of the indentation of the line at ``offset``."""
    column = document.position(offset)[1]
    start = offset - column
    line = document.slice(Span(start, document.offset(document.position(offset)[0], document.length)))
    blanks = len(line) - len(line.lstrip(" \t"))
    rest = line[blanks:].strip()
    place = document.locate(start)
    chunk = document.chunks[place.chunk]
    statement = chunk.statement(place.statement)
    inside = place.offset > statement.lead and place.statement < len(chunk)
    inside = inside and bool(statement.tokens) and statement.kind is not Kind.EMPTY
    if inside and (statement.text[place.offset :].strip() or not _is_ended(statement.text)):
        return _continued(document, statement.kind, statement.text, start, line[:blanks], rest, options)
    if rest:
        lines = region_around(document, place, place, options)
        base = document.chunk_start(lines.first)
        for gap in lay_out(lines, options, newline_of(document)):
            if gap.end + base == start + blanks and (found := last_line(lines.text, gap)) is not None:
                return edits_of(lines.source, [found], base)
        return []
    return _set(start, line[:blanks], options.indent(_depth(document, place.chunk, start, options)))


def _is_ended(text: str) -> bool:
    return text.rstrip().endswith((";", "{", "}", ":"))


def _continued(
    document: Document, kind: Kind, text: str, start: int, blanks: str, rest: str, options: Options
) -> list[Edit]:
    """Return the edit of the indentation of a continuation line."""
    if text.lstrip().startswith((".source_", "@@")) or kind in (Kind.LINE, Kind.DATA):
        return []
    depth = _depth(document, document.locate(start).chunk, start, options)
    indent = options.indent(depth)
    if kind is Kind.FUNCTION and rest.startswith((")", ".")) and not rest.startswith((".param", ".reg")):
        return _set(start, blanks, indent)
    return _set(start, blanks, indent + options.continuation)


def _depth(document: Document, chunk: int, offset: int, options: Options) -> int:
    """Return the number of open blocks at ``offset``, which is in the chunk."""
    context = context_at(document, chunk, options)
    count_braces(document.chunks[chunk], context, offset - document.chunk_start(chunk))
    return min(context.depth, 1) if options.nvcc else context.depth


def _set(start: int, blanks: str, wanted: str) -> list[Edit]:
    return [] if blanks == wanted else [Edit(Span(start, start + len(blanks)), wanted)]
