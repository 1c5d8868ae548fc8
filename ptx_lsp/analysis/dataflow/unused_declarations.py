"""Declarations that nothing mentions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.register_mentions import OF_NAMES
from ptx_lsp.analysis.dataflow.registers import group_of
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.tree import Declaration, FunctionHead

if TYPE_CHECKING:
    from ptx_lsp.analysis.dataflow.flow import Flow
    from ptx_lsp.analysis.module.module import Module

_MOST = 200
"""Of more names of the module it is not asked whether they are mentioned."""
_FEW = 16
_WORD = re.compile(r"(?<![\w$%.])[A-Za-z_$%][\w$]*+", re.ASCII)
_DECLARING = frozenset({Kind.VARIABLE, *HEADS})
_OF_A_BODY = frozenset({SymbolKind.REGISTER, SymbolKind.VARIABLE, SymbolKind.LABEL})


def unused_in(flow: Flow, excused: re.Pattern[str]) -> Iterator[Symbol]:
    """The declarations in the body of a function that nothing in it mentions, but for names that are ``excused``."""
    names = _Mentioned(flow)
    found: list[Symbol] = []
    doubtful: set[str] = set()
    for scope in flow.graph.registers.scopes:
        for prefix, group in scope.groups.items():
            if group.place.chunk in flow.function.segments and not names.has_member(prefix, scope):
                found.append(group)
        for name, symbol in scope.names.items():
            if symbol.kind not in _OF_A_BODY or not symbol.is_definition:
                continue
            if not names.has(name, scope) and not excused.fullmatch(name):
                found.append(symbol)
                doubtful.add(name)
    elsewhere = _repeated_words(flow, doubtful)
    yield from (symbol for symbol in found if symbol.count is not None or symbol.name not in elsewhere)


class _Mentioned:
    """The names that the instructions of a function mention."""

    def __init__(self, flow: Flow) -> None:
        self._function = flow.function
        self._graph = flow.graph
        sets = flow.sets
        self._all = set().union(*sets.exposed, *sets.written)
        self._inner: set[str] = set()
        for node in flow.graph.nodes:
            if node.scope is not flow.function.scope:
                self._inner.update(sets.exposed[node.number], sets.written[node.number])
        self._prefixes = set(map(group_of, self._all))
        self._inner_prefixes = set(map(group_of, self._inner))
        self._jumped_to = {label for node in flow.graph.nodes for label in node.piece.targets}

    def has(self, name: str, scope: Scope) -> bool:
        """Whether a name that a scope declares is mentioned."""
        if name in self._jumped_to:
            return True
        if scope is self._function.scope:
            return name in self._all
        return self._graph.registers.own_key(name, scope) in self._inner

    def has_member(self, prefix: str, scope: Scope) -> bool:
        """Whether a member of a numbered group that a scope declares is mentioned."""
        if scope is self._function.scope:
            return prefix in self._prefixes
        return self._graph.registers.own_key(prefix, scope) in self._inner_prefixes


def _repeated_words(flow: Flow, names: set[str]) -> set[str]:
    """Those of ``names`` that the function's text has beside their declaration: in initialisers, lists of labels …"""
    counts: Counter[str] = Counter()
    for chunk in flow.function.chunks if names else ():
        # To look for a few names takes much less time than to split a text into words.
        if len(names) > _FEW or any(name in chunk.text for name in names):
            counts.update(word for word in _WORD.findall(chunk.text) if word in names)
    return {name for name, count in counts.items() if count > 1}


def unused_globals(module: Module) -> Iterator[Symbol]:
    """Functions and variables that only this module can see, and that nothing in it mentions."""
    candidates = {
        name: symbol for name, symbol in module.definitions.items() if not name.startswith("%") and _is_internal(symbol)
    }
    if not 0 < len(candidates) <= _MOST or not any(_is_shown(symbol) for symbol in module.definitions.values()):
        return
    mentioned = module.mentions.of(frozenset(candidates), module.document.chunks)
    for name, symbol in candidates.items():
        if name not in mentioned:
            yield symbol


class MentionedNames:
    """The mentioned ones of some names of the module; the text of each chunk is searched once."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._found: dict[Chunk, frozenset[str]] = {}

    def of(self, names: frozenset[str], chunks: Iterable[Chunk]) -> frozenset[str]:
        """Those of ``names`` that stand somewhere else than where they are declared."""
        if names != self._names:
            self._names = names
            self._found.clear()
        found: set[str] = set()
        for chunk in chunks:
            here = self._found.get(chunk)
            if here is None:
                here = self._found[chunk] = frozenset(name for name in names if _is_mentioned(name, chunk))
            found |= here
        return frozenset(found)

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._found.pop(chunk, None)


def _is_mentioned(name: str, chunk: Chunk) -> bool:
    text = chunk.text
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before and before in OF_NAMES) and not (after and after in OF_NAMES):
            index = bisect_right(chunk.starts(), at) - 1
            if chunk.kinds[index] not in _DECLARING or "=" in text[chunk.starts()[index] : at]:
                return True
        at = text.find(name, at + 1)
    return False


def _is_internal(symbol: Symbol) -> bool:
    """Whether a symbol can be used in its module alone."""
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
