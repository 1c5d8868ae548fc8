"""The strings of ``.pragma``, in statements of their own and in the heads of functions."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import FunctionHead, Pragma, Prototype


def pragma_strings(statement: Statement) -> Iterator[tuple[int, str, str]]:
    """For each string its token, its first word, and the rest."""
    tree = statement.shape.tree
    tokens: list[int] = []
    if isinstance(tree, Pragma):
        tokens += tree.strings
    elif isinstance(tree, FunctionHead | Prototype):
        for tuning in tree.tuning:
            if statement.word(tuning.word) == ".pragma":
                tokens += tuning.values
    for token in tokens:
        name, _, rest = statement.word(token).strip('"').strip().partition(" ")
        yield token, name, rest.strip()
