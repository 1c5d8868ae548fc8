"""The names in ``.alias`` lines.

Source: PTX ISA, "Function Declarations: .alias".
"""

from __future__ import annotations

from ptx_lsp.analysis.symbols.used_names import used_names
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Alias


class AliasNames(NamedTuple):
    """The names of an alias and of the function that it stands for."""

    name: str
    target: str


def aliases_in(chunk: Chunk) -> dict[int, AliasNames]:
    """The aliases in a chunk, by their statements; to be kept with the chunk: several checks ask for them."""
    found = {}
    for index, kind in enumerate(chunk.kinds):
        shape = SHAPES[chunk.shapes[index]] if kind == Kind.ALIAS else None
        if shape is not None and isinstance(shape.tree, Alias):
            by_token = dict(zip((token for token, _ in shape.names), used_names(chunk.part(index), shape), strict=True))
            tree = shape.tree
            words = [by_token.get(token) or chunk.statement(index).word(token) for token in (tree.name, tree.target)]
            found[index] = AliasNames(*words)
    return found
