"""W616 shared-memory."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration

RULE = warning("W616")


def accepts_shape(shape: Shape) -> bool:
    """Arrays in shared memory."""
    tree = shape.tree
    return (
        isinstance(tree, Declaration)
        and tree.space[:7] == ".shared"
        and any(one.dimensions for one in tree.declarators)
    )


def check(context: StatementContext) -> Iterator[Finding]:
    """A `.shared` array that is larger than the limit of static shared memory.

    ```ptx
    //- sm_90 ptx 8.0 module
    .shared .b8 tile[65536];
    //          ^^^^ warning[W616]: 'tile' has 65536 bytes; the limit without '.extern' and '[]' is 49152
    .entry kernel() { ret; }
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0 module
    .extern .shared .b8 tile[];
    .entry kernel() { ret; }
    ```

    ---

    The size of an `.extern` array is set at launch, up to the limit of the device. ptxas refuses a kernel with more
    than 49152 bytes in variables when it generates code, and accepts it with `-c`. For targets such as `sm_90a` and
    `sm_100a` it accepts up to 232448 bytes, for `sm_120a` 101376, from CUDA 13.0 on.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration):
        return
    limit = catalogue().vocabulary.limit("shared memory", context.module.version, context.module.target)
    for declarator in tree.declarators:
        name = context.word(declarator.name)
        symbol = context.visible(name)
        layout = layout_of(symbol) if symbol is not None and symbol.is_definition else None
        if layout is not None and layout.size is not None and layout.size > limit:
            message = f"'{name}' has {layout.size} bytes; the limit without '.extern' and '[]' is {limit}"
            yield RULE.at(context.span(declarator.name), message)
