"""The statements that some check may speak about, kept up to date edit by edit.

A chunk is examined again only when it, its surroundings or the names of the module that stand in it changed.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.surroundings import Surroundings
from ptx_lsp.analysis.statements.examine import Examiner
from ptx_lsp.syntax.chunk import Chunk


class _Flagged(NamedTuple):
    """The flagged statements of a chunk, and under which circumstances they were found."""

    surroundings: Hashable
    statements: list[int]


class FlaggedStatements:
    """The flagged statements of the chunks of a module.

    Args:
        module: the module.
        surroundings: what they depend on in the function of a chunk.

    """

    def __init__(self, module: Module, surroundings: Surroundings) -> None:
        self._module = module
        self._surroundings = surroundings
        self._examiner = Examiner(module)
        self._flagged: dict[Chunk, _Flagged] = {}

    def of(self, function: Function, chunk: Chunk) -> list[int]:
        """The flagged statements of a chunk, in order."""
        surroundings = self._surroundings.of(function, chunk)
        held = self._flagged.get(chunk)
        if held is None or held.surroundings != surroundings:
            held = self._flagged[chunk] = _Flagged(surroundings, self._examiner.statements(function, chunk))
        return held.statements

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
