"""E413 alignment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration

RULE = error("E413").in_trees(Declaration)
_UNUSUAL = re.compile(r"\.align\s+(?!(?:1|2|4|8|16|32|64|128)\b)", re.ASCII).search
_LARGEST = 1 << 31
_LARGEST_OF_PARAMETERS = 128


def accepts_shape(shape: Shape) -> bool:
    """Declarations with an alignment."""
    return isinstance(shape.tree, Declaration) and shape.tree.align >= 0


def prefilter_statement(text: str, _datum: object) -> bool:
    """Only what is not one of the usual numbers."""
    return _UNUSUAL(text) is not None


def check(context: StatementContext) -> Iterator[Finding]:
    """An alignment that is not a power of two.

    ```ptx
    //- sm_80 ptx 7.0 module
    .global .align 12 .b8 triple[12];
    //             ^^ error[E413]: an alignment must be a power of two, not '12'
    // ptxas: Alignment must be a power of two
    ```

    **Right:** `.global .align 16 .b8 triple[12];`

    **Fixes offered:** the next power of two.

    ---

    ptxas accepts an alignment that is smaller than that of the type. The maximum is 2 to the power of 31, in `.param`
    128.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration) or tree.align < 0:
        return
    most = _LARGEST_OF_PARAMETERS if tree.space == ".param" else _LARGEST
    statement = context.statement
    for index in range(len(statement.tokens) - 1):
        if statement.word(index) != ".align":
            continue
        value = declared_number(statement.word(index + 1))
        span = context.span(index + 1)
        if value > most:
            yield RULE.at(span, f"an alignment{' in .param' if tree.space == '.param' else ''} must be at most {most}")
        if value > most or (value and not value & (value - 1)):
            continue
        better = 1 << max(value - 1, 0).bit_length()
        fix = Fix(f"write '{better}'", (Edit(span, str(better)),))
        yield RULE.at(span, f"an alignment must be a power of two, not '{context.word(index + 1)}'", fixes=(fix,))
