"""E417 attribute-place."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.wording import did_you_mean, nearest
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration

RULE = error("E417").in_trees(Declaration)
_NUMBERS = {".managed": 0, ".unified": 2}
"""The count of the numbers that follow each attribute."""


def accepts_shape(shape: Shape) -> bool:
    """Variables with attributes."""
    return isinstance(shape.tree, Declaration) and bool(shape.tree.attributes)


def check(context: StatementContext) -> Iterator[Finding]:
    """An attribute that the variable cannot have.

    `.attribute(.managed)` and `.attribute(.unified(n, m))` are only allowed for `.global` variables.

    ```ptx
    //- sm_80 ptx 7.0 module
    .shared .attribute(.managed) .b32 flags;
    //                 ^^^^^^^^ error[E417]: '.managed' is only allowed for '.global' variables, not for '.shared'
    // ptxas: Illegal attribute '.managed' for symbol 'flags'
    ```

    **Right:** `.global .attribute(.managed) .b32 flags;`

    ---

    ptxas does not check `name<n>`.
    """
    tree = context.statement.shape.tree
    if isinstance(tree, Declaration):
        finding = _of_attributes(context, tree)
        if finding is not None:
            yield finding


def _of_attributes(context: StatementContext, tree: Declaration) -> Finding | None:
    for attribute in tree.attributes:
        word = context.word(attribute.word)
        span = context.span(attribute.word)
        if word not in _NUMBERS:
            ending, fixes = did_you_mean(span, nearest(word, _NUMBERS))
            return RULE.at(span, f"there is no attribute '{word}'{ending}", fixes=fixes)
        if len(attribute.values) != _NUMBERS[word]:
            wanted = "requires two numbers: '.unified(1, 2)'" if _NUMBERS[word] else "has no numbers"
            return RULE.at(span, f"'{word}' {wanted}")
        if tree.space != ".global" and not all(one.count >= 0 for one in tree.declarators):
            return RULE.at(span, f"'{word}' is only allowed for '.global' variables, not for '{tree.space}'")
    return None
