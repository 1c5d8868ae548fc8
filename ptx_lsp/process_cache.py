"""Answers that all documents of the process share, because they depend on no document."""

from __future__ import annotations

from typing import TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class ProcessCache(dict[KeyT, ValueT]):
    """A table of answers that is emptied when it is full.

    For keys that several values make, where ``functools.cache`` would need them as arguments.

    Args:
        most: how many answers it holds.

    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: KeyT, value: ValueT) -> None:
        """Remember an answer."""
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)
