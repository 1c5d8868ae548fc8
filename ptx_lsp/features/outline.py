"""The outline of a module: functions with their parameters, registers, variables and labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.kind import Kind
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
            entries.append(_entry(module, symbol, function, children))
    return entries


def _entry(module: Module, symbol: Symbol, function: Function, children: tuple[Entry, ...] = ()) -> Entry:
    name_span = module.span_of(symbol.place)
    span = name_span
    if symbol is function.symbol:
        span = _whole_function(module, function)
    elif symbol.kind in (SymbolKind.VARIABLE, SymbolKind.REGISTER):
        span = _statement(module, symbol)
    name = symbol.name if symbol.count is None else f"{symbol.name}<{symbol.count}>"
    return Entry(name, symbol.kind, _detail(symbol), span, name_span, children)


def _detail(symbol: Symbol) -> str:
    vector = f".v{symbol.vector}" if symbol.vector else ""
    return " ".join(word for word in (symbol.space, vector, symbol.type) if word)


def _inside(module: Module, function: Function) -> tuple[Entry, ...]:
    """What the function and the blocks in it declare, in the order of the text."""
    entries = [_entry(module, symbol, function) for scope in _scopes(function) for symbol in _declared(scope)]
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


def _statement(module: Module, symbol: Symbol) -> Span:
    """The whole declaration, without the blanks before it."""
    chunk, index, _ = symbol.place
    start = module.statement_start(chunk, index)
    statement = chunk.statement(index)
    return Span(start + statement.lead, start + len(statement.text))


def _whole_function(module: Module, function: Function) -> Span:
    """From the head to the last closing brace, or to the end of the head if there is none."""
    head = function.chunks[0].statement(0)
    begin = module.statement_start(function.chunks[0], 0)
    for chunk in reversed(function.chunks):
        closing = chunk.kinds.rfind(bytes([Kind.CLOSE]))
        if closing >= 0:
            end = module.statement_start(chunk, closing) + len(chunk.statement(closing).text)
            return Span(begin + head.lead, end)
    return Span(begin + head.lead, begin + len(head.text))
