"""Hover of ``.loc`` and ``.file`` directives, with the source line if it can be read.

Source: PTX ISA, "Debugging Directives: .file, .loc".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.source_files import declared_files
from ptx_lsp.analysis.module.source_map import file_names, frames, line_at
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.hover.parts.hover_info import CodeExcerpt, FurtherReading, HoverInfo
from ptx_lsp.names.demangle import demangled
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.documents.nearby import runs_before
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import File, Location
from ptx_lsp.text import Span

ReadLine = Callable[[str, int], "str | None"]
"""Returns a line of a file, counted from 1; None if it does not exist. Relative paths start at the document."""

_LANGUAGES = {
    "cu": "cpp",
    "cuh": "cpp",
    "cpp": "cpp",
    "cc": "cpp",
    "cxx": "cpp",
    "c": "cpp",
    "h": "cpp",
    "hpp": "cpp",
    "inl": "cpp",
    "py": "python",
    "rs": "rust",
    "jl": "julia",
}
_LONGEST_PATH = 60


Locate = Callable[[str, int], "str | None"]
"""Returns the address of a line of a file; None if the file does not exist."""


def source_line(cursor: Cursor, read_line: ReadLine | None, locate: Locate | None = None) -> HoverInfo | None:
    """Return the hover of the position in a ``.loc`` or the file in a ``.file``; None for other statements."""
    statement = cursor.context.statement
    tree = statement.shape.tree
    if statement.shape.errors or not isinstance(tree, Location | File):
        return None
    start = cursor.span.start - statement.span(cursor.token).start
    span = Span(statement.span(0).start, statement.tokens[-1].end).shifted(start)
    if isinstance(tree, File):
        return _file(statement, tree, span)
    place = _numbers(statement, tree.place)
    if place is None:
        return None
    number, line, column = place
    path = _path(cursor.context.module, number)
    lead = [_position(path, number, line, column)]
    text = read_line(path, line) if read_line is not None and path else None
    excerpt = None
    if text is not None and text.strip():
        language = _LANGUAGES.get(path.rpartition(".")[2].lower(), "text")
        excerpt = CodeExcerpt(language, (text,))
    return HoverInfo(span, lead=tuple(lead), places=tuple(_frames(cursor, locate)), excerpt=excerpt)


def _frames(cursor: Cursor, locate: Locate | None) -> Iterator[FurtherReading]:
    """Yield the calls around inlined code, innermost first."""
    context = cursor.context
    found = line_at(context.function, context.chunk, context.index)
    if found is None:
        return
    shown = frames(context.module, context.function, found[1])
    names = file_names(context.module)
    for inner, outer in pairwise(shown[: _MOST_FRAMES + 1]):
        number, line, _ = outer.place
        path = names.get(number, "")
        mangled = demangled(inner.function)
        name = mangled.base if mangled is not None else inner.function
        file = re.split(_SLASH, path)[-1] or f"file {number}"
        title = f"{f'`{name}` ' if name else ''}inlined at: `{file.replace(chr(96), chr(39))}`, line {line}"
        yield FurtherReading(title, (locate(path, line) or "") if locate is not None and path else "")
    if len(shown) > _MOST_FRAMES + 1:
        yield FurtherReading(f"and {len(shown) - 1 - _MOST_FRAMES} more calls", "")


_MOST_FRAMES = 8


def origin(context: StatementContext) -> tuple[str, ...]:
    """Return the source line of the nearest ``.loc`` before an instruction; empty if none is near."""
    for chunk, first, end in runs_before(context.function.chunks, context.chunk, context.index, _NEAR):
        at = chunk.kinds.rfind(bytes([Kind.LOCATION]), first, end)
        if at >= 0:
            statement = chunk.statement(at)
            tree = statement.shape.tree
            if statement.shape.errors or not isinstance(tree, Location):
                return ()
            place = _numbers(statement, tree.place)
            path = _path(context.module, place[0]) if place is not None else ""
            if place is None or not place[1] or not path:
                return ()
            return (f"from `{re.split(_SLASH, path.replace('`', chr(39)))[-1]}`, line {place[1]}",)
    return ()


_NEAR = 400
"""The number of statements before an instruction in which its ``.loc`` is looked for."""


_SLASH = re.compile(r"[/\\]")


def _file(statement: Statement, tree: File, span: Span) -> HoverInfo | None:
    path = statement.word(tree.name).strip('"')
    uses = f"file {statement.word(tree.number)} of the `.loc` lines"
    return HoverInfo(span, title=f"`{_shown(path)}`", lead=(uses,))


def _position(path: str, number: int, line: int, column: int) -> str:
    place = f"line {line}" + (f", column {column}" if column else "")
    if not line:
        place = "no line: compiler-generated code"
    return f"`{_shown(path)}`, {place}" if path else f"file {number}, which no `.file` defines, {place}"


def _shown(path: str) -> str:
    """Shorten a long path by omitting its beginning."""
    clean = path.replace("`", "'")
    if len(clean) <= _LONGEST_PATH:
        return clean
    end = clean[-_LONGEST_PATH:]
    slash = _SLASH.search(end)
    return "…" + (end[slash.start() :] if slash is not None else end)


def _path(module: Module, number: int) -> str:
    """Return the file name that ``.file`` assigns to a number; empty if none."""
    files = (one for function in module.functions for one in declared_files(function))
    for place, token, found in files:
        if found == number:
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
            assert isinstance(tree, File)
            assert token == tree.number
            return statement.word(tree.name).strip('"')
    return ""


def _numbers(statement: Statement, tokens: tuple[int, ...]) -> tuple[int, int, int] | None:
    words = [statement.word(token) for token in tokens]
    if len(words) != 3 or any(len(word) > MAX_DIGITS for word in words):
        return None
    file, line, column = map(integer, words)
    return file, line, column
