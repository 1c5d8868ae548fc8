"""Answers that all documents of the process share, because they depend on no document, in tables of bounded size."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")
ParametersT = ParamSpec("ParametersT")


class MemoizedFunctions:
    """The functions whose answers are kept.

    Each table has a bound, but together they may take as much memory as the documents, and after many edits most of the
    answers are about text that is gone.
    """

    def __init__(self) -> None:
        self._tables: list[_lru_cache_wrapper[Any]] = []

    def memoized(self, most: int) -> Callable[[Callable[ParametersT, ValueT]], Callable[ParametersT, ValueT]]:
        """Keep the answers of a function that were asked for last, as :func:`functools.lru_cache` does.

        Args:
            most: how many answers are kept.

        """

        def decorated(function: Callable[ParametersT, ValueT]) -> Callable[ParametersT, ValueT]:
            kept = lru_cache(most)(function)
            self._tables.append(kept)
            return cast("Callable[ParametersT, ValueT]", kept)

        return decorated

    def forget(self, most: int) -> None:
        """Forget all answers if they are more than some together; those that are asked for again are found again."""
        if sum(table.cache_info().currsize for table in self._tables) > most:
            for table in self._tables:
                table.cache_clear()


MEMOIZED = MemoizedFunctions()
memoized = MEMOIZED.memoized


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


class Bound:
    """The number of answers that some tables may hold together, however many tables there are.

    Args:
        most: how many answers may be new in all of them before all change generation.

    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._new = 0
        self._tables: WeakValueDictionary[int, RecentlyUsed[Any, Any]] = WeakValueDictionary()

    def take_in(self, table: RecentlyUsed[Any, Any]) -> None:
        """Bound one more table."""
        self._tables[id(table)] = table

    def count(self) -> None:
        """Count a new answer, for which others may have to make room."""
        if self._new >= self._most:
            for table in list(self._tables.values()):
                table.change_generation()
            self._new = 0
        self._new += 1


class RecentlyUsed(dict[KeyT, ValueT]):
    """A table of answers that keeps those that were asked for last: when it is full, the others make room.

    It holds two generations. A new answer is put into the table itself; when there are too many new ones, they become
    the former generation, whose answers come back when they are asked for, and the former one goes.

    Args:
        bound: when there are too many, in this table and others with the same bound.

    """

    def __init__(self, bound: Bound) -> None:
        super().__init__()
        self._bound = bound
        self._former: dict[KeyT, ValueT] = {}
        bound.take_in(self)

    def __setitem__(self, key: KeyT, value: ValueT) -> None:
        """Remember an answer."""
        self._bound.count()
        super().__setitem__(key, value)

    def __missing__(self, key: KeyT) -> ValueT:
        """The answer of the former generation.

        Raises:
            KeyError: there is none.

        """
        value = self._former.pop(key)
        self[key] = value
        return value

    def find(self, key: KeyT) -> ValueT | None:
        """The answer of either generation; None if there is none."""
        try:
            return self[key]
        except KeyError:
            return None

    def change_generation(self) -> None:
        """Keep the answers as the former generation, and forget those that were."""
        self._former = dict(self)
        self.clear()


class KeptByShape:
    """The answers about shapes, which are forgotten with them: kept any longer, they would hold the shapes."""

    def __init__(self) -> None:
        self._forgetting: list[Callable[[AbstractSet[int]], object]] = []

    def when_forgotten(self, forget: Callable[[AbstractSet[int]], object]) -> None:
        """Call a function whenever shapes have been forgotten, with the ids of those that are left."""
        self._forgetting.append(forget)

    def forget(self, left: AbstractSet[int]) -> None:
        """Forget the answers about other shapes than those that are left."""
        for forget in self._forgetting:
            forget(left)

    def answers(self, function: Callable[ParametersT, ValueT]) -> Callable[ParametersT, ValueT]:
        """Keep the answers of a function of a shape until shapes are forgotten."""
        kept = memoized(1 << 12)(function)
        self.when_forgotten(lambda _: cast(Any, kept).cache_clear())
        return kept


KEPT_BY_SHAPE = KeptByShape()
