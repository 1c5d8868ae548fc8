"""Walks over nested scopes; they nest thousands deep, so none of them recurses."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.analysis.symbols.prefix_meanings import NOTHING, PrefixMeanings
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


def outside_in(scope: Scope, lacks: Callable[[Scope], bool]) -> list[Scope]:
    """The scopes from ``scope`` outwards as long as they lack something, outermost first."""
    path = []
    around: Scope | None = scope
    while around is not None and lacks(around):
        path.append(around)
        around = around.parent
    path.reverse()
    return path


def groups_key(scope: Scope) -> PrefixMeanings:
    """The meanings of the prefixes of numbered registers in a scope; kept in the scope."""
    if scope.groups_key is not None:
        return scope.groups_key
    outer = scope.parent.groups_key if scope.parent is not None else None
    if outer is not None:
        found = scope.groups_key = outer.within(_declared(scope)) if scope.groups or scope.numbered else outer
        return found
    for around in outside_in(scope, lambda one: one.groups_key is None):
        outer = around.parent.groups_key if around.parent is not None else None
        around.groups_key = (outer or NOTHING).within(_declared(around))
    return scope.groups_key or NOTHING


def _declared(scope: Scope) -> dict[str, int | None]:
    declared: dict[str, int | None] = {prefix: group.code for prefix, group in scope.groups.items()}
    declared.update(dict.fromkeys(scope.numbered))  # after a single name of a prefix it determines no type
    return declared
