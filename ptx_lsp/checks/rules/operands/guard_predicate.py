"""E406 guard-predicate."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.checks.support.finding import HERE, Finding, error
from ptx_lsp.syntax.tree import Instruction

RULE = error("E406").in_trees(Instruction)


def check(context: StatementContext) -> Iterator[Finding]:
    """A guard that is not a predicate register: a `.pred` register, or `!` and one, must follow `@`.

    ```ptx
    //- sm_80 ptx 7.0
    @%r1 bra DONE;
    //<~-- error[E406]: '%r1' is .b32 (line 5); a guard must be a .pred register
    DONE:
    // ptxas: Predicate expression expected
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra DONE;
    DONE:
    ```
    """
    tree = context.instruction
    if tree is None or tree.guard is None:
        return
    code = context.codes[0]
    name = context.word(tree.guard.name)
    if not code or OPERANDS[code].type == ".pred":
        return
    what = OPERANDS[code].type or f"a {OPERANDS[code].kind}"
    yield RULE.at(
        context.span(tree.guard.name), f"'{name}' is {what}{HERE}; a guard must be a .pred register"
    ).explained_by(context.symbols.get(tree.guard.name))
