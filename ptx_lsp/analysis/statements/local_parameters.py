"""``.param`` variables in bodies: arguments and results of calls."""

from __future__ import annotations

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Symbol
from ptx_lsp.syntax.kind import Kind

_SPACE = ".param"
_ROLE = "argument"


def is_local_parameter(symbol: Symbol) -> bool:
    """Whether a variable is an argument or result of calls."""
    return symbol.space == _SPACE and OPERANDS[symbol.code].role == _ROLE


def has_local_parameters(function: Function) -> bool:
    """Whether the body of a function declares such variables; most do not."""
    if not any(Kind.VARIABLE in chunk.kinds for chunk in function.chunks):
        return False
    scopes = {segment.scope for segments in function.segments.values() for segment in segments if segment.inside}
    # Statements of a body without declarations are in the scope of the module, which may have thousands of names.
    scopes = {scope for scope in scopes if scope.parent is not None}
    return any(is_local_parameter(symbol) for scope in scopes for symbol in scope.names.values())
