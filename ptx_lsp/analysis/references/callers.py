"""Uses of the names of a module, and callers of its functions."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.references.occurrences import Access, Occurrence, occurrences
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.syntax.tree import Instruction


def uses(semantics: Semantics, symbol: Symbol) -> list[Occurrence]:
    """Every place where something that the module declares is used, its declarations aside."""
    module = semantics.module
    chunks = module.name_index.mentioning(symbol.name, module.globals.names, module.document.chunks)
    return [one for one in occurrences(semantics, symbol, among=chunks) if one.access is not Access.DECLARE]


def calls_of(semantics: Semantics, function: Symbol) -> Iterator[Occurrence]:
    """The places where a function is called by its name."""
    for one in uses(semantics, function):
        statement = one.chunk.statement(one.statement)
        tree = statement.shape.tree
        call = read_call(tree) if isinstance(tree, Instruction) and not statement.shape.errors else None
        if call is not None and statement.span(call.target.name).start == one.start:
            yield one
