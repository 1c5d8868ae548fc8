"""The signatures that indirect calls are compared with, found once for each table of functions."""

from __future__ import annotations

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.calls import callees
from ptx_lsp.analysis.symbols.symbols import FunctionSignature, Scope, Symbol

_MOST_SIGNATURES = 16
"""A call is compared with so many signatures of its table, which nearly always has one."""


def signatures_of(module: Module, symbol: Symbol, scope: Scope) -> tuple[tuple[str, FunctionSignature], ...]:
    """The first function of each signature in a table, list or prototype; none for anything else.

    Args:
        module: the module.
        symbol: what the call names.
        scope: the scope of the call; the functions are those that are seen where ``symbol`` is declared.

    """
    return module.derived(_CallTables).of(module.revision, symbol, scope)


class _CallTables:
    """The signatures in the tables of a module, until it changes."""

    def __init__(self, module: Module) -> None:
        self._revision = module.revision
        self._known: dict[Symbol, tuple[tuple[str, FunctionSignature], ...]] = {}

    def of(self, revision: int, symbol: Symbol, scope: Scope) -> tuple[tuple[str, FunctionSignature], ...]:
        if revision != self._revision:
            self._known.clear()
            self._revision = revision
        found = self._known.get(symbol)
        if found is None:
            found = self._known[symbol] = _distinct(symbol, scope)
        return found


def _distinct(symbol: Symbol, scope: Scope) -> tuple[tuple[str, FunctionSignature], ...]:
    declaring = next((one for one in scope.chain() if one.own(symbol.name) is symbol), scope)
    found: dict[tuple[object, ...], tuple[str, FunctionSignature]] = {}
    for name, signature in callees(symbol, declaring) or ():
        if len(found) < _MOST_SIGNATURES:
            found.setdefault((signature.results, signature.parameters), (name, signature))
    return tuple(found.values())
