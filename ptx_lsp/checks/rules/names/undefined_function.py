"""E208 undefined-function."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.aliases import aliases_in
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.checks.support.finding import PlacedFinding, error

RULE = error("E208")


def module_facts(function: Function) -> Hashable:
    """The functions that it declares, and the names of the aliases after it."""
    symbols, names = function.derived(_declared)
    return (tuple(symbol.name for symbol in symbols), names) if symbols or names else None


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A function or kernel that is declared without `.extern`, and that the module does not define.

    ```ptx
    //- sm_80 ptx 7.0 module
    .func half();
    //    ^^^^ error[E208]: 'half' is declared and not defined; a function of another module requires '.extern'
    .entry kernel() { call half; ret; }
    // ptxas: Unresolved extern function 'half'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .extern .func half();
    .entry kernel() { call half; ret; }
    ```

    ---

    ptxas reports it only when it generates code, with `-c` too, whether or not the function is called. An `.alias` of
    the name is a definition.
    """
    declared: dict[str, Symbol] = {}
    aliases: set[str] = set()
    for function in module.functions:
        yield None
        for chunk in dict.fromkeys(place.chunk for place in function.aliases):
            chunk.derived(aliases_in)
            yield None
        symbols, names = function.derived(_declared)
        for symbol in symbols:
            declared.setdefault(symbol.name, symbol)
        aliases.update(names)
    for name, symbol in declared.items():
        yield None
        if name not in module.definitions and name not in aliases:
            chunk, index, token = symbol.place
            message = f"'{name}' is declared and not defined; a function of another module requires '.extern'"
            yield PlacedFinding(symbol.place, RULE.at(chunk.statement(index).span(token), message))


_FUNCTION = SymbolKind.FUNCTION


def _declared(function: Function) -> tuple[tuple[Symbol, ...], frozenset[str]]:
    """The functions that it declares and that must be defined, and the names of the aliases after it."""
    symbols = tuple(
        [
            one
            for one in function.globals
            if one.kind is _FUNCTION and not one.is_definition and one.linkage != ".extern"
        ]
    )
    if not function.aliases:
        return symbols, frozenset()
    found = [place.chunk.derived(aliases_in).get(place.statement) for place in function.aliases]
    return symbols, frozenset([one.name for one in found if one is not None])
