"""E206 inconsistent-declaration."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.call_layout import Difference
from ptx_lsp.analysis.symbols.function_agreement import linkage_agrees, signature_differences
from ptx_lsp.analysis.symbols.symbols import Place, Symbol, SymbolKind
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, error
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.tree import FunctionHead
from ptx_lsp.text import Span

RULE = error("E206").for_faults(StructureFaultKind.EXTERN_BODY)


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """A function that is declared again with a different prototype or linkage.

    ```ptx
    //- sm_80 ptx 7.0 module
    .func half(.reg .b32 value);
    .func half(.reg .u32 value) { ret; }
    //    ^^^^ error[E206]: 'half' is already declared with parameter 1 as .b32, not .u32 (line 5)
    // ptxas: Inconsistent prototypes of 'half', parameter types differ
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .func half(.reg .u32 value);
    .func half(.reg .u32 value) { ret; }
    ```

    **Fixes offered:** the linkage of the first declaration.

    ---

    - Types are compared as written: `.b32` and `.u32` differ here, although calls accept one for the other. Names of
      parameters and `.ptr` are ignored.
    - After `.visible` or `.weak` the linkage can be omitted. After `.extern` it cannot, and no body can follow.
    - `.noreturn` must be on all declarations or on none.
    """
    for fault in function.faults:
        if fault.fault is StructureFaultKind.EXTERN_BODY and fault.symbol is not None:
            span = _linkage_span(fault.symbol)
            message = f"'{fault.symbol.name}' has a body and cannot be '.extern'"
            fix = Fix("write '.visible'", (Edit(span, ".visible"),))
            yield PlacedFinding(fault.symbol.place, RULE.at(span, message, fixes=(fix,)))


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Declarations of one function that do not agree."""
    for later, earlier in module.redeclared.duplicates:
        yield None
        if later.kind is SymbolKind.FUNCTION is earlier.kind and not earlier.is_definition:
            yield PlacedFinding(later.place, _finding(later, earlier))


def _finding(later: Symbol, earlier: Symbol) -> Finding:
    span = _span(later.place)
    name = later.name
    if later.type != earlier.type:
        sort = "kernel" if earlier.type == ".entry" else "function"
        return RULE.at(span, f"'{name}' is already declared as a {sort}").explained_by(earlier)
    if not linkage_agrees(earlier, later):
        before = f"'{earlier.linkage}'" if earlier.linkage else "without linkage"
        fixes: tuple[Fix, ...] = ()
        if later.linkage and earlier.linkage and earlier.linkage != ".extern":
            fixes = (Fix(f"write '{earlier.linkage}'", (Edit(_linkage_span(later), earlier.linkage),)),)
        now = f"not '{later.linkage}'" if later.linkage else "not without"
        return RULE.at(span, f"'{name}' is already declared {before}, {now}", fixes=fixes).explained_by(earlier)
    return RULE.at(span, f"'{name}' is already declared with {_what(later, earlier)}").explained_by(earlier)


def _what(later: Symbol, earlier: Symbol) -> str:
    one, other = earlier.signature, later.signature
    assert one is not None
    assert other is not None
    if len(one.results) != len(other.results):
        return f"{counted(len(one.results), 'result')}, not {len(other.results)}"
    if len(one.parameters) != len(other.parameters):
        return f"{counted(len(one.parameters), 'parameter')}, not {len(other.parameters)}"
    for kind, number, first, second, differences in signature_differences(one, other):
        if Difference.SPACE in differences:
            return f"{kind} {number} in {first.space}, not {second.space}"
        return f"{kind} {number} as {first}, not {second}"
    return "'.noreturn'" if one.noreturn else "no '.noreturn'"


def _span(place: Place) -> Span:
    return place.chunk.statement(place.statement).span(place.token)


def _linkage_span(symbol: Symbol) -> Span:
    statement = symbol.place.chunk.statement(symbol.place.statement)
    tree = statement.shape.tree
    assert isinstance(tree, FunctionHead)
    return statement.span(tree.linkage if tree.linkage >= 0 else tree.name)
