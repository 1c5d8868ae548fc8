"""What is declared and never mentioned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.tree import Declaration, FunctionHead

if TYPE_CHECKING:
    from ptx_lsp.analysis.flow.flow import Flow
    from ptx_lsp.analysis.module import Module

_DIGITS = "0123456789"
_FEW = 4
"""So many chunks are cut into pieces while the user waits."""
_OF_A_BODY = frozenset({SymbolKind.REGISTER, SymbolKind.VARIABLE, SymbolKind.LABEL})


def unused_in(flow: Flow, excused: re.Pattern[str]) -> Iterator[Symbol]:
    """The declarations in the body of a function that nothing in it mentions, but for names that are ``excused``."""
    names = _Mentioned(flow)
    for scope in _scopes(flow):
        for prefix, group in scope.groups.items():
            if group.place.chunk in flow.function.segments and not names.has_member(prefix, scope):
                yield group
        for name, symbol in scope.names.items():
            if symbol.kind not in _OF_A_BODY or not symbol.is_definition:
                continue
            if names.has(name, scope) or excused.fullmatch(name) or _stands_elsewhere(flow, symbol):
                continue
            yield symbol


class _Mentioned:
    """The names that the instructions of a function mention."""

    def __init__(self, flow: Flow) -> None:
        self._function = flow.function
        self._graph = flow.graph
        sets = flow.sets
        self._all = (*sets.exposed, *sets.written)
        numbers = [node.number for node in flow.graph.nodes if node.scope is not flow.function.scope]
        self._inner: set[str] = set()
        for number in numbers:
            self._inner.update(sets.exposed[number], sets.written[number])
        self._jumped_to = {label for node in flow.graph.nodes for label in node.piece.targets}

    def has(self, name: str, scope: Scope) -> bool:
        """Whether a name that a scope declares is mentioned."""
        if name in self._jumped_to:
            return True
        if scope is self._function.scope:
            return any(name in names for names in self._all)
        return self._graph.name_in(name, scope) in self._inner

    def has_member(self, prefix: str, scope: Scope) -> bool:
        """Whether a member of a numbered group that a scope declares is mentioned."""
        if scope is self._function.scope:
            return any(name.startswith(prefix) and _without_number(name) == prefix for n in self._all for name in n)
        wanted = self._graph.name_in(prefix, scope)
        return any(_without_number(name) == wanted for name in self._inner)


def _scopes(flow: Flow) -> list[Scope]:
    """The scopes inside a function, in the order of the text."""
    found: dict[Scope, None] = {}
    for segments in flow.function.segments.values():
        for segment in segments:
            if segment.inside:
                inner = [one for one in segment.scope.chain() if one is not flow.module.globals]
                found.update(dict.fromkeys(reversed(inner)))
    return list(found)


def _without_number(register: str) -> str:
    """A register's prefix, with the number of its block if it has one: ``%r 2`` of ``%r17 2``."""
    name, blank, block = register.partition(" ")
    return f"{name.rstrip(_DIGITS)}{blank}{block}"


def _stands_elsewhere(flow: Flow, symbol: Symbol) -> bool:
    """Whether a name stands in the function's text beside its declaration: in initialisers, lists of labels …"""
    word = re.compile(rf"(?<![\w$%.]){re.escape(symbol.name)}(?![\w$])", re.ASCII)
    count = 0
    for chunk in flow.function.chunks:
        if symbol.name in chunk.text:
            count += len(word.findall(chunk.text))
            if count > 1:
                return True
    return False


def unused_globals(module: Module) -> Iterator[Symbol]:
    """Functions and variables that only this module can see, and that nothing in it mentions.

    As long as the flow through most of a large module is not looked at, there is no answer.
    """
    candidates = {
        name: symbol for name, symbol in module.definitions.items()
        if not name.startswith("%") and _is_internal(symbol)
    }
    if not candidates or not any(_is_shown(symbol) for symbol in module.definitions.values()):
        return
    effects = module.effects
    bodies = (chunk for function in module.functions if function.has_body for chunk in function.chunks)
    if sum(not effects.is_cut(chunk) for chunk in bodies) > _FEW:
        return
    mentioned = set().union(*(effects.mentions(chunk) for chunk in module.document.chunks))
    for name, symbol in candidates.items():
        if name not in mentioned:
            yield symbol


def _is_internal(symbol: Symbol) -> bool:
    """Whether nobody outside of the module can use what a symbol declares."""
    if symbol.kind is SymbolKind.VARIABLE and symbol.space == ".shared":
        tree = symbol.place.chunk.statement(symbol.place.statement).shape.tree
        return isinstance(tree, Declaration) and tree.linkage < 0
    return symbol.kind is SymbolKind.FUNCTION and symbol.type == ".func" and not _has_linkage(symbol)


def _is_shown(symbol: Symbol) -> bool:
    """Whether others can run a function."""
    return symbol.kind is SymbolKind.FUNCTION and (symbol.type == ".entry" or _has_linkage(symbol))


def _has_linkage(symbol: Symbol) -> bool:
    tree = symbol.place.chunk.statement(symbol.place.statement).shape.tree
    return isinstance(tree, FunctionHead) and tree.linkage >= 0
