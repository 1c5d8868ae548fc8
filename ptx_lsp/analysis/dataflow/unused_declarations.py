"""Declarations that nothing mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterator
from itertools import islice

from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.registers import group_of, name_of
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.tree import Declaration, FunctionHead

_MOST = 200
"""Of more names of the module it is not asked whether they are mentioned."""
_FEW = 16
_IN_A_STEP = 32
_NODES_IN_A_STEP = 512
_NAMES_IN_A_STEP = 512
_KEYS_IN_A_STEP = 4096
_WORDS_IN_A_STEP = 1 << 14
_REPEATED = 2
"""A name that stands in a text so often has another place than its declaration."""
_TEXT = re.Match.group
_WORD = compiled_on_use(r"(?<![\w$%.])[A-Za-z_$%][\w$]*+", re.ASCII)
_OF_A_BODY = frozenset({SymbolKind.REGISTER, SymbolKind.VARIABLE, SymbolKind.LABEL})


def declares(function: Function, excused: re.Pattern[str]) -> bool:
    """Whether a function may declare what :func:`unused_in` can find: a look at a few scopes, not the outer one."""
    scopes = {segment.scope for segments in function.segments.values() for segment in segments if segment.inside}
    return len(scopes) > _FEW or any(one.parent is not None and _is_asked_about(one, excused) for one in scopes)


def _is_asked_about(scope: Scope, excused: re.Pattern[str]) -> bool:
    """Whether a scope may declare what must be mentioned."""
    names = scope.names
    return bool(scope.groups) or len(names) > _FEW or any(_counts(names[name], name, excused) for name in names)


def _counts(symbol: Symbol, name: str, excused: re.Pattern[str]) -> bool:
    """Whether a single name must be mentioned in the body that declares it."""
    return symbol.kind in _OF_A_BODY and symbol.is_definition and not excused.fullmatch(name)


def unused_in(sets: RegisterSets, excused: re.Pattern[str]) -> Iterator[Symbol | None]:
    """The declarations in a body that nothing in it mentions, but for names that are ``excused``, in their order.

    None is a pause.
    """
    names = _Mentioned(sets)
    yield from names.finding()
    function = sets.graph.function
    found: list[Symbol] = []
    doubtful: set[str] = set()
    for number, (scope, name, symbol) in enumerate(_declared(sets), 1):
        if not number % _NAMES_IN_A_STEP:
            yield None
        if symbol.count is not None:
            if symbol.place.chunk in function.segments and not names.has_member(name, scope):
                found.append(symbol)
        elif not names.has(name, scope) and _counts(symbol, name, excused):
            found.append(symbol)
            doubtful.add(name)
    elsewhere = yield from _repeated_words(function, doubtful)
    by_chunk: dict[Chunk | None, list[Symbol]] = {None: [], **{chunk: [] for chunk in function.chunks}}
    for symbol in found:
        if symbol.count is not None or symbol.name not in elsewhere:
            chunk = symbol.place.chunk
            by_chunk[chunk if chunk in by_chunk else None].append(symbol)
    for symbols in by_chunk.values():
        yield None
        yield from sorted(symbols, key=lambda one: (one.place.statement, one.place.token))


def _declared(sets: RegisterSets) -> Iterator[tuple[Scope, str, Symbol]]:
    """The numbered groups, by their prefixes, and the names that the blocks of a body declare."""
    for scope in sets.graph.registers.scopes:
        for table in (scope.groups, scope.names):
            for name, symbol in table.items():
                yield scope, name, symbol


class _Mentioned:
    """The names that the instructions of a function mention."""

    def __init__(self, sets: RegisterSets) -> None:
        self._graph = sets.graph
        self._function = sets.graph.function
        self._sets = sets
        self._all: set[str] = set()
        self._inner: set[str] = set()
        self._jumped_to: set[str] = set()
        self._prefixes: set[str] = set()
        self._inner_prefixes: set[str] = set()

    def finding(self) -> Iterator[None]:
        """Find them, in steps of a few milliseconds; to be called once."""
        outermost, nodes = self._function.scope, self._graph.nodes
        exposed, written = self._sets.exposed, self._sets.written
        for start in range(0, len(nodes), _NODES_IN_A_STEP):
            part = slice(start, start + _NODES_IN_A_STEP)
            self._all.update(*exposed[part], *written[part])
            inner = [node.number for node in nodes[part] if node.scope is not outermost]
            self._inner.update(*[exposed[number] for number in inner], *[written[number] for number in inner])
            self._jumped_to.update(*[node.piece.targets for node in nodes[part]])
            yield
        registers = self._graph.registers
        groups = {registers.own_key(prefix, scope) for scope in registers.scopes for prefix in scope.groups}
        yield
        self._prefixes = yield from _finding_groups(groups, self._all)
        self._inner_prefixes = yield from _finding_groups(groups, self._inner)

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


def _finding_groups(groups: set[str], keys: set[str]) -> Generator[None, None, set[str]]:
    """The groups of which some register is mentioned. Most groups have many, so that few keys are looked at."""
    missing = set(groups)
    left = Counter(map(name_of, groups))
    prefixes = _to_seek(left)
    for number, key in enumerate(keys, 1):
        if not missing:
            break
        if not number % _KEYS_IN_A_STEP:
            yield
        if key.startswith(prefixes):
            group = group_of(key)
            if group in missing:
                missing.remove(group)
                prefix = name_of(group)
                left[prefix] -= 1
                if not left[prefix]:
                    del left[prefix]
                    prefixes = _to_seek(left)
    return groups - missing


def _to_seek(left: Counter[str]) -> tuple[str, ...]:
    """The prefixes of some groups; of many one that all registers have, since a key is compared with each."""
    return tuple(left) if len(left) <= _FEW else ("",)


def _repeated_words(function: Function, names: set[str]) -> Generator[None, None, set[str]]:
    """Those of ``names`` that the function's text has beside their declaration: in initializers, lists of labels …"""
    counts: Counter[str] = Counter()
    for chunk in function.chunks if names else ():
        yield
        # To look for a few names takes much less time than to split a text into words.
        if len(names) > _FEW:
            words = _WORD().finditer(chunk.text)
            while part := [*map(_TEXT, islice(words, _WORDS_IN_A_STEP))]:
                counts.update(filter(names.__contains__, part))
                yield
            continue
        for name in names:
            if counts[name] < _REPEATED and name in chunk.text:
                whole = re.compile(rf"(?<![\w$%.]){re.escape(name)}(?![\w$])", re.ASCII)
                counts[name] += sum(1 for _ in islice(whole.finditer(chunk.text), _REPEATED))
                yield
    return {name for name, count in counts.items() if count >= _REPEATED}


