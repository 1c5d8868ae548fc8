"""The statements that belong outside of functions, as far as the scanner asks about them."""

from __future__ import annotations

from functools import cache

from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import OPEN
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Header


@cache
def is_of_modules(space: str) -> bool:
    """Whether a state space has variables outside of functions in all versions."""
    return catalogue().vocabulary.spaces[space].module == OPEN


def is_target(place: Place) -> bool:
    """Whether a statement is a ``.target``, which ptxas takes in the body of a function too."""
    tree = SHAPES[place.chunk.shapes[place.statement]].tree
    return isinstance(tree, Header) and tree.directive == ".target"
