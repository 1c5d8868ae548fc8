"""The text of declarations in hovers: a few lines, without comments and initializers."""

from __future__ import annotations

import re

from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.names.demangle import demangled, parameter_name
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.statement import Statement

_COMMENT = compile_pattern(r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/")
_BLANKS = re.compile(r"\s+")
_LONGEST = 280


def declaration(symbol: Symbol) -> str:
    """Return the declaration on one line: for a register its declarator, for other symbols the statement."""
    if symbol.kind is SymbolKind.REGISTER:
        vector = f".v{symbol.vector} " if symbol.vector else ""
        name = symbol.name if symbol.count is None else f"{symbol.name}<{symbol.count}>"
        return f".reg {vector}{symbol.type} {name};"
    chunk, index, _ = symbol.place
    statement = chunk.statement(index)
    text = as_line(statement)
    if symbol.kind is SymbolKind.PARAMETER:
        text = _parameter(statement, symbol.place.token)
    head, initializer, _ = text.partition("=")
    if initializer and symbol.kind is SymbolKind.VARIABLE:
        text = f"{head}= …;"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"


def as_line(statement: Statement) -> str:
    """Return a statement on one line, without comments."""
    return _BLANKS.sub(" ", _COMMENT.sub(" ", statement.text[statement.lead :])).strip()


_NAME = re.compile(r"(?<![\w$.])_[ZR][\w$]+", re.ASCII)


def readable(text: str) -> str:
    """A declaration with the mangled names in it shortened: of functions the last part, of parameters ``param_0``."""

    def shorter(match: re.Match[str]) -> str:
        found = demangled(match[0])
        return match[0] if found is None else parameter_name(match[0]) or found.base

    return _NAME.sub(shorter, text)


def in_the_middle(text: str, width: int) -> str:
    """Shorten a text by omitting its middle."""
    half = (width - 1) // 2
    return text if len(text) <= width else f"{text[:half]}…{text[-half:]}"


def _parameter(statement: Statement, name: int) -> str:
    """Return the part of a function head that declares the parameter named by the token ``name``."""
    tokens = statement.tokens
    first = name
    while first > 0 and statement.word(first - 1) not in ("(", ","):
        first -= 1
    last = name
    while last + 1 < len(tokens) and statement.word(last + 1) not in (")", ","):
        last += 1
    return _BLANKS.sub(" ", _COMMENT.sub(" ", statement.text[tokens[first].start : tokens[last].end]))
