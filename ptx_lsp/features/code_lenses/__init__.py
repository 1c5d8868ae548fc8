"""Code lenses: summary lines above functions and variables.

Their positions are computed at once, their titles only for visible lenses (:func:`title`).
"""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import partial

from ptx_lsp.analysis.module.function import Function, statement_count
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.callers import is_call, quick_uses
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.code_lenses.lens import Lens, Title
from ptx_lsp.features.code_lenses.reference_counts import callers, references
from ptx_lsp.features.code_lenses.resource_usage import (
    LARGEST,
    SLOW,
    SharedVariables,
    has_memory,
    has_registers,
    memory,
    needed,
    preparing,
    registers,
)
from ptx_lsp.preferences import CodeLenses
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.trivia import trivia_length

__all__ = ["SLOW", "Lens", "Title", "code_lenses", "finding_lenses", "preparing_title", "title"]

_TITLES = {
    "references": references,
    "callers": callers,
    "needs": needed,
    "registers": registers,
    "memory": memory,
}
"""The title function of each setting, in display order."""
_ABOUT_NAMES = frozenset({"references", "callers"})


def code_lenses(semantics: Semantics, wanted: CodeLenses | None = None) -> list[Lens]:
    """Return the lenses of a module, in text order, at once."""
    return run_to_completion(finding_lenses(semantics, wanted))


def finding_lenses(semantics: Semantics, wanted: CodeLenses | None = None) -> Generator[None, None, list[Lens]]:
    """Find the lenses of a module, in text order, in steps.

    Of several declarations of a symbol, only the definition has lenses. Kernels have no reference lenses, since PTX
    code does not reference kernels. What would say "no references" or "no parameters" is left out.
    """
    module = semantics.module
    on = [name for name in _TITLES if getattr(wanted or CodeLenses(), name)]
    found = []
    uses_of = quick_uses(semantics) if not _ABOUT_NAMES.isdisjoint(on) else None
    shared = SharedVariables(module, module.document.chunks if "memory" in on else ())
    # For settings whose lens can be about nothing: whether there is something.
    sizes = {"registers": partial(has_registers, semantics), "memory": partial(has_memory, shared)}
    for function in module.functions:
        for symbol in function.globals:
            yield
            kinds = [name for name in on if name in _kinds_of(symbol, function)] if _is_main(module, symbol) else []
            if uses_of is not None and not _ABOUT_NAMES.isdisjoint(kinds):
                is_used = any(True for _ in uses_of(symbol))
                is_called = is_used and "callers" in kinds and any(map(is_call, uses_of(symbol)))
                said = {"references": is_used, "callers": is_called}
                kinds = [name for name in kinds if said.get(name, True)]
            if "needs" in kinds and not _names_something(function):
                is_short = preparing(semantics, symbol, "needs") is None
                if not is_short or not needed(semantics, symbol).places:
                    kinds.remove("needs")
            kinds = [name for name in kinds if name not in sizes or sizes[name](symbol)]
            if kinds:
                chunk, statement, _ = symbol.place
                offset = module.positions.statement_start(chunk, statement) + trivia_length(chunk.part(statement))
                found += [Lens(offset, symbol.name, name) for name in kinds]
    return found


def title(semantics: Semantics, lens: Lens, *, demangles: bool = True) -> Title | None:
    """Return the title of a lens; None if its declaration no longer exists.

    Args:
        semantics: the document.
        lens: the lens.
        demangles: whether callers have demangled names.

    """
    symbol, make = _symbol(semantics.module, lens), _TITLES.get(lens.kind)
    if symbol is None or make is None:
        return None
    if make is callers:
        return callers(semantics, symbol, demangles=demangles)
    return make(semantics, symbol)


def preparing_title(semantics: Semantics, lens: Lens) -> Generator[None, None, None] | None:
    """Steps of some milliseconds after which :func:`title` is quick; None if it is so already."""
    symbol = _symbol(semantics.module, lens)
    return None if symbol is None else preparing(semantics, symbol, lens.kind)


def _symbol(module: Module, lens: Lens) -> Symbol | None:
    """The symbol of a lens; None if it does not exist any more."""
    found = module.definitions.get(lens.name) or module.globals.own(lens.name)
    return found if found is not None and module.positions.holds(found.place) else None


_UNNAMED = re.compile(r"__unnamed_\d|\$str|_\$_str")
"""Matches the names that compilers give to texts, of which a file has many before the first kernel."""


def _is_main(module: Module, symbol: Symbol) -> bool:
    """Whether a declaration is the one that represents its symbol: the definition, or else the first."""
    main = module.definitions.get(symbol.name) or module.globals.own(symbol.name)
    return main is symbol


def _kinds_of(symbol: Symbol, function: Function) -> tuple[str, ...]:
    if symbol.kind is SymbolKind.VARIABLE:
        is_group = symbol.count is not None  # what is named are its members
        return () if is_group or _UNNAMED.match(symbol.name) else ("references",)
    if symbol.kind is not SymbolKind.FUNCTION:
        return ()
    about_names = ("references", "callers") if symbol.type == ".func" else ()
    if symbol is not function.symbol or not function.has_body:
        return about_names
    is_bounded = statement_count(function) <= LARGEST
    return (
        *about_names,
        *(("needs",) if is_bounded else ()),
        *(("registers",) if is_bounded and _names_something(function) else ()),
        *(("memory",) if symbol.type == ".entry" else ()),
    )


def _names_something(function: Function) -> bool:
    """Whether some instruction has an operand with a name: a function without has no registers to count."""
    shapes = set().union(*(chunk.shapes for chunk in function.chunks))
    return any(SHAPES[number].names for number in shapes if SHAPES[number].kind == Kind.INSTRUCTION)
