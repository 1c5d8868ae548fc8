"""The meanings of the names in the statements of one scope, each looked up once."""

from __future__ import annotations

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.special_names import special_code, special_names
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind

MAY_BE_LATE = frozenset(kind for kind in SymbolKind if not kind.may_be_used_before)
DEPENDS = -1
"""In place of the operand code of a name whose meaning depends on where it stands."""


class VisibleSymbols(dict[str, Symbol | None]):
    """The declarations of names that are visible in a scope, each looked up once: scopes may be nested deeply."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope

    def __missing__(self, name: str) -> Symbol | None:
        """Look up a name."""
        found = self[name] = self._scope.lookup(name)
        return found


class NameCodes(dict[str, int]):
    """The operand codes of names in a scope: 0 without a meaning, :data:`DEPENDS` by place."""

    def __init__(self, function: Function, symbols: VisibleSymbols, module: Module) -> None:
        super().__init__()
        self._function = function
        self._symbols = symbols
        self._module = module

    def __missing__(self, name: str) -> int:
        """Look up a name."""
        symbol = self._symbols[name]
        if symbol is None:
            code = special_code(name, self._module.version, self._module.target) if name in special_names() else 0
        else:
            may_be_late = self._function.late or symbol.name in self._module.globals.names
            code = DEPENDS if symbol.kind in MAY_BE_LATE and may_be_late else symbol.code
        self[name] = code
        return code
