"""What the initial values of a declaration are made of: a list of them can be as long as a file."""

from __future__ import annotations

from ptx_lsp.syntax.tree import Declaration, OperandKind

_OF_NUMBERS = frozenset({OperandKind.VECTOR, OperandKind.LIST, OperandKind.INTEGER, OperandKind.FLOAT})


def has_only_numbers(tree: Declaration) -> bool:
    """Whether all initial values are literal numbers, in braces or not."""
    layer = [one.initializer for one in tree.declarators if one.initializer is not None]
    while layer:
        if not _OF_NUMBERS.issuperset([one.kind for one in layer]):
            return False
        layer = [part for one in layer for part in one.parts]
    return True
