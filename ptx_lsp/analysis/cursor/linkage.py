"""Names of a module that are shared with other files.

Source: PTX ISA, "Linking Directives".
"""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol


def global_at(semantics: Semantics, offset: int) -> Symbol | None:
    """The function or variable of the module whose name is at ``offset``; None for any other token."""
    cursor = at(semantics, offset)
    if cursor is None or cursor.symbol is None:
        return None
    symbol = cursor.symbol
    return symbol if symbol in semantics.module.function_of(symbol.place.chunk).globals else None


def shared_name(semantics: Semantics, offset: int) -> str | None:
    """The name at ``offset`` if it has linkage, so that other files may refer to the same entity."""
    symbol = global_at(semantics, offset)
    return symbol.name if symbol is not None and is_shared(semantics.module, symbol.name) else None


def is_shared(module: Module, name: str) -> bool:
    """Whether some declaration of a function or variable of the module has linkage."""
    own = module.globals.own(name)
    if own is None or own.name != name:
        return False
    if own.linkage:
        return True
    return any(one.linkage for function in module.functions for one in function.globals if one.name == name)
