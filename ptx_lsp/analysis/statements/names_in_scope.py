"""The meanings of the names in the statements of one scope, each looked up once."""

from __future__ import annotations

from itertools import islice

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.special_names import special_code, special_names
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind

MAY_BE_LATE = frozenset(kind for kind in SymbolKind if not kind.may_be_used_before)
DEPENDS = -1
"""In place of the operand code of a name whose meaning depends on where it stands."""


class VisibleSymbols(dict[str, Symbol | None]):
    """The declarations of names that are visible in a scope, each looked up once: scopes may be nested deeply.

    Args:
        scope: the scope.
        around: those of the scope around it, if it is known what some names mean there.

    """

    def __init__(self, scope: Scope, around: VisibleSymbols | None = None) -> None:
        super().__init__()
        self._scope = scope
        self._around = around
        self.depth: int = 0 if around is None else around.depth + 1
        """The number of scopes around it that are asked one by one."""

    def __missing__(self, name: str) -> Symbol | None:
        """Look up a name."""
        if len(self) >= _MOST_NAMES:
            self.clear()
        around = self._around
        if around is None:
            found = self._scope.lookup(name)
        else:
            found = self._scope.own(name)
            if found is None:
                found = around[name]
        self[name] = found
        return found


_MOST_NAMES = 1 << 12
_MOST_SCOPES = 256
_MOST_AROUND = 32
"""So many scopes ask each other at most."""
_FEW_AROUND = 8


class _VisibleInModule(dict[Scope, VisibleSymbols]):
    """The visible symbols in some scopes of a module since its last edit."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.revision = module.revision

    def __missing__(self, scope: Scope) -> VisibleSymbols:
        """Those of a scope and of the nearest ones around it; of the last scopes they are kept."""
        if len(self) >= _MOST_SCOPES:
            self.clear()
        path = list(islice(scope.chain(), _MOST_AROUND))
        if len(path) <= _FEW_AROUND:  # a walk over all of them takes no longer than to ask the next one
            found = self[scope] = VisibleSymbols(scope)
            return found
        known = next((number for number, one in enumerate(path) if one in self), len(path))
        around = self[path[known]] if known < len(path) else None
        if around is not None and around.depth + known > _MOST_AROUND:
            around = None
        for one in reversed(path[:known]):
            around = self[one] = VisibleSymbols(one, around)
        assert around is not None
        return around


def visible_in(module: Module, scope: Scope) -> VisibleSymbols:
    """The declarations of names that are visible in a scope of a module, found once until the module is edited."""
    known = module.derived(_VisibleInModule)
    if known.revision != module.revision:
        known.clear()
        known.revision = module.revision
    return known[scope]


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
