"""W623 unused-declaration."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter

from ptx_lsp.analysis.dataflow.unused_declarations import unused_globals, unused_in
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.checks.support.deletion import deletion
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, hint
from ptx_lsp.diagnostic import Edit, Fix, Tag
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Declaration, Label
from ptx_lsp.text import Span

RULE = hint("W623")

_OF_COMPILERS = re.compile(r"\$.*|L?(?:tmp|func_begin|func_end|BB\d+_)\d+|%SPL?|temp_param_reg")
"""Names that compilers declare ahead, whether they need them or not, and labels that they leave for debuggers."""


def check_module(module: Module) -> Iterator[PlacedFinding]:
    """A name that is declared and never used.

    Registers, variables and labels of a function; functions without `.visible` and `.shared` variables of the module
    that no instruction and no initializer names.

    ```ptx
    //- sm_80 ptx 7.0 flow module
    .visible .entry kernel(.param .u64 out)
    {
        .reg .b32 %r<4>;
        .reg .pred done;
    //             ^^^^ hint[W623]
    // ptxas: accepts it
        mov.u32 %r1, %tid.x;
        st.shared.u32 [%r1], %r1;
        ret;
    }
    ```

    **Right:** without the declaration.

    **Fixes offered:** remove it, or the name from it.

    ---

    A numbered group such as `%r<4>` is unused if none of its members is used. Parameters belong to the signature, and
    `.global` and `.const` variables can be meant for the host: they are never unused. What compilers declare
    ahead (`$L__tmp3:`, `%SP`) is not looked at; nor are functions of a module that shows nothing to the outside, which
    is then part of another.
    """
    statement_of = _statements()
    for symbol in unused_globals(module):
        yield PlacedFinding(symbol.place, _finding(symbol, statement_of(symbol)))


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """Names of one function."""
    if flow.graph.is_whole:
        statement_of = _statements()
        for symbol in unused_in(flow.sets, _OF_COMPILERS):
            yield PlacedFinding(symbol.place, _finding(symbol, statement_of(symbol)))


def _statements() -> Callable[[Symbol], Statement]:
    """The statement that declares a symbol; one that declares many is made once."""

    @cache
    def statement(chunk: Chunk, index: int) -> Statement:
        return chunk.statement(index)

    return lambda symbol: statement(symbol.place.chunk, symbol.place.statement)


def _finding(symbol: Symbol, statement: Statement) -> Finding:
    name = symbol.name
    match symbol.kind:
        case SymbolKind.LABEL:
            message = f"nothing jumps to '{name}'"
        case SymbolKind.FUNCTION:
            message = f"nothing calls '{name}', and without '.visible' nobody else can"
        case _ if symbol.count is not None:
            message = f"none of the registers '{name}<{symbol.count}>' is used"
        case _:
            message = f"'{name}' is never used"
    span = statement.span(symbol.place.token)
    return RULE.at(span, message, tags=(Tag.UNNECESSARY,), fixes=_fixes(symbol, statement))


def _fixes(symbol: Symbol, statement: Statement) -> tuple[Fix, ...]:
    """Remove the declaration, or the name from it; functions and parameters are left to their author."""
    chunk, index, token = symbol.place
    tree = statement.shape.tree
    if isinstance(tree, Label):
        return (Fix(f"remove the label '{symbol.name}'", (deletion(chunk, index),)),)
    if not isinstance(tree, Declaration):
        return ()
    names = tree.declarators
    at = bisect_left(names, token, key=attrgetter("name"))
    if at == len(names) or names[at].name != token:
        return ()
    if len(names) == 1:
        return (Fix(f"remove the declaration of '{symbol.name}'", (deletion(chunk, index),)),)
    if at + 1 < len(names):
        span = Span(statement.span(token).start, statement.span(names[at + 1].name).start)
    else:
        comma = statement.span(_comma_before(statement, token))
        span = Span(comma.start, statement.span(len(statement.tokens) - 1).start)
    return (Fix(f"remove '{symbol.name}' from the declaration", (Edit(span, ""),)),)


def _comma_before(statement: Statement, token: int) -> int:
    """The comma between a name and the one before it."""
    while statement.word(token) != ",":
        token -= 1
    return token
