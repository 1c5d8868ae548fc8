"""E409 narrow-address."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import notes, place_of
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E409").for_problems(Problem.NARROW_ADDRESS)


def check(context: StatementContext) -> Iterator[Finding]:
    """A generic or global address of 32 bits in a module with `.address_size 64`.

    ```ptx
    //- sm_90 ptx 8.0
    ld.global.u32 %r1, [%r2];
    //                  ^^^ error[E409]: '%r2' has 32 bits; a generic or global address must have 64 here
    // ptxas: 32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on sm_90 or higher architectures.
    ```

    **Right:** `ld.global.u32 %r1, [%rd2];`

    ---

    When it only checks (`-arch=compute_90`), ptxas accepts it; it does not generate code for it on any target.
    Addresses of shared, local, constant and parameter memory, with the state space in the opcode, fit into 32 bits.
    """
    for note in notes(context, Problem.NARROW_ADDRESS):
        if not context.module.header.has_wide_addresses:
            return
        span = place_of(context, note)
        text = context.statement.text[span.start : span.end]
        message = f"'{text}' has 32 bits; a generic or global address must have 64 here"
        if len(note.operand) == 1 and context.instruction is not None:
            operand = context.instruction.operands[note.operand[0]]
            symbol = context.symbols.get(operand.name)
            if symbol is not None and symbol.space == ".global":
                message = f"the address of '{text}' has 64 bits; ptxas generates no code that truncates it to 32"
        yield RULE.at(span, message)
