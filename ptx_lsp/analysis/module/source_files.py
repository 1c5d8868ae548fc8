"""The source files of a module: the numbers that ``.file`` gives, and who names them.

Source: PTX ISA, "Debugging Directives: .file, .nv_intermediate_source_section".
"""

from __future__ import annotations

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.tree import Directive, File

_NAMING = ".sourceFileName"


def declared_files(function: Function) -> tuple[tuple[Place, int, int], ...]:
    """The ``.file`` lines after a function in order: place, token of the number, number."""
    return function.derived(_declared)


def named_files(function: Function) -> tuple[tuple[Place, int, int], ...]:
    """The ``.sourceFileName`` lines after a function: place, token of the number, number."""
    return function.derived(_named)


def _declared(function: Function) -> tuple[tuple[Place, int, int], ...]:
    found = []
    for place in function.files:
        statement = place.chunk.statement(place.statement)
        tree = statement.shape.tree
        if isinstance(tree, File) and len(statement.word(tree.number)) <= MAX_DIGITS:
            found.append((place, tree.number, integer(statement.word(tree.number))))
    return tuple(found)


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
