"""E421 parameter-declaration."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.function_heads import (
    IN_PARAMETERS,
    ONLY_WITH_BODY,
    HeadFault,
    HeadFaultKind,
    faults_of_head,
)
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import FunctionHead, Prototype

RULE = error("E421").in_trees(FunctionHead, Prototype)
_MESSAGES = {
    HeadFaultKind.NAMELESS: "a parameter of a function must have a name; '_' is only allowed in prototypes",
    HeadFaultKind.VECTOR: "a '.param' parameter cannot be a vector; declare an array of bytes",
    HeadFaultKind.WIDE: "a vector has at most 128 bits",
    HeadFaultKind.OPAQUE: "only kernels can have '{word}' parameters",
    HeadFaultKind.ARRAY: "'{word}' is an array; only '.param' parameters can be",
    HeadFaultKind.DIMENSIONS: "'{word}' has several dimensions; a parameter can have only one",
    HeadFaultKind.RESULTS: "several results must be registers; only a single result can be '.param'",
    HeadFaultKind.POINTER: "'.ptr' is only allowed for kernel parameters",
    HeadFaultKind.ALIGNMENT: "an alignment must be a power of two, not {word}",
    HeadFaultKind.POINTED: "a '.ptr' must point to .const, .global, .local or .shared, not '{word}'",
    HeadFaultKind.RETURNED: "a kernel cannot have results",
    HeadFaultKind.COMMON: "'.common' is only allowed for variables",
    HeadFaultKind.NAMED: "a prototype cannot have a name; write '_'",
}


def check(context: StatementContext) -> Iterator[Finding]:
    """A parameter or result that is not allowed for this kind of function.

    Parameters of kernels must be `.param` variables; those of functions and prototypes can be registers (`.reg`) or
    `.param` variables.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel(.reg .b32 count) { ret; }
    //            ^^^^ error[E421]: parameters of kernels must be '.param', not '.reg'
    // ptxas: Entry parameter 'count' must have .param state space
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel(.param .b32 count) { ret; }
    ```

    **Fixes offered:** the correct state space.

    ---

    - Only the last `.param` parameter of a function or prototype can be an array without a size.
    - Two or more results must be registers.
    - Vectors, predicates and texture references are not allowed in `.param` space, arrays not in registers; ptxas
      checks this only for functions with a body.
    """
    tree = context.statement.shape.tree
    has_body = context.function.has_body and context.statement.kind is not Kind.FORWARD
    for fault in faults_of_head(context):
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
        wanted = "kernels must be '.param'" if is_kernel else "functions must be '.reg' or '.param'"
        return f"parameters of {wanted}, not '{word}'"
    if fault.kind is HeadFaultKind.OPEN:
        if is_kernel:
            return f"'{word}' requires a size in a kernel"
        return f"'{word}' requires a size; only the last '.param' parameter can omit it"
    if fault.kind in (HeadFaultKind.PREDICATE, HeadFaultKind.PREDICATES):
        return "a predicate must be a single '.reg' parameter"
    return _MESSAGES[fault.kind].format(word=word)


def _fixes(context: StatementContext, fault: HeadFault) -> tuple[Fix, ...]:
    replacement = {HeadFaultKind.SPACE: ".param", HeadFaultKind.RESULTS: ".reg", HeadFaultKind.NAMED: "_"}.get(
        fault.kind
    )
    if replacement is None:
        return ()
    return (Fix(f"write '{replacement}'", (Edit(context.span(fault.token), replacement),)),)
