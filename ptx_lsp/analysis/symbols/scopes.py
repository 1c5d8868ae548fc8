"""Walks over nested scopes; they nest thousands deep, so none of them recurses."""

from __future__ import annotations

from ptx_lsp.analysis.symbols.symbols import Scope


def nearest(scope: Scope, known: dict[Scope, Scope]) -> Scope:
    """The innermost scope with declarations, from ``scope`` outwards; what is found is kept in ``known``."""
    passed = []
    while scope not in known and scope.parent is not None and not scope.names and not scope.groups:
        passed.append(scope)
        scope = scope.parent
    nearest = known.get(scope, scope)
    known.update(dict.fromkeys(passed, nearest))
    return nearest
