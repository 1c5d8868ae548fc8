"""E415 initial-shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.initializers import BRACE_FAULTS, InitialFault, InitialFaultKind, initial_faults
from ptx_lsp.analysis.symbols.declarations import OPAQUE
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, OperandKind, has_initial_values, kinds_of
from ptx_lsp.text import Span

RULE = error("E415").in_trees(Declaration)
_SIZE = re.compile(r"\[\s*(\w+)\s*\]\s*=", re.ASCII).search
_OF_PARTS = frozenset({OperandKind.VECTOR, OperandKind.FIELD})


def accepts_shape(shape: Shape) -> Declaration | None:
    """Declarations with initializers."""
    tree = shape.tree
    if isinstance(tree, Declaration) and has_initial_values(tree):
        return tree
    return None


def prefilter_statement(text: str, tree: Declaration) -> bool:
    """Leave out a table of numbers that is not longer than its array."""
    one = tree.declarators[0]
    value = one.initializer
    if len(tree.declarators) > 1 or tree.vector or value is None or tree.type in OPAQUE:
        return True
    if not one.dimensions:
        return value.kind in (OperandKind.VECTOR, OperandKind.FIELD)
    if value.kind is not OperandKind.VECTOR or len(one.dimensions) > 1:
        return True
    if not _OF_PARTS.isdisjoint(kinds_of(value.parts)):
        return True
    size = _SIZE(text)
    return size is None or text.count(",") >= declared_number(size[1])


def check(context: StatementContext) -> Iterator[Finding]:
    """An initializer whose braces do not match the array or vector.

    An array of two dimensions needs nested braces, a vector a pair of its own. An array can have fewer values than
    elements (the others are 0), but not more; a vector must have a value for each element.

    ```ptx
    //- sm_80 ptx 7.0 module
    .const .b32 masks[2] = {1, 2, 4};
    //                            ^ error[E415]: too many values; the array has 2 elements
    // ptxas: Greater number of elements in array initializer
    ```

    **Right:** `.const .b32 masks[3] = {1, 2, 4};`

    **Fixes offered:** add or remove the braces of a single value.
    """
    tree = context.statement.shape.tree
    if isinstance(tree, Declaration):
        for _, fault in initial_faults(context):
            if fault.kind in BRACE_FAULTS:
                yield _finding(context, tree, fault)


def _finding(context: StatementContext, tree: Declaration, fault: InitialFault) -> Finding:
    span = Span(context.span(fault.first).start, context.span(fault.last - 1).end)
    written = context.statement.text[span.start : span.end]
    fixes: tuple[Fix, ...] = ()
    match fault.kind:
        case InitialFaultKind.BRACES_WANTED:
            what = f"a '{tree.type}'" if tree.type in OPAQUE else "an array or vector"
            message = f"the initializer of {what} must be in '{{}}'"
            fixes = (Fix(f"write '{{{written}}}'", (Edit(span, f"{{{written}}}"),)),) if len(written) < _SHORT else ()
        case InitialFaultKind.NO_BRACES_WANTED:
            message = f"expected one '{tree.type}' here, without '{{}}'"
            inner = written[1:-1].strip()
            if inner and len(inner) < _SHORT and "," not in inner and "{" not in inner:
                fixes = (Fix(f"write '{inner}'", (Edit(span, inner),)),)
        case InitialFaultKind.TOO_MANY:
            message = f"too many values; the array has {counted(fault.wanted, 'element')}"
        case InitialFaultKind.VECTOR_COUNT:
            message = f"a '{tree.vector}' must have {fault.wanted} values"
        case InitialFaultKind.NAMES_WANTED:
            message = "fields are initialized by name: '{ width = 16 }'"
        case _:
            message = f"a '{tree.type}' has no fields"
    if "\n" in written:
        span = Span(span.start, span.start + 1)
    return RULE.at(span, message, fixes=fixes)


_SHORT = 40
