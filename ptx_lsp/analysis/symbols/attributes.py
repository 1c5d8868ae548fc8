"""The attributes of variables: ``.attribute(.managed)``, ``.attribute(.unified(1, 2))``."""

from __future__ import annotations

from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Declaration

UNIFIED = ".unified"
_SPACE = ".global"


def may_be_unified(symbol: Symbol | None) -> bool:
    """Whether a name is a variable of the module in global memory, which alone can be unified."""
    return symbol is not None and symbol.kind is SymbolKind.VARIABLE and symbol.space == _SPACE


def is_unified(symbol: Symbol) -> bool:
    """Whether a variable has the same address on the host and all devices."""
    statement = symbol.place.chunk.statement(symbol.place.statement)
    tree = statement.shape.tree
    return isinstance(tree, Declaration) and any(statement.word(one.word) == UNIFIED for one in tree.attributes)
