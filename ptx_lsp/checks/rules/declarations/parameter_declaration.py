"""E421 parameter-declaration."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.function_heads import (
    IN_PARAMETERS,
    ONLY_WITH_BODY,
    HeadFault,
    HeadFaultKind,
    head_faults,
)
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import FunctionHead, Prototype

RULE = error("E421")
_MESSAGES = {
    HeadFaultKind.NAMELESS: "a parameter of a function has a name; '_' is for prototypes",
    HeadFaultKind.VECTOR: "a '.param' parameter cannot be a vector; an array of bytes can hold one",
    HeadFaultKind.WIDE: "a vector has 128 bits at most",
    HeadFaultKind.OPAQUE: "only kernels have parameters that are '{word}'",
    HeadFaultKind.ARRAY: "'{word}' is an array; only '.param' parameters can be",
    HeadFaultKind.DIMENSIONS: "'{word}' has several dimensions; a parameter has one",
    HeadFaultKind.RESULTS: "several results must be registers; only a single one can be '.param'",
    HeadFaultKind.POINTER: "'.ptr' is for kernel parameters",
    HeadFaultKind.ALIGNMENT: "an alignment is a power of two, not {word}",
    HeadFaultKind.POINTED: "a '.ptr' points to .const .global .local or .shared, not '{word}'",
    HeadFaultKind.RETURNED: "a kernel returns nothing",
    HeadFaultKind.COMMON: "'.common' is for variables",
    HeadFaultKind.NAMED: "a prototype has no name; write '_'",
}


def check(context: StatementContext) -> Iterator[Finding]:
    """A parameter or result that a function of its sort cannot have.

    Kernels take `.param` variables; functions and prototypes take registers (`.reg`) and `.param` variables.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel(.reg .b32 count) { ret; }
    //            ^^^^ error[E421]
    // ptxas: Entry parameter 'count' must have .param state space
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel(.param .b32 count) { ret; }
    ```

    **Fixes offered:** the space that is right.

    ---

    - An array without a size can only be the last `.param` parameter of a function or prototype.
    - Two results and more must be registers.
    - Vectors, predicates and texture references are refused in `.param` space, arrays in registers; ptxas minds that
      of functions with a body only.
    """
    tree = context.statement.shape.tree
    has_body = context.function.has_body and context.statement.kind is not Kind.FORWARD
    for fault in head_faults(context.statement, context.module.version, context.module.target):
        if fault.kind not in IN_PARAMETERS or fault.kind in ONLY_WITH_BODY and not has_body:
            continue
        if fault.kind is HeadFaultKind.OPAQUE and isinstance(tree, Prototype) and _is_in_kernel(context):
            continue  # ptxas looks only in functions
        is_kernel = isinstance(tree, FunctionHead) and tree.kind == ".entry"
        yield RULE.at(context.span(fault.token), _message(context, fault, is_kernel), fixes=_fixes(context, fault))


def _is_in_kernel(context: StatementContext) -> bool:
    return context.function.symbol is None or context.function.symbol.type == ".entry"


def _message(context: StatementContext, fault: HeadFault, is_kernel: bool) -> str:
    word = context.word(fault.token)
    if fault.kind is HeadFaultKind.SPACE:
        wanted = "kernels are '.param'" if is_kernel else "functions are '.reg' or '.param'"
        return f"parameters of {wanted}, not '{word}'"
    if fault.kind is HeadFaultKind.OPEN:
        if is_kernel:
            return f"'{word}' needs a size; a kernel has no open arrays"
        return f"'{word}' needs a size; only the last '.param' parameter can be open"
    if fault.kind in (HeadFaultKind.PREDICATE, HeadFaultKind.PREDICATES):
        return "predicates are single '.reg' parameters"
    return _MESSAGES[fault.kind].format(word=word)


def _fixes(context: StatementContext, fault: HeadFault) -> tuple[Fix, ...]:
    replacement = {HeadFaultKind.SPACE: ".param", HeadFaultKind.RESULTS: ".reg", HeadFaultKind.NAMED: "_"}.get(
        fault.kind
    )
    if replacement is None:
        return ()
    return (Fix(f"write '{replacement}'", (Edit(context.span(fault.token), replacement),)),)
