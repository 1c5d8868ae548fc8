"""E422 parameter-size."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.function_heads import HeadFaultKind, faults_of_head
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.tree import FunctionHead, Prototype

RULE = error("E422").in_trees(FunctionHead, Prototype)


def check(context: StatementContext) -> Iterator[Finding]:
    """A kernel with more bytes of parameters than the limit.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel(.param .b8 table[5000]) { ret; }
    //     ^^^^^^ error[E422]: the parameters of 'kernel' have 5000 bytes; the limit is 4352
    // ptxas: Entry function 'kernel' uses too much parameter space (0x1388 bytes, 0x1100 max).
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel(.param .u64 table) { ret; }
    ```

    ---

    The limit is 256 bytes in PTX 1.4, 4352 up to 8.0, then 32764 on sm_70 and newer. Padding for alignment is included.
    """
    vocabulary = catalogue().vocabulary
    version, target = context.module.version, context.module.target
    for fault in faults_of_head(context):
        if fault.kind is HeadFaultKind.SIZE and context.function.has_body:
            most = vocabulary.limit("kernel parameters", version, target)
            name = context.word(fault.token)
            message = f"the parameters of '{name}' have {fault.value} bytes; the limit is {most}"
            yield RULE.at(context.span(fault.token), message)
