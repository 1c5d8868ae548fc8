"""The source files of a module: the numbers that ``.file`` gives, and who names them.

Source: PTX ISA, "Debugging Directives: .file, .nv_intermediate_source_section".
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Directive, File

_NAMING = ".sourceFileName"


def declared_files(function: Function) -> tuple[tuple[Place, int, int], ...]:
    """The ``.file`` lines after a function in order: place, token of the number, number."""
    return function.derived(_declared)


def reading_files(function: Function) -> Iterator[None]:
    """Read the ``.file`` lines after a function, with a pause after each: there can be very many."""
    for place in function.files:
        place.chunk.derived(_files_in)
        yield


def named_files(function: Function) -> tuple[tuple[Place, int, int], ...]:
    """The ``.sourceFileName`` lines after a function: place, token of the number, number."""
    return function.derived(_named)


def file_facts(function: Function) -> tuple[tuple[int, str], ...]:
    """The number and the name of each of its :func:`declared_files`."""
    return tuple([place.chunk.derived(_files_in)[place.statement][1:] for place, _, _ in declared_files(function)])


def _declared(function: Function) -> tuple[tuple[Place, int, int], ...]:
    found = []
    for place in function.files:
        file = place.chunk.derived(_files_in).get(place.statement)
        if file is not None:
            found.append((place, file[0], file[1]))
    return tuple(found)


def _files_in(chunk: Chunk) -> dict[int, tuple[int, int, str]]:
    """The token of the number, the number and the name of each ``.file`` line of a chunk, by its statement."""
    found = {}
    for index in [index for index, kind in enumerate(chunk.kinds) if kind == Kind.FILE]:
        statement = chunk.statement(index)
        tree = statement.shape.tree
        if isinstance(tree, File) and len(statement.word(tree.number)) <= MAX_DIGITS:
            found[index] = tree.number, integer(statement.word(tree.number)), statement.word(tree.number + 1)
    return found


def _named(function: Function) -> tuple[tuple[Place, int, int], ...]:
    found = []
    for place in function.sources:
        statement = place.chunk.statement(place.statement)
        tree = statement.shape.tree
        if isinstance(tree, Directive) and tree.values and statement.word(tree.word) == _NAMING:
            word = statement.word(tree.values[0])
            if len(word) <= MAX_DIGITS:
                found.append((place, tree.values[0], integer(word)))
    return tuple(found)
