"""E403 operand-type."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operands import operand_at
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.checks.support.finding import HERE, Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, place_of, written_opcode
from ptx_lsp.checks.support.wording import listed
from ptx_lsp.isa.model.match_result import Problem
from ptx_lsp.syntax.tree import OperandKind

RULE = error("E403").for_problems(Problem.OPERAND_TYPE)


def check(context: StatementContext) -> Iterator[Finding]:
    """A register or constant of a type that the operand does not accept. PTX has no implicit conversions.

    ```ptx
    //- sm_80 ptx 7.0
    add.s64 %rd1, %rd2, %r3;
    //                  ^^^ error[E403]: '%r3' is .b32 (line 5); 'add.s64' expects .s64 here
    // ptxas: Arguments mismatch for instruction 'add'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    cvt.s64.s32 %rd3, %r3;
    add.s64 %rd1, %rd2, %rd3;
    ```

    ---

    A `.bN` register is accepted for every type of that width, and signed and unsigned are interchangeable; integers and
    floats are not. If several operands have the same wrong type, only the first is reported: the instruction's type may
    be the mistake.
    """
    reported: dict[tuple[str, tuple[str, ...]], int] = {}
    for mismatch in mismatches(context, Problem.OPERAND_TYPE):
        span = place_of(context, mismatch)
        text = context.statement.text[span.start : span.end]
        operand = operand_at(context.instruction, mismatch.operand)
        declared = (
            context.symbols.get(operand.name) if operand is not None and operand.kind is OperandKind.NAME else None
        )
        have = ""
        if operand is not None and declared is not None:
            whole = declared.vector and not operand.selector
            have = f"a .v{declared.vector} {declared.type} vector" if whole else declared.type
        elif operand is not None and operand.kind is OperandKind.NAME:
            have = OPERANDS[context.code_of(operand.name)].type
        elif operand is not None and operand.kind is OperandKind.FLOAT:
            have = "a float constant"
        elif operand is not None and operand.kind is OperandKind.VECTOR:
            have = "a vector of elements of different types"
        elif operand is not None:
            have = "an integer constant"
        if reported.setdefault((have, mismatch.wanted), mismatch.operand[0]) != mismatch.operand[0]:
            continue  # the same of another operand: the instruction's type is meant to be another one
        wanted = listed(mismatch.wanted)
        subject = f"'{text}' is {have}{HERE}" if have else f"'{text}' has the wrong type"
        message = f"{subject}; '{written_opcode(context)}' expects {wanted} here" if wanted else subject
        yield RULE.at(span, mismatch.message or message).explained_by(declared)
