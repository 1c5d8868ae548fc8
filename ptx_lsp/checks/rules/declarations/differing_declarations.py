"""E418 differing-declarations."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.checks.support.finding import PlacedFinding, error

RULE = error("E418")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A variable that is declared again with another type or size.

    A variable of another module can be declared as `.extern` several times, and can also be defined in this module.
    Type, vector and dimensions must be the same each time; only the first dimension can be omitted.

    ```ptx
    //- sm_80 ptx 7.0 module
    .extern .global .b32 table[8];
    .visible .global .b64 table[8];
    //                    ^^^^^ error[E418]: 'table' is already declared with another type or size (line 5)
    // ptxas: Inconsistent redefinition of variable 'table'
    ```

    **Right:** `.visible .global .b32 table[8];`

    ---

    ptxas compares neither alignment nor state space. If an `.extern` array has no size, its definition can have any
    size.
    """
    for symbol, earlier in module.redeclared.differing:
        span = symbol.place.chunk.statement(symbol.place.statement).span(symbol.place.token)
        message = f"'{symbol.name}' is already declared with another type or size"
        yield PlacedFinding(symbol.place, RULE.at(span, message).explained_by(earlier))
