"""W613 out-of-bounds."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.accesses import accesses, has_named_address, may_be_wrong
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.checks.support.wording import counted

RULE = warning("W613")

accepts_shape = has_named_address
prefilter_names = may_be_wrong


def check(context: StatementContext) -> Iterator[Finding]:
    """An access beyond the end, or before the beginning, of the variable or parameter that it names.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .b32 table[4];
    ld.shared.b32 %r1, [table+16];
    //                 ^^^^^^^^^^ warning[W613]: this access starts at byte 16; 'table' has 16 bytes (line 7)
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .shared .b32 table[4];
    ld.shared.b32 %r1, [table+12];
    ```

    ---

    Variables without a size, such as `.extern .shared .b8 x[]`, and addresses in registers are not checked.
    """
    for one in accesses(context):
        end = one.offset + one.size
        name, size = one.symbol.name, one.layout.size
        if not one.is_outside:
            continue
        if one.offset < 0:
            message = f"this access is {counted(-one.offset, 'byte')} before '{name}'"
        elif size is not None and one.offset >= size:
            message = f"this access starts at byte {one.offset}; '{name}' has {counted(size, 'byte')}"
        else:
            message = f"this access ends at byte {end}; '{name}' has {counted(size or 0, 'byte')}"
        yield RULE.at(context.operand_span(one.operand), message).explained_by(one.symbol)
