"""Answers that all documents of the process share, because they depend on no document, in tables of bounded size."""

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


class TextCache(ProcessCache[str, ValueT]):
    """A table of answers about texts, of which at most one is long: a single one can have megabytes.

    Args:
        most: how many answers it holds.
        longest: the characters of a text above which it is long; the table is emptied for it.

    """

    def __init__(self, most: int, longest: int) -> None:
        super().__init__(most)
        self._longest = longest

    def __setitem__(self, key: str, value: ValueT) -> None:
        """Remember an answer."""
        if len(key) > self._longest:
            self.clear()
        super().__setitem__(key, value)


class RecentlyUsed(dict[KeyT, ValueT]):
    """A table of answers that keeps those that were asked for last: when it is full, the others make room.

    It holds two generations. A new answer is put into the table itself; when ``most`` are in it, they become the former
    generation, whose answers come back when they are asked for, and the former one goes.

    Args:
        most: how many answers a generation holds.

    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._former: dict[KeyT, ValueT] = {}

    def __setitem__(self, key: KeyT, value: ValueT) -> None:
        """Remember an answer."""
        if len(self) >= self._most:
            self._former = dict(self)
            self.clear()
        super().__setitem__(key, value)

    def __missing__(self, key: KeyT) -> ValueT:
        """The answer of the former generation.

        Raises:
            KeyError: there is none.

        """
        value = self._former.pop(key)
        self[key] = value
        return value
