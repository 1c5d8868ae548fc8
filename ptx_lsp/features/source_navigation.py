"""Between PTX and the source that it was compiled from: by ``.file`` and ``.loc`` lines."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.source_map import Frame, file_names, frames, line_at, source_lines, uses_of_files
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.names.demangle import demangled
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

MOST_PLACES = 1000
"""The maximum number of places that are listed."""


class SourceFrame(NamedTuple):
    """A line of a source file."""

    path: str
    """As the ``.file`` line has it."""
    line: int
    column: int
    function: str
    """The demangled, shortened name of the function; empty if it is unknown."""


def source_at(semantics: Semantics, offset: int, *, only_on_line: bool = True) -> tuple[Span, list[SourceFrame]] | None:
    """Return the source line of a ``.loc`` line, and the calls that were inlined around it, innermost first.

    Args:
        semantics: the document.
        offset: the cursor.
        only_on_line: whether the cursor must be on a ``.loc`` line; else that before an instruction counts as well.

    """
    module = semantics.module
    document = module.document
    if not document.chunks or not 0 <= offset < document.length:
        return None
    number, index, _ = document.locate(offset)
    chunk = document.chunks[number]
    if only_on_line and chunk.kinds[index] != Kind.LOCATION:
        return None
    function = module.function_of(chunk)
    found = line_at(function, chunk, index)
    if found is None or (only_on_line and (found[0] is not chunk or found[1].statement != index)):
        return None
    where, line = found
    start = module.positions.statement_start(where, line.statement)
    span = Span(start + where.statement(line.statement).lead, start + len(where.part(line.statement)))
    names = file_names(module)
    shown = [_frame(one, names) for one in frames(module, function, line)]
    return (span, [one for one in shown if one.path and one.line]) if shown[0].path and shown[0].line else None


def _frame(frame: Frame, names: dict[int, str]) -> SourceFrame:
    number, line, column = frame.place
    mangled = demangled(frame.function)
    name = mangled.brief if mangled is not None else frame.function
    return SourceFrame(names.get(number, ""), line, column, name)


class GeneratedCode(NamedTuple):
    """The places of a module that were generated from one file: by line, counted from 1."""

    places: dict[int, list[Span]]
    instructions: dict[int, int]


def generated_from(module: Module, is_wanted: Callable[[str], bool]) -> GeneratedCode:
    """Return what a module has of a source file.

    Args:
        module: the module.
        is_wanted: whether a path of a ``.file`` line is that of the file.

    """
    numbers = frozenset(number for number, path in file_names(module).items() if is_wanted(path))
    found = GeneratedCode({}, {})
    if not numbers or not any(source_lines(chunk) for chunk in module.document.chunks):
        return found
    for one in uses_of_files(module, numbers):
        places = found.places.setdefault(one.line, [])
        if len(places) < MOST_PLACES:
            places.append(one.span)
        found.instructions[one.line] = found.instructions.get(one.line, 0) + one.instructions
    return found
