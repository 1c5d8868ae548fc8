"""E106 misplaced-statement."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.braces import most_nested
from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, PlacedFinding, error
from ptx_lsp.syntax.errors import syntax_errors
from ptx_lsp.syntax.kind import Kind

_NAMES = {
    Kind.INSTRUCTION: "an instruction",
    Kind.LABEL: "a label",
    Kind.REGISTERS: "'.reg'",
    Kind.LOCATION: "'.loc'",
    Kind.PROTOTYPE: "'.callprototype'",
    Kind.TARGETS: "a list of targets",
    Kind.HEADER: "this directive",
    Kind.FILE: "'.file'",
    Kind.OPEN: "a block",
    Kind.SECTION: "'.section'",
    Kind.DATA: "a line of a debug section",
}

_WHERE = {
    StructureFaultKind.OUTSIDE: "inside a function",
    StructureFaultKind.INSIDE: "outside of functions",
    StructureFaultKind.NO_SECTION: "in the braces after '.section'",
    StructureFaultKind.IN_SECTION: "outside of debug sections",
    StructureFaultKind.BLOCK_IN_SECTION: "inside a function",
}

RULE = error("E106", phase=Phase.SYNTAX).for_syntax_errors().for_faults(StructureFaultKind.TOO_DEEP, *_WHERE)


def check(context: StatementContext) -> Iterator[Finding]:
    """A statement that is not allowed here: an instruction outside of functions, `.file` inside one.

    ```ptx
    //- sm_80 ptx 7.0 module
    mov.u32 %r1, 1;
    // <--- error[E106]: an instruction is only allowed inside a function
    .entry kernel() { ret; }
    // ptxas: Parsing error near 'mov': syntax error
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel()
    {
        .reg .u32 %r1;
        mov.u32 %r1, 1;
        ret;
    }
    ```

    ---

    The cause is often an extra `}` before it. A block is not allowed where so many are open that ptxas has no memory
    for another one.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            yield Finding(diagnostic)


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """Statements of a body that stand outside, and of the module that stand in a body."""
    is_open = function.has_unbalanced_braces and any(
        fault.fault is StructureFaultKind.UNCLOSED_BRACE for fault in function.faults
    )
    for fault in function.faults:
        if fault.fault is StructureFaultKind.TOO_DEEP:
            span = fault.place.chunk.statement(fault.place.statement).span(0)
            yield PlacedFinding(fault.place, RULE.at(span, f"more than {most_nested()} blocks within each other"))
        if fault.fault not in _WHERE or (is_open and fault.fault is StructureFaultKind.INSIDE):
            continue  # in a body that does not end they stand outside after all
        statement = fault.place.chunk.statement(fault.place.statement)
        what = _NAMES.get(statement.shape.kind, "this")
        yield PlacedFinding(fault.place, RULE.at(statement.span(0), f"{what} is only allowed {_WHERE[fault.fault]}"))
