"""Memory that edits took and no longer need goes back to the system.

The C library of Linux keeps what is freed below something that is still used. After edits that change all of a long
text, that is several times what the text takes.

Source: malloc_trim(3), mallopt(3).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from time import perf_counter

from ptx_lsp.server.documents.round_robin import SLICE

PAUSE = 10.0
"""Seconds from an edit until memory is given back; this takes some milliseconds."""


class FreeMemory:
    """Frees the memory of closed documents, and gives memory back some time after edits.

    Args:
        call_soon: calls its argument after the messages that already wait.
        call_later: calls its second argument after so many seconds.

    """

    def __init__(
        self,
        call_soon: Callable[[Callable[[], None]], object],
        call_later: Callable[[float, Callable[[], None]], object],
    ) -> None:
        self._call_soon = call_soon
        self._call_later = call_later
        self._is_planned = False

    def free(self, closing: Iterator[None]) -> None:
        """Free the memory of a closed document, whose steps these are, in time slices."""
        end = perf_counter() + SLICE
        for _ in closing:
            if perf_counter() >= end:
                self._call_soon(lambda: self.free(closing))
                return
        self.give_back_soon()

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
