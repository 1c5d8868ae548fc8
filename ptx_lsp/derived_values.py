"""Objects that keep what is derived from them, so that no table of the process has to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar

DerivedT = TypeVar("DerivedT")


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

    def forget_derived(self) -> None:
        """Give up all derived values."""
        self._derived = {}
