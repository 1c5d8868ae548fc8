"""E408 call-arguments."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.call_tables import signatures_of
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.calls import BadCall, Call, CallFault, argument_count, call_faults, read_call
from ptx_lsp.analysis.symbols.symbols import FunctionSignature, Symbol, SymbolKind
from ptx_lsp.checks.support.finding import HERE, Finding, error
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind
from ptx_lsp.text import Span

RULE = error("E408").in_trees(Instruction)


def check(context: StatementContext) -> Iterator[Finding]:
    """A call whose arguments or results do not match the function: their number, types or alignment.

    ```ptx
    //- sm_80 ptx 7.0 module
    .func twice(.reg .b32 value) { ret; }
    .func user()
    {
        .reg .b64 %rd<2>;
        call twice, (%rd1);
    //               ^^^^ error[E408]: '%rd1' is .b64; parameter 1 of 'twice' is .b32 (line 5)
        ret;
    }
    // ptxas: Type of argument does not match formal parameter 'value'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .func twice(.reg .b32 value) { ret; }
    .func user()
    {
        .reg .b32 %r<2>;
        call twice, (%r1);
        ret;
    }
    ```

    ---

    - Sizes must be equal, and integers cannot be passed for floats; `.b32` matches every 32-bit type. Arrays need the
      same number of bytes.
    - A `.param` variable can be passed for a register and the other way round, but an array only for an array.
    - Alignments must be equal too; that of `.align 2 .b32` is 4.
    - A last parameter `.param .b8 rest[]` accepts an array of any length, or can be omitted.
    - `_` is allowed for a result, not for an argument. A parameter of the caller in `.param` space must be copied to a
      `.param` variable first (`ld.param`, `st.param`).
    - An indirect call is compared with its `.callprototype`, or with each function of its list or table.
    """
    tree = context.instruction
    call = read_call(tree) if tree is not None else None
    if call is None:
        return
    target = context.symbols.get(call.target.name)
    if target is None:
        return
    if target.signature is not None and target.kind is SymbolKind.FUNCTION:
        if target.type == ".entry":
            message = f"'{target.name}' is a kernel; only a '.func' can be called"
            yield RULE.at(context.span(call.target.name), message).explained_by(target)
        elif call.targets is None:
            yield from _compared(context, call, target.name, target.signature, target)
        return
    through = context.symbols.get(call.targets.name) if call.targets is not None else None
    if through is None:
        return
    for name, signature in signatures_of(context.module, through, context.scope):
        found = list(_compared(context, call, name, signature, through))
        if found:
            yield from found
            return


def _compared(
    context: StatementContext, call: Call, name: str, signature: FunctionSignature, declared: Symbol | None
) -> Iterator[Finding]:
    for bad in call_faults(call, signature, context.statement, lambda operand: context.symbols.get(operand.name)):
        if bad.fault is CallFault.ARGUMENTS:
            takes = counted(len(signature.parameters), "argument")
            message = f"'{name}' expects {takes}, not {argument_count(call.arguments)}"
            yield RULE.at(_span(context, call.arguments), message).explained_by(declared)
        elif bad.fault is CallFault.RESULTS:
            message = f"'{name}' returns {counted(len(signature.results), 'value')}, not {argument_count(call.results)}"
            yield RULE.at(_span(context, call.results), message).explained_by(declared)
        elif bad.operand is not None and not _is_reported_elsewhere(context, bad.operand):
            message = _message(context, bad, name)
            explained = declared if HERE in message else None
            yield RULE.at(context.operand_span(bad.operand), message).explained_by(explained)


def _span(context: StatementContext, operand: Operand | None) -> Span:
    """The list with too few or too many; the opcode if there is none, or on another line, as nvcc writes it."""
    opcode = context.opcode_span()
    if operand is None:
        return opcode
    span = context.operand_span(operand)
    between = context.statement.text[min(opcode.start, span.start) : max(opcode.end, span.end)]
    return span if "\n" not in between else opcode


def _is_reported_elsewhere(context: StatementContext, operand: Operand) -> bool:
    """Whether the operand has no declaration that is seen from here."""
    if operand.kind is not OperandKind.NAME or operand.name in context.symbols:
        return False
    return not context.code_of(operand.name)


def _message(context: StatementContext, bad: BadCall, name: str) -> str:
    assert bad.operand is not None
    assert bad.formal is not None
    text, formal = context.text_of(bad.operand), bad.formal
    place = f"{'result' if bad.is_result else 'parameter'} {bad.number} of '{name}'"
    match bad.fault:
        case CallFault.SINK:
            return f"'_' cannot be an argument; {place} is {formal}{HERE}"
        case CallFault.CONSTANT:
            return f"{text} cannot be passed; {place} is {formal}{HERE}"
        case CallFault.SPACE:
            return f"'{text}' cannot be passed; expected a register, constant or '.param' variable"
        case CallFault.FORWARDED:
            return f"'{text}' is a parameter of the caller; copy it to a '.param' variable first"
        case CallFault.ALIGNMENT if bad.passed is not None:
            aligned = counted(bad.passed.alignment, "byte")
            return f"'{text}' is aligned to {aligned}; {place} must be aligned to {formal.alignment}{HERE}"
        case _:
            return f"'{text}' is {bad.passed}; {place} is {formal}{HERE}"
