"""The outline of a module: functions with their parameters, registers, variables and labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ptx_lsp.analysis.extent import extent
from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the outline."""

    name: str
    kind: SymbolKind
    detail: str
    """A few words beside the name: space and type, or the kind of function."""
    span: Span
    """All of it: of a function up to its closing brace."""
    name_span: Span
    children: tuple[Entry, ...] = ()


MOST_LINES = 200_000
"""Lines of a document whose functions are listed with what is in them; editors ask anew after every change."""


def outline(module: Module) -> list[Entry]:
    """The entries of the module's own names in the order of the text, what belongs to functions inside of them.

    Of a document with more than :data:`MOST_LINES` lines only the module's own names are listed.
    """
    entries = []
    with_children = module.document.line_count <= MOST_LINES
    for function in module.functions:
        for symbol in function.globals:
            children = _inside(module, function) if with_children and symbol is function.symbol else ()
            entries.append(_entry(module, symbol, children))
    return entries


def _entry(module: Module, symbol: Symbol, children: tuple[Entry, ...] = ()) -> Entry:
    name_span, span = module.span_of(symbol.place), extent(module, symbol)
    name = symbol.name if symbol.count is None else f"{symbol.name}<{symbol.count}>"
    return Entry(name, symbol.kind, _detail(symbol), span, name_span, children)


def _detail(symbol: Symbol) -> str:
    vector = f".v{symbol.vector}" if symbol.vector else ""
    return " ".join(word for word in (symbol.space, vector, symbol.type) if word)


def _inside(module: Module, function: Function) -> tuple[Entry, ...]:
    """What the function and the blocks in it declare, in the order of the text."""
    entries = [_entry(module, symbol) for scope in _scopes(function) for symbol in _declared(scope)]
    return tuple(sorted(entries, key=lambda entry: entry.name_span))


def _scopes(function: Function) -> Iterable[Scope]:
    """The function's scope and those of its blocks, each once."""
    found: dict[Scope, None] = {function.scope: None}
    for segments in function.segments.values():
        for segment in segments:
            for scope in segment.scope.chain():
                if scope is function.scope.parent:
                    break
                found[scope] = None
    return found


def _declared(scope: Scope) -> Iterable[Symbol]:
    return (*scope.names.values(), *scope.groups.values())
