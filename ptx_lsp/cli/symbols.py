"""``ptx-lsp symbols``: the outline of files, as an indented list or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ptx_lsp.cli.files import STANDARD_INPUT, UnreadableError, collect, read_source
from ptx_lsp.cli.lines import Lines
from ptx_lsp.cli.terminal import paint, printable, wants_colour

if TYPE_CHECKING:
    from ptx_lsp.features.outline import OutlineItem


def symbols(options: argparse.Namespace) -> int:
    """Print the outline of files; 0, 1 (no match for ``--query``) or 2 (a file could not be read)."""
    problems = found = 0
    files: list[dict[str, Any]] = []
    sources = list(collect(options.paths))
    for source in sources:
        path = "<stdin>" if source.path == STANDARD_INPUT else source.path
        try:
            if source.problem is not None:
                raise UnreadableError(source.problem)
            text = read_source(source.path)
        except UnreadableError as error:
            problems += 1
            print(f"ptx-lsp: {printable(f'{path}: {error}')}", file=sys.stderr)
            continue
        entries = _outline(text)
        if options.query is not None:
            entries = list(_matching(entries, options.query.lower()))
        found += len(entries)
        lines = Lines(text)
        if options.json:
            files.append({"path": path, "symbols": [_as_json(entry, lines) for entry in entries]})
        else:
            _print(path, entries, lines, len(sources) > 1)
    if options.json:
        json.dump({"files": files}, sys.stdout, indent=1)
        print()
    if problems:
        return 2
    return 1 if options.query is not None and not found else 0


def _outline(text: str) -> list[OutlineItem]:
    from ptx_lsp.analysis.module.module import Module
    from ptx_lsp.features.outline import outline
    from ptx_lsp.syntax.document import Document

    return outline(Module(Document(text)))


def _matching(entries: Iterable[OutlineItem], query: str) -> Iterator[OutlineItem]:
    """The entries whose names contain the query, at any depth, with the entries that contain them."""
    for entry in entries:
        children = tuple(_matching(entry.children, query))
        if query in entry.name.lower() or children:
            yield entry._replace(children=children)


def _print(path: str, entries: Iterable[OutlineItem], lines: Lines, named: bool) -> None:
    colour = wants_colour(sys.stdout)
    if named:
        print(paint(printable(path), "1") if colour else printable(path))
    for depth, entry in _flattened(entries, int(named)):
        line = lines.place(entry.name_span).line
        shown = "  " * depth + printable(entry.name)
        detail = " ".join(filter(None, (_kind(entry), entry.detail, f"line {line}")))
        print(f"{shown}  {paint(detail, '90') if colour else detail}")


def _kind(entry: OutlineItem) -> str:
    return "block" if entry.kind is None else entry.kind.name.lower()


def _flattened(entries: Iterable[OutlineItem], depth: int) -> Iterator[tuple[int, OutlineItem]]:
    for entry in entries:
        yield depth, entry
        yield from _flattened(entry.children, depth + 1)


def _as_json(entry: OutlineItem, lines: Lines) -> dict[str, Any]:
    place = lines.place(entry.span)
    name = lines.place(entry.name_span)
    found: dict[str, Any] = {"name": entry.name, "kind": _kind(entry), "detail": entry.detail}
    found |= {"line": name.line, "column": name.column}
    found |= {
        "range": {
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
        }
    }
    if entry.children:
        found["children"] = [_as_json(child, lines) for child in entry.children]
    return found
