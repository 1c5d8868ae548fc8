"""E306 qualifier-order."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, place_of, written_opcode
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.match_result import Problem

RULE = error("E306").for_problems(Problem.ORDER)


def check(context: StatementContext) -> Iterator[Finding]:
    """Qualifiers in an order that ptxas does not accept.

    The parts of a name (`mul.wide`, `bar.sync`) come first. Types, state spaces and layouts must keep their order among
    themselves; all others may be anywhere.

    ```ptx
    //- sm_80 ptx 7.0
    cvta.u64.to.global %rd1, %rd2;
    //      ^^^ error[E306]: wrong order of qualifiers; expected 'cvta.to.u64.global'
    // ptxas: Unknown modifier '.to'
    ```

    **Right:** `cvta.to.global.u64 %rd1, %rd2;`

    **Fixes offered:** the documented order.
    """
    for mismatch in mismatches(context, Problem.ORDER):
        span = place_of(context, mismatch)
        fixes: tuple[Fix, ...] = ()
        message = f"the qualifiers of '{written_opcode(context)}' are in the wrong order"
        if mismatch.wanted and (right := _reordered(context, mismatch.wanted[0])):
            message = f"wrong order of qualifiers; expected '{right}'"
            fixes = (Fix(f"write '{right}'", (Edit(context.opcode_span(), right),)),)
        yield RULE.at(span, mismatch.message or message, fixes=fixes)


def _reordered(context: StatementContext, beginning: str) -> str | None:
    """The opcode with ``beginning``, the name or all of it, first; None if it is neither."""
    tree = context.instruction
    assert tree is not None
    first, *others = beginning.replace(".", "\0.").split("\0")
    if first != tree.opcode[0] or not set(others) <= set(tree.opcode):
        return None
    rest = [word for word in tree.opcode[1:] if word not in others]
    return "".join([first, *others, *rest])
