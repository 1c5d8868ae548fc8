"""Derived values of what a comment swallowed, set aside until it is given back.

The document keeps chunks that a comment swallowed (:mod:`ptx_lsp.syntax.swallowed`). What is known of them is
true as long as the module declares what it declared when they were swallowed: its *state*.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Generic, TypeVar

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk

AsideKeyT = TypeVar("AsideKeyT", bound=Hashable)
AsideValueT = TypeVar("AsideValueT")


class Swallowing(NamedTuple):
    """The chunks that an edit swallowed or gave back, and the state of the module before and after it."""

    swallowed: frozenset[Chunk]
    given_back: frozenset[Chunk]
    before: object
    after: object


class SetAside(Generic[AsideKeyT, AsideValueT]):
    """Entries of a table that are set aside. They are given back, or forgotten when others are set aside."""

    def __init__(self) -> None:
        self._state: object = None
        self._entries: dict[AsideKeyT, AsideValueT] = {}

    def take(self, table: dict[AsideKeyT, AsideValueT], keys: Iterable[AsideKeyT], state: object = None) -> None:
        """Move the entries of some keys out of a table; they are true in this state of the module."""
        taken = {key: table.pop(key) for key in keys if key in table}
        if taken:
            self._state, self._entries = state, taken

    def give_back(self, table: dict[AsideKeyT, AsideValueT], keys: Collection[AsideKeyT], state: object = None) -> None:
        """Move the entries of some keys back, if the module is in the state in which they are true."""
        if self._entries and self._state == state:
            table.update((key, self._entries[key]) for key in keys if key in self._entries)
        self._entries = {}

    def clear(self) -> None:
        """Forget all entries."""
        self._entries = {}
