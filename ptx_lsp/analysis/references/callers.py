"""Uses of the names of a module, and callers of its functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ptx_lsp.analysis.references.occurrences import Access, Occurrence, occurrences
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.syntax.tree import Instruction


def uses(semantics: Semantics, symbol: Symbol) -> list[Occurrence]:
    """Every place where something that the module declares is used, its declarations aside."""
    module = semantics.module
    all_chunks = module.document.chunks
    standing = module.name_index.mentioning(symbol.name, module.globals.names, all_chunks)
    chunks = [chunk for chunk in all_chunks if chunk in standing]
    return [one for one in occurrences(semantics, symbol, among=chunks) if one.access is not Access.DECLARE]


def quick_uses(semantics: Semantics) -> Callable[[Symbol], Iterator[Occurrence]]:
    """A function with the answers of :func:`uses` one by one; quicker if it is asked about many names."""
    module = semantics.module
    standing = module.name_index.chunks_by_name(module.globals.names, module.document.chunks)

    def uses_of(symbol: Symbol) -> Iterator[Occurrence]:
        chunks = standing.get(symbol.name, ())
        found = occurrences(semantics, symbol, among=chunks) if chunks else ()
        return (one for one in found if one.access is not Access.DECLARE)

    return uses_of


def calls_of(semantics: Semantics, function: Symbol) -> Iterator[Occurrence]:
    """The places where a function is called by its name."""
    return filter(is_call, uses(semantics, function))


def is_call(use: Occurrence) -> bool:
    """Whether the use of the name of a function calls it."""
    statement = use.chunk.statement(use.statement)
    tree = statement.shape.tree
    call = read_call(tree) if isinstance(tree, Instruction) and not statement.shape.errors else None
    return call is not None and statement.span(call.target.name).start == use.start
