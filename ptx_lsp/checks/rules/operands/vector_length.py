"""E405 vector-length."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operands import operand_at
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, mnemonic, place_of
from ptx_lsp.checks.support.wording import counted
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E405").for_problems(Problem.VECTOR_LENGTH)


def check(context: StatementContext) -> Iterator[Finding]:
    """A vector whose number of elements does not match the qualifiers.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.v4.f32 {%f1, %f2}, [%rd1];
    //               ^^^^^^^^^^ error[E405]: this vector has 2 elements; 'ld' expects 4
    // ptxas: Argument vector size mismatch for instruction 'ld'
    ```

    **Right:** `ld.global.v2.f32 {%f1, %f2}, [%rd1];`
    """
    for mismatch in mismatches(context, Problem.VECTOR_LENGTH):
        operand = operand_at(context.instruction, mismatch.operand)
        have = counted(len(operand.parts), "element") if operand is not None else "other elements"
        wanted = " or ".join(mismatch.wanted)
        message = f"this vector has {have}; '{mnemonic(context)}' expects {wanted}"
        yield RULE.at(place_of(context, mismatch), mismatch.message or message)
