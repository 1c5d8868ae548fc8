"""The statements that some check may speak about, kept up to date edit by edit.

A chunk is examined again only when it, its function or the names visible in it changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.examine import Examiner
from ptx_lsp.analysis.symbols.scopes import outside_in
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.syntax.chunk import Chunk

_REMEMBERED_ENVIRONMENTS = 1 << 14


class _Flagged(NamedTuple):
    """The flagged statements of a chunk, and under which circumstances they were found."""

    function: Function
    key: object
    """The segments with their environments: an equal one gives the same answer in another scan of the function."""
    statements: list[int]


class FlaggedStatements:
    """The flagged statements of the chunks of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._examiner = Examiner(module)
        self._flagged: dict[Chunk, _Flagged] = {}
        self._environments: dict[object, int] = {}
        self._numbers = count(1)

    def of(self, function: Function, chunk: Chunk) -> list[int]:
        """The flagged statements of a chunk, in order."""
        held = self._flagged.get(chunk)
        if held is not None and held.function is function:
            return held.statements
        places = tuple((start, end, self._environment(scope)) for start, end, scope, _ in function.segments[chunk])
        # Where something is declared after instructions, it also counts on which side of them this chunk lies.
        key = places if not function.late else object()
        is_same = held is not None and held.key == key
        found = held.statements if held is not None and is_same else self._examiner.statements(function, chunk)
        self._flagged[chunk] = _Flagged(function, key, found)
        return found

    def _environment(self, scope: Scope) -> int:
        """A number that two scopes share if the same names mean the same in them (the module's aside)."""
        if len(self._environments) > _REMEMBERED_ENVIRONMENTS:
            self._environments.clear()
            self._flagged.clear()
        for around in outside_in(scope, lambda one: one.environment is None):
            if around is self._module.globals:
                around.environment = 0
                continue
            content = (
                around.parent.environment if around.parent is not None else 0,
                frozenset(symbol.meaning for symbol in around.names.values()),
                frozenset(symbol.meaning for symbol in around.groups.values()),
            )
            around.environment = self._environments.setdefault(content, next(self._numbers))
        return scope.environment or 0

    def forget(self, chunks: Iterable[Chunk]) -> None:
        """Some chunks are gone."""
        for chunk in chunks:
            self._flagged.pop(chunk, None)

    def forget_users(self, names: frozenset[str]) -> None:
        """The module declares other things by some names: forget the chunks in which one of them stands as a word."""
        if not names or not self._flagged:
            return
        escaped = map(re.escape, names)
        # The literal comes first, so that the engine skips to it; digits may follow the name of a group.
        as_words = re.compile("|".join(rf"{name}(?<![\w$]{name})\d*+(?![\w$])" for name in escaped)).search
        for chunk in list(self._flagged):
            text = chunk.text
            if any(name in text for name in names) and as_words(text):
                del self._flagged[chunk]

    def forget_all(self) -> None:
        """Prefixes of registers mean other things anywhere."""
        self._flagged.clear()

    def clear(self) -> None:
        """The version, the target or the texture mode is another."""
        self._flagged.clear()
        self._examiner = Examiner(self._module)
