"""E401 operand-count."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, place_of, written_opcode
from ptx_lsp.checks.support.wording import one_of
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.match_result import Problem
from ptx_lsp.syntax.tree import Operand
from ptx_lsp.text import Span

RULE = error("E401").for_problems(Problem.OPERAND_COUNT)


def check(context: StatementContext) -> Iterator[Finding]:
    """Too few or too many operands. The message lists the names of the expected operands.

    ```ptx
    //- sm_80 ptx 7.0
    add.s32 %r1, %r2;
    // <--- error[E401]: 'add.s32' expects 3 operands, not 2: d, a, b
    // ptxas: Arguments mismatch for instruction 'add'
    ```

    **Right:** `add.s32 %r1, %r1, %r2;`

    **Fixes offered:** insert the missing comma between a register and an address.
    """
    for mismatch in mismatches(context, Problem.OPERAND_COUNT):
        tree = context.instruction
        assert tree is not None
        assert context.match is not None
        lost = next((operand for operand in tree.operands if _is_misread(context, operand)), None)
        if lost is not None:
            yield _missing_comma(context, lost)
            continue
        if mismatch.message:
            yield RULE.at(place_of(context, mismatch), mismatch.message)
            continue
        written = len(tree.operands)
        wanted = one_of(mismatch.wanted)
        operands = context.match.form.syntax.partition("@")[0].partition(" ")[2].strip()
        first = mismatch.operand[0] if mismatch.operand else written
        if mismatch.wanted and mismatch.wanted[-1].isdigit() and written > int(mismatch.wanted[-1]):
            first = int(mismatch.wanted[-1])
        if first < written:
            start, end = context.operand_span(tree.operands[first]), context.operand_span(tree.operands[-1])
            span = Span(start.start, end.end)
        else:
            span = context.opcode_span()
        noun = "operand" if wanted == "1" else "operands"
        message = f"'{written_opcode(context)}' expects {wanted or 'other'} {noun}, not {written}"
        if wanted == "0":
            message = f"'{written_opcode(context)}' has no operands"
        if operands and wanted:
            message += f": {operands}"
        yield RULE.at(span, message)


def _missing_comma(context: StatementContext, operand: Operand) -> Finding:
    end = context.span(operand.name).end
    address = context.statement.text[end : context.operand_span(operand).end].strip()
    insert = Fix("insert ','", (Edit(Span(end, end), ","),))
    message = f"',' is missing between '{context.word(operand.name)}' and '{address}'"
    return RULE.at(context.operand_span(operand), message, fixes=(insert,))


def _is_misread(context: StatementContext, operand: Operand) -> bool:
    """Whether ``%r1 [%rd2+4]`` was read as an index of a register."""
    if not operand.indexed:
        return False
    symbol = context.symbols.get(operand.name)
    return context.word(operand.name).startswith("%") if symbol is None else symbol.space == ".reg"
