"""Compatibility of two declarations of one function.

Source: PTX ISA, "Function Declarations and Definitions", "Linking Directives"; measured with ptxas.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.symbols.call_layout import CallLayout, Difference, redeclaration_differences
from ptx_lsp.analysis.symbols.symbols import FunctionSignature, Symbol

_CAN_BE_LEFT_OUT = frozenset({".visible", ".weak"})


def functions_agree(earlier: Symbol, later: Symbol) -> bool:
    """Whether ptxas accepts two declarations of a function in sequence."""
    if earlier.type != later.type or not linkage_agrees(earlier, later):
        return False
    return earlier.signature is None or later.signature is None or same_signature(earlier.signature, later.signature)


def linkage_agrees(earlier: Symbol, later: Symbol) -> bool:
    """Whether the linkage of a later declaration is compatible with that of an earlier one."""
    return earlier.linkage == later.linkage or (not later.linkage and earlier.linkage in _CAN_BE_LEFT_OUT)


def same_signature(one: FunctionSignature, other: FunctionSignature) -> bool:
    """Whether two functions have equal signatures."""
    return (
        one.noreturn == other.noreturn
        and len(one.results) == len(other.results)
        and len(one.parameters) == len(other.parameters)
        and not any(signature_differences(one, other))
    )


def signature_differences(
    one: FunctionSignature, other: FunctionSignature
) -> Iterator[tuple[str, int, CallLayout, CallLayout, tuple[Difference, ...]]]:
    """The differing parameters: result or parameter, its number from 1, both layouts, and the differences."""
    for kind, first, second in (
        ("result", one.results, other.results),
        ("parameter", one.parameters, other.parameters),
    ):
        for number, (before, after) in enumerate(zip(first, second, strict=False), 1):
            differences = redeclaration_differences(before, after)
            if differences:
                yield kind, number, before, after, differences
