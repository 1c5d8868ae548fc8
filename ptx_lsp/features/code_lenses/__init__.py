"""Code lenses: a line above functions and variables of what is worth knowing of them.

Where they stand is known at once, what they say is made for those that are seen (:func:`title`).
"""

from __future__ import annotations

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.code_lenses.facts import LARGEST, memory, needed, registers
from ptx_lsp.features.code_lenses.lens import Lens, Title
from ptx_lsp.features.code_lenses.uses import callers, references
from ptx_lsp.preferences import CodeLenses
from ptx_lsp.syntax.trivia import lead

__all__ = ["Lens", "Title", "code_lenses", "title"]

_TITLES = {
    "references": references,
    "callers": callers,
    "needs": needed,
    "registers": registers,
    "memory": memory,
}
"""By setting; a line shows them in this order."""


def code_lenses(module: Module, wanted: CodeLenses | None = None) -> list[Lens]:
    """The lenses of a module, in the order of the text.

    Of several declarations of one thing the definition has them. Nothing in a module refers to a kernel, so that
    kernels have none about that.
    """
    on = [name for name in _TITLES if getattr(wanted or CodeLenses(), name)]
    found = []
    for function in module.functions:
        for symbol in function.globals:
            kinds = [name for name in on if name in _kinds_of(symbol, function)] if _is_main(module, symbol) else []
            if kinds:
                chunk, statement, _ = symbol.place
                offset = module.positions.statement_start(chunk, statement) + lead(chunk.part(statement))
                found += [Lens(offset, symbol.name, name) for name in kinds]
    return found


def title(semantics: Semantics, lens: Lens) -> Title | None:
    """What a lens says; None if what it stood above is gone."""
    module = semantics.module
    symbol = module.definitions.get(lens.name) or module.globals.own(lens.name)
    make = _TITLES.get(lens.kind)
    if symbol is None or make is None or not module.positions.holds(symbol.place):
        return None
    return make(semantics, symbol)


def _is_main(module: Module, symbol: Symbol) -> bool:
    """Whether a declaration is the one that counts among those of the same name."""
    main = module.definitions.get(symbol.name) or module.globals.own(symbol.name)
    return main is symbol


def _kinds_of(symbol: Symbol, function: Function) -> tuple[str, ...]:
    if symbol.kind is SymbolKind.VARIABLE:
        return ("references",)
    if symbol.kind is not SymbolKind.FUNCTION:
        return ()
    about_names = ("references", "callers") if symbol.type == ".func" else ()
    if symbol is not function.symbol or not function.has_body:
        return about_names
    size = sum(map(len, function.chunks))
    return (
        *about_names,
        *(("needs", "registers") if size <= LARGEST else ()),
        *(("memory",) if symbol.type == ".entry" else ()),
    )
