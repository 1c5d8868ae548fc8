"""Memory that edits took and no longer need goes back to the system.

The C library of Linux keeps what is freed below something that is still used. After edits that change all of a long
text, that is several times what the text takes.

Source: malloc_trim(3), mallopt(3).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

PAUSE = 10.0
"""Seconds from an edit until memory is given back; this takes some milliseconds."""


class FreeMemory:
    """Gives memory back some time after edits.

    Args:
        call_later: calls its second argument after so many seconds.

    """

    def __init__(self, call_later: Callable[[float, Callable[[], None]], object]) -> None:
        self._call_later = call_later
        self._is_planned = False

    def give_back_soon(self) -> None:
        """Give memory back after a pause, once for all that ask meanwhile."""
        if not self._is_planned:
            self._is_planned = True
            self._call_later(PAUSE, self._give_back)

    def _give_back(self) -> None:
        self._is_planned = False
        trim = _trim()
        if trim is not None:
            trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """The C library's ``malloc_trim``; None if it has none."""
    if sys.platform != "linux":
        return None
    import ctypes  # imported late: only who edits needs it

    found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found
