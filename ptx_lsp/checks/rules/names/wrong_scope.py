"""E204 wrong-scope."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error

RULE = error("E204").for_unknown_names()


def check(context: StatementContext) -> Iterator[Finding]:
    """A register, variable or function that is used before its declaration.

    All names except labels must be declared first.

    ```ptx
    //- sm_80 ptx 7.0
    add.s32 %r1, count, 1;
    //           ^^^^^ error[E204]: 'count' is used before its declaration (line 9)
    .reg .b32 count;
    // ptxas: Arguments mismatch for instruction 'add'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .reg .b32 count;
    add.s32 %r1, count, 1;
    ```
    """
    reported = set()
    for (token, _), code in zip(context.statement.shape.names, context.codes, strict=True):
        name = context.word(token)
        if code or token in context.symbols or name in reported:
            continue
        symbol = context.scope.lookup(name)
        if symbol is not None:
            reported.add(name)
            yield RULE.at(context.span(token), f"'{name}' is used before its declaration").explained_by(symbol)
