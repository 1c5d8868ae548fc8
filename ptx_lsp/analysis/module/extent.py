"""The extent of a declaration, and the part of it that editors select."""

from __future__ import annotations

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

_VARIABLES = frozenset({SymbolKind.VARIABLE, SymbolKind.REGISTER})


def extent(module: Module, symbol: Symbol) -> Span:
    """All of a declaration: of a function up to its closing brace, of a variable its statement, else its name."""
    function = module.function_of(symbol.place.chunk)
    if symbol is function.symbol:
        return whole_function(module, function)
    return statement_of(module, symbol) if symbol.kind in _VARIABLES else module.positions.span_of(symbol.place)


def statement_of(module: Module, symbol: Symbol) -> Span:
    """The whole declaration, without the blanks before it."""
    chunk, index, _ = symbol.place
    start = module.positions.statement_start(chunk, index)
    statement = chunk.statement(index)
    return Span(start + statement.lead, start + len(statement.text))


def whole_function(module: Module, function: Function) -> Span:
    """From the head to the closing brace of the body, or to the end of the head if there is none."""
    head = function.chunks[0].statement(0)
    begin = module.positions.statement_start(function.chunks[0], 0)
    after = function.sections[0] if function.sections else None
    for chunk in reversed(function.chunks if function.has_body else ()):
        last = len(chunk)
        if after is not None:
            order = module.positions.chunk_number(chunk) - module.positions.chunk_number(after.chunk)
            if order >= 0:
                last = after.statement if order == 0 else 0
        closing = chunk.kinds.rfind(bytes([Kind.CLOSE]), 0, last)
        if closing >= 0:
            end = module.positions.statement_start(chunk, closing) + len(chunk.statement(closing).text)
            return Span(begin + head.lead, end)
    return Span(begin + head.lead, begin + len(head.text))
