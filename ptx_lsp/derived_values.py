"""Objects that keep what is derived from them, so that no table of the process has to."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

DerivedT = TypeVar("DerivedT")
OwnerT = TypeVar("OwnerT")

_FORGOTTEN_AT_ONCE = 32
"""Objects whose derived values are given up between two pauses; those of a chunk can be thousands."""


class once(Generic[OwnerT, DerivedT]):  # noqa: N801 - a decorator, as property is
    """A property that is computed at its first use, as by ``functools.cached_property`` but without its lock.

    Before Python 3.12 the lock takes longer than what most properties compute. If two threads use the property for the
    first time at once, both compute it.
    """

    def __init__(self, make: Callable[[OwnerT], DerivedT]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    if TYPE_CHECKING:

        @overload
        def __get__(self, owner: None, kind: type[Any], /) -> Self: ...

        @overload
        def __get__(self, owner: OwnerT, kind: type[Any], /) -> DerivedT: ...

    def __get__(self, owner: OwnerT | None, kind: type[Any], /) -> Self | DerivedT:
        """The value, which from now on is an attribute of the owner and hides this object."""
        if owner is None:
            return self
        found = owner.__dict__[self._name] = self._make(owner)
        return found


class Deriving:
    """An object that other layers derive values from: each is made once and lives as long as the object.

    For objects that never change, or for values that say themselves of which state of the object they are.
    """

    __slots__ = ("_derived",)
    _derived: dict[Any, Any]

    def derived(self, make: Callable[[Self], DerivedT]) -> DerivedT:
        """``make(self)``, made at the first call; ``make`` is a function or class at module level."""
        try:
            values = self._derived
        except AttributeError:
            values = self._derived = {}
        try:
            found: DerivedT = values[make]
        except KeyError:
            found = values[make] = make(self)
        return found

    def deriving(
        self, make: Callable[[Self], DerivedT], steps: Generator[None, None, DerivedT]
    ) -> Generator[None, None, DerivedT]:
        """:meth:`derived`, made in the steps of a generator that gives what ``make`` does."""
        if not hasattr(self, "_derived"):
            self._derived = {}
        if make not in self._derived:
            self._derived[make] = yield from steps
        found: DerivedT = self._derived[make]
        return found

    def forget_derived(self) -> None:
        """Give up all derived values."""
        self._derived = {}


def forgetting(owners: Iterable[Deriving]) -> Generator[None, None, None]:
    """Give up what is derived from objects that are no longer needed, in steps of a few milliseconds.

    What is derived refers to its owner: without this, only a collection of all objects frees the memory of both.
    """
    for number, owner in enumerate(owners, 1):
        owner.forget_derived()
        if number % _FORGOTTEN_AT_ONCE == 0:
            yield
