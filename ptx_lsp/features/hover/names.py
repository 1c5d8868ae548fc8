"""Names that the text declares: registers, variables, parameters, labels, functions."""

from __future__ import annotations

import re

from ptx_lsp.analysis.cursor import Cursor
from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.symbols import Symbol, SymbolKind
from ptx_lsp.features.hover.info import HoverInfo
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.statement import Statement

LONGEST_SEARCH = 1 << 20
"""Code points of a function in which uses are counted; a longer one gets "at least"."""

_COMMENT = compile_pattern(r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/")
_BLANKS = re.compile(r"\s+")
_KINDS = {
    SymbolKind.REGISTER: "register",
    SymbolKind.VARIABLE: "variable",
    SymbolKind.PARAMETER: "parameter",
    SymbolKind.LABEL: "label",
    SymbolKind.FUNCTION: "function",
    SymbolKind.PROTOTYPE: "prototype of an indirect call",
    SymbolKind.TARGETS: "list of targets",
}
_LONGEST_DECLARATION = 280


def declared_name(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """A name with its declaration, where that stands, and how often the name is used in the function."""
    line = cursor.use.module.line_of(symbol.place)
    verb = "declared" if symbol.kind is not SymbolKind.LABEL else "stands"
    facts = f"`{cursor.word}`: {_describe(symbol)}, {verb} {'at' if verb == 'declared' else 'in'} line {line}"
    uses = _uses(cursor, symbol)
    return HoverInfo(cursor.span, code=(_declaration(symbol),), lead=(facts + uses,))


def unknown_name(cursor: Cursor) -> HoverInfo | None:
    """A name that nothing declares; None where a name is not looked for, as in ``.file`` lines."""
    if cursor.word == "_":
        return HoverInfo(cursor.span, lead=("`_`: the result in this place is not wanted",))
    if any(token == cursor.token for token, _ in cursor.use.statement.shape.names):
        return HoverInfo(cursor.span, lead=(f"`{cursor.word}` is not declared here",))
    return None


def _describe(symbol: Symbol) -> str:
    kind = _KINDS[symbol.kind]
    if symbol.kind is SymbolKind.REGISTER and symbol.vector:
        return f"{kind}, a vector of {symbol.vector} × `{symbol.type}`"
    if symbol.kind is SymbolKind.REGISTER:
        return f"`{symbol.type}` {kind}"
    if symbol.kind is SymbolKind.VARIABLE:
        return f"{kind} in `{symbol.space}` memory"
    if symbol.kind is SymbolKind.PARAMETER and symbol.space == ".reg":
        return f"{kind} in a `{symbol.type}` register"
    if symbol.kind is SymbolKind.FUNCTION:
        found = "kernel" if symbol.type == ".entry" else kind
        return found if symbol.is_definition else f"{found}, defined elsewhere"
    return kind


def _declaration(symbol: Symbol) -> str:
    """The declaration on one line: of a register its own part, of others the statement as it is written."""
    if symbol.kind is SymbolKind.REGISTER:
        vector = f".v{symbol.vector} " if symbol.vector else ""
        name = symbol.name if symbol.count is None else f"{symbol.name}<{symbol.count}>"
        return f".reg {vector}{symbol.type} {name};"
    chunk, index, _ = symbol.place
    statement = chunk.statement(index)
    text = _BLANKS.sub(" ", _COMMENT.sub(" ", statement.text[statement.lead :])).strip()
    if symbol.kind is SymbolKind.PARAMETER:
        text = _parameter(statement, symbol.place.token)
    head, initialiser, _ = text.partition("=")
    if initialiser and symbol.kind is SymbolKind.VARIABLE:
        text = f"{head}= …;"
    return text if len(text) <= _LONGEST_DECLARATION else text[: _LONGEST_DECLARATION - 2] + " …"


def _parameter(statement: Statement, name: int) -> str:
    """The part of a function head that declares the parameter whose name is the token ``name``."""
    tokens = statement.tokens
    first = name
    while first > 0 and statement.word(first - 1) not in ("(", ","):
        first -= 1
    last = name
    while last + 1 < len(tokens) and statement.word(last + 1) not in (")", ","):
        last += 1
    return _BLANKS.sub(" ", statement.text[tokens[first].start : tokens[last].end])


def _uses(cursor: Cursor, symbol: Symbol) -> str:
    """How often the name is used in the function around the cursor, in words; empty outside of functions."""
    function = cursor.use.function
    if function.symbol is None:
        return ""
    name = cursor.word
    count, complete = _count(function, name)
    if symbol.count is None and symbol.place.chunk in function.chunks:
        count -= 1  # the declaration
    if symbol.count is not None and cursor.word == symbol.name:
        return f"; `{name}0` to `{name}{max(symbol.count - 1, 0)}`"
    if not count and complete:
        return "; not used"
    many = "once" if count == 1 else f"{count} times"
    at_least = "" if complete else "at least "
    place = f" in `{function.symbol.name}`" if symbol.place.chunk not in function.chunks else ""
    return f"; used {at_least}{many}{place}"


def _count(function: Function, name: str) -> tuple[int, bool]:
    """How often a name stands in a function, comments aside; and whether all of the function was searched."""
    wanted = re.compile(rf"(?<![\w$%]){re.escape(name)}(?![\w$])")
    count = searched = 0
    for chunk in function.chunks:
        text = chunk.text
        searched += len(text)
        if searched > LONGEST_SEARCH:
            return count, False
        if name in text:
            count += len(wanted.findall(_COMMENT.sub(" ", text) if "/" in text else text))
    return count, True
