"""Source positions: the ``.loc`` lines of a chunk and their ``inlined_at`` positions.

Compiled files have hundreds of thousands of such lines, so they are extracted from the text of a whole chunk; only
chunks with unusual ones are read statement by statement.

Source: PTX ISA, "Debugging Directives: .loc"; that the order of lines ignores functions was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import integer
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Location as LocationTree

SourcePosition = tuple[str, str, str]
"""File, line and column, in decimal digits."""

_NUMBER = r"[ \t]++(0(?!\w)|[1-9]\d*+)"
_LINES = compile_pattern(
    rf"\.loc{_NUMBER}{_NUMBER}{_NUMBER}(?![\w.])"
    rf"(?:[ \t]*+,[^\n,/]++,[ \t]*+inlined_at{_NUMBER}{_NUMBER}{_NUMBER}(?![\w.]))?",
    re.ASCII,
).findall


def open_call_sites(chunk: Chunk) -> tuple[tuple[int, SourcePosition], ...]:
    """The ``.loc`` lines, by index, whose ``inlined_at`` position is not that of an earlier line of the chunk."""
    if "inlined_at" not in chunk.text:
        return ()
    seen = set()
    wanted = []
    for index, place, call_site in _read(chunk):
        if call_site is not None and call_site not in seen:
            wanted.append((index, call_site))
        seen.add(place)
    return tuple(wanted)


def locations(chunk: Chunk) -> frozenset[SourcePosition]:
    """The positions of the ``.loc`` lines of a chunk."""
    return frozenset(place for _, place, _ in _read(chunk))


def _read(chunk: Chunk) -> Iterator[tuple[int, SourcePosition, SourcePosition | None]]:
    """The ``.loc`` lines: index, position, and ``inlined_at`` position."""
    indices = [index for index, kind in enumerate(chunk.kinds) if kind == Kind.LOCATION]
    found = _LINES(chunk.text)
    if len(found) == len(indices) and chunk.text.count("inlined_at") == sum(bool(line[3]) for line in found):
        for index, (file, line, column, *call_site) in zip(indices, found, strict=True):
            yield index, (file, line, column), (call_site[0], call_site[1], call_site[2]) if call_site[0] else None
        return
    for index in indices:
        statement = chunk.statement(index)
        tree = statement.shape.tree
        if isinstance(tree, LocationTree) and not statement.shape.errors:
            call_site = _location(statement, tree.inlined_at) if tree.inlined_at else None
            yield index, _location(statement, tree.place), call_site


def _location(statement: Statement, tokens: tuple[int, ...]) -> SourcePosition:
    file, line, column = (str(integer(statement.word(token))) for token in tokens)
    return file, line, column
