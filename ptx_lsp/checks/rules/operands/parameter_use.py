"""E423 parameter-use."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import meanings
from ptx_lsp.analysis.statements.role_misuse import MisuseKind, role_misuses
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

RULE = error("E423").in_trees(Instruction)
_MESSAGES = {
    MisuseKind.WRITTEN: "'{name}' is a parameter of the function; parameters cannot be written",
    MisuseKind.READ: "'{name}' is a result of the function; results cannot be read",
    MisuseKind.ADDRESS: "the address of '{name}' cannot be taken; it is an argument or result of a call",
    MisuseKind.GUARDED: "'{name}' is an argument of a call; its accesses cannot have a guard",
    MisuseKind.ENTRY_ONLY: "'{name}' is an argument of a call; '.param::entry' is for kernel parameters",
    MisuseKind.FUNCTION_ONLY: "'{name}' is a kernel parameter; '.param::func' is for functions",
}


def check(context: StatementContext) -> Iterator[Finding]:
    """An access to a `.param` variable that is not allowed: a result that is read, a parameter that is written.

    Parameters of the function can only be read, its results only written. A `.param` variable declared in the body is
    for an argument or result of a call: its address cannot be taken, and its `ld` or `st` cannot have a guard.

    ```ptx
    //- sm_80 ptx 7.0 module
    .func (.param .b32 result) twice(.param .b32 value)
    {
        .reg .b32 %r<2>;
        ld.param.b32 %r1, [result];
    //                     ^^^^^^ error[E423]: 'result' is a result of the function; results cannot be read (line 5)
        ret;
    }
    // ptxas: Illegal to read function return parameter 'result'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .func (.param .b32 result) twice(.param .b32 value)
    {
        .reg .b32 %r<2>;
        ld.param.b32 %r1, [value];
        st.param.b32 [result], %r1;
        ret;
    }
    ```

    **Fixes offered:** remove the guard.
    """
    tree = context.instruction
    if tree is None:
        return
    for misuse, token in role_misuses(tree, meanings(context.statement.shape, context.codes), context.module.version):
        message = _MESSAGES.get(misuse)
        if message is None:
            continue
        if misuse is MisuseKind.GUARDED and tree.guard is not None:
            guard = Span(context.span(0).start, context.opcode_span().start)
            text = context.statement.text[guard.start : guard.end].rstrip()
            fix = Fix(f"remove '{text}'", (Edit(guard, ""),))
            yield RULE.at(context.span(token), message.format(name=context.word(token)), fixes=(fix,))
            continue
        yield RULE.at(context.span(token), message.format(name=context.word(token))).explained_by(
            context.symbols.get(token)
        )