def unused_globals(module: Module) -> Iterator[Symbol | None]:
    """Functions and variables that only this module can see, and that nothing in it mentions; None is a pause."""
    internal = module.derived(_InternalNames)
    yield from internal.finding(module)
    if not internal.names:
        return
    unused = yield from module.name_index.finding_unmentioned(internal.names, module.document.chunks)
    yield from (module.definitions[name] for name in sorted(unused, key=internal.order.__getitem__))


class _InternalNames:
    """The names that only their module can see, found anew when the module declares other things than before."""

    def __init__(self, module: Module) -> None:
        self._generation = module.generation - 1
        self.order: dict[str, int] = {}
        """The names, with their order."""
        self.names: frozenset[str] = frozenset()

    def finding(self, module: Module) -> Generator[None, None, None]:
        """Find the names of the module as it stands, in steps.

        There are none if no one else can run a function, or if they are many.
        """
        if self._generation != module.generation:
            found = yield from _internal_names(module)
            self.order = {name: number for number, name in enumerate(found)}
            self.names = frozenset(found)
            self._generation = module.generation


def _internal_names(module: Module) -> Generator[None, None, dict[str, None]]:
    names: dict[str, None] = {}
    for number, (name, symbol) in enumerate(module.definitions.items(), 1):
        if not number % _IN_A_STEP:
            yield
        if not name.startswith("%") and _is_internal(symbol):
            names[name] = None
            if len(names) > _MOST:
                return {}
    for number, symbol in enumerate(module.definitions.values() if names else (), 1):
        if not number % _IN_A_STEP:
            yield
        if _is_shown(symbol):
            return names
    return {}


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
