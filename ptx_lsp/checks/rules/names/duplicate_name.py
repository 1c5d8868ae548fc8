"""E202 duplicate-name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.checks.support.deletion import deletion
from ptx_lsp.checks.support.finding import PlacedFinding, error
from ptx_lsp.diagnostic import Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.version import Version
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Declaration

RULE = error("E202").for_faults(StructureFaultKind.DUPLICATE)

_KNOWN_EVERYWHERE = Version(8, 8)
"""Younger registers are names like others for releases of ptxas in use. The module's own version does not matter."""


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """A name that is already declared in the same scope.

    Registers, variables, parameters and labels share one name space. A block can declare a name again and then hides
    the outer one. `.reg .b32 %r<8>;` declares `%r0` to `%r7`.

    ```ptx
    //- sm_80 ptx 7.0
    .reg .b32 total;
    .reg .b32 total;
    //        ^^^^^ error[E202]: 'total' is already declared (line 7)
    // ptxas: Duplicate definition of variable 'total'
    ```

    **Right:** `.reg .b32 total, rest;`

    **Fixes offered:** remove a declaration that is identical to the other one.

    ---

    A function can be declared several times, and defined once. Functions and variables of the module cannot have the
    name of a special register such as `%tid`; names declared in a function can, and hide it.
    """
    removals = _Removals(function.chunks)
    for fault in function.faults:
        if fault.fault is StructureFaultKind.DUPLICATE and fault.symbol is not None and fault.earlier is not None:
            yield _finding(removals, fault.symbol, fault.earlier)


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Functions and variables of the module that are defined twice, or named as a special register."""
    special = sorted(_special(module), key=lambda one: _order(module, one))
    removals = _Removals(module.document.chunks)
    for symbol, earlier in module.redeclared.duplicates:
        yield None
        while special and _order(module, special[0]) < _order(module, symbol):
            yield _named_as_special(special.pop(0))
        if earlier.is_definition or symbol.kind is not SymbolKind.FUNCTION or earlier.kind is not SymbolKind.FUNCTION:
            yield _finding(removals, symbol, earlier)
    yield from map(_named_as_special, special)


def _special(module: Module) -> Iterator[Symbol]:
    """The names of the module that are special registers everywhere."""
    for name in module.globals.names.keys() & catalogue().vocabulary.special_registers.keys():
        gate = catalogue().vocabulary.special_registers[name].gate
        if all(since.version <= _KNOWN_EVERYWHERE for since in gate.since):
            yield module.globals.names[name]


def _order(module: Module, symbol: Symbol) -> tuple[int, int, int]:
    return module.positions.rank(symbol.place.chunk), symbol.place.statement, symbol.place.token


def _named_as_special(symbol: Symbol) -> PlacedFinding:
    span = symbol.place.chunk.statement(symbol.place.statement).span(symbol.place.token)
    message = f"'{symbol.name}' is a special register; choose another name"
    return PlacedFinding(symbol.place, RULE.at(span, message))


def _finding(removals: _Removals, symbol: Symbol, earlier: Symbol) -> PlacedFinding:
    span = symbol.place.chunk.statement(symbol.place.statement).span(symbol.place.token)
    message = f"'{symbol.name}' is already declared"
    return PlacedFinding(
        symbol.place, RULE.at(span, message, fixes=_fixes(removals, symbol, earlier)).explained_by(earlier)
    )


def _fixes(removals: _Removals, symbol: Symbol, earlier: Symbol) -> tuple[Fix, ...]:
    """Remove a declaration that says the same as the earlier one."""
    chunk, index, _ = symbol.place
    if chunk.kinds[index] not in _DECLARING or symbol.place[:2] == earlier.place[:2]:
        return ()
    alike = chunk.derived(_Alike)
    pair = (index, *earlier.place[:2])
    if pair not in alike:
        alike[pair] = _are_alike(chunk.statement(index), earlier.place.chunk.statement(earlier.place.statement))
    return (removals[chunk, index],) if alike[pair] else ()


class _Removals(dict[tuple[Chunk, int], Fix]):
    """The fixes that remove declarations, made once for all names that one declares."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        super().__init__()
        self._chunks = chunks

    def __missing__(self, place: tuple[Chunk, int]) -> Fix:
        """The fix that removes a statement, by its chunk and its number there."""
        fix = self[place] = Fix("remove this repeated declaration", (deletion(self._chunks, *place),))
        return fix


class _Alike(dict[tuple[int, Chunk, int], bool]):
    """Whether a statement of a chunk says the same as another one, found once for all names that both declare."""

    def __init__(self, _: Chunk) -> None:
        super().__init__()


def _are_alike(one: Statement, other: Statement) -> bool:
    """Whether a declaration has the same tokens as another statement."""
    return isinstance(one.shape.tree, Declaration) and one.words == other.words


_DECLARING = frozenset({Kind.REGISTERS, Kind.VARIABLE})
