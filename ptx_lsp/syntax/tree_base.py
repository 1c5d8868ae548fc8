"""The common part of all builders of records: the statement's tokens, and the names that it uses."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator
from functools import partial
from itertools import repeat
from typing import Any

from ptx_lsp.stepwise import mapped
from ptx_lsp.syntax.terminals import Terminals
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Declarator, Operand, OperandKind

_DECLARATOR: Callable[[tuple[Any, ...]], Declarator] = partial(tuple.__new__, Declarator)
Children = list[Any]
"""Indices of terminals and results of other methods, in text order; literal marks of the grammar are omitted."""


class TreeBase:
    """Reduces by methods named after the rules of the grammar, and collects in ``uses`` the tokens of used names."""

    def __init__(
        self, word: Callable[[int], str], kind: Callable[[int], TokenKind], terminals: Terminals, whole: Terminals
    ) -> None:
        """Build what ``terminals`` are; ``whole`` are those of the statement, some of which may be left out.

        ``word`` and ``kind`` give the text and the kind of a token.
        """
        self.word = word
        self.kind = kind
        self.names = terminals.names
        self.firsts = terminals.firsts
        self._all_firsts = whole.firsts
        self.uses: list[int] = []
        self.first = self.last = 0
        """The range of tokens that is being reduced."""

    def __call__(self, origin: str, children: Children, first: int, last: int) -> Any:
        """Reduce by the rule ``origin``; satisfies :class:`ptx_lsp.syntax.automaton.parser.Reducer`."""
        self.first, self.last = self.firsts[first], self.firsts[last]
        return getattr(self, "_" + origin)(children)

    def _token(self, index: int) -> int:
        return self.firsts[index]

    def _word(self, index: int) -> str:
        return self.word(self.firsts[index])

    def _use(self, index: int) -> int:
        """Record a use of the name at terminal ``index`` and return its token."""
        token = self.firsts[index]
        if self._word(index) != "_":
            self.uses.append(token)
        return token

    def _all(self, children: Children) -> tuple[int, ...]:
        return tuple(self.firsts[child] for child in children)

    def _single(self, index: int) -> Operand:
        """The operand that consists of the name at terminal ``index``."""
        token = self.firsts[index]
        if self._word(index) == "_":
            return Operand(OperandKind.SINK, token, token + 1)
        self.uses.append(token)
        return Operand(OperandKind.NAME, token, token + 1, token)

    def _names_of(self, terminal: int) -> range:
        """The tokens of the names at ``terminal``, a NAMES."""
        first = self.firsts[terminal]
        return range(first, self._all_firsts[bisect_right(self._all_firsts, first)], 2)

    def _declarators_of(self, terminal: int) -> Generator[None, None, list[Declarator]]:
        """The names at ``terminal``, a NAMES, as they are declared, in steps."""
        # The constructor of a named tuple takes five times as long, and one list may have a hundred thousand names.
        fields = zip(self._names_of(terminal), repeat(-1), repeat(()), repeat(None))
        return (yield from mapped(_DECLARATOR, fields))

    def _list(self, terminal: int) -> Operand:
        """The RUN at ``terminal``."""
        return Operand(OperandKind.LIST, self.firsts[terminal], self.firsts[terminal + 1])
