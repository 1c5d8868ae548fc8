"""E428 constant-memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.isa.catalogue import catalogue

RULE = error("E428")


def module_facts(function: Function) -> Hashable:
    """The names and sizes of the `.const` variables after it."""
    return tuple((symbol.name, size) for symbol, size in function.derived(_constants))


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """A `.const` variable that exceeds the constant memory of a module.

    ```ptx
    //- sm_90 ptx 8.0 module
    .const .b8 table[40000];
    .const .b8 weights[40000];
    //         ^^^^^^^ error[E428]: the constant memory of the module has 80000 bytes with 'weights'; the limit is 65536
    .entry kernel() { ret; }
    // ptxas: File uses too much global constant data (0x13880 bytes, 0x10000 max)
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0 module
    .const .b8 table[40000];
    .global .b8 weights[40000];
    .entry kernel() { ret; }
    ```

    ---

    The limit is 65536 bytes. ptxas reports it only when it generates code. `.extern` variables are in other modules.
    """
    used = 0
    limit = catalogue().vocabulary.limit("constant memory", module.version, module.target)
    for function in module.functions:
        yield None
        for number, symbol in enumerate(_variables(function), 1):
            layout_of(symbol)  # which is kept
            if not number % _VARIABLES_BETWEEN_PAUSES:
                yield None
        for symbol, size in function.derived(_constants):
            used += size
            if used > limit:
                chunk, index, token = symbol.place
                message = (
                    f"the constant memory of the module has {used} bytes with '{symbol.name}'; the limit is {limit}"
                )
                yield PlacedFinding(symbol.place, RULE.at(chunk.statement(index).span(token), message))
                return


_VARIABLES_BETWEEN_PAUSES = 16


def _variables(function: Function) -> Iterator[Symbol]:
    """The ``.const`` variables after a function that the module itself has."""
    return (one for one in function.globals if one.space == ".const" and one.is_definition)


def _constants(function: Function) -> tuple[tuple[Symbol, int], ...]:
    """Those variables with their sizes."""
    layouts = ((one, layout_of(one)) for one in _variables(function))
    return tuple((one, layout.size) for one, layout in layouts if layout is not None and layout.size)
