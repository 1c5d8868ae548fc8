"""The source files of a module: the numbers that ``.file`` gives, and who names them.

Source: PTX ISA, "Debugging Directives: .file, .nv_intermediate_source_section".
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.tree import Directive, File

_NAMING = ".sourceFileName"


def declared_files(module: Module) -> list[tuple[Place, int, int]]:
    """The ``.file`` lines in order: place, token of the number, number."""
    found = []
    for function in module.functions:
        for place in function.files:
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
            if isinstance(tree, File) and len(statement.word(tree.number)) <= MAX_DIGITS:
                found.append((place, tree.number, integer(statement.word(tree.number))))
    return found


def named_files(module: Module) -> Iterator[tuple[Place, int, int]]:
    """The ``.sourceFileName`` lines: place, token of the number, number."""
    for function in module.functions:
        for place in function.sources:
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
            if isinstance(tree, Directive) and tree.values and statement.word(tree.word) == _NAMING:
                word = statement.word(tree.values[0])
                if len(word) <= MAX_DIGITS:
                    yield place, tree.values[0], integer(word)
