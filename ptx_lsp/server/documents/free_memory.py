"""Memory that edits took and no longer need goes back to the system.

Shapes that no statement has any more are forgotten once they are many, and so are kept answers. Objects that refer to
each other are free only after a collection of all objects. Edits leave few of them, and the collector's own rules come
to that after millions of edits. And the C library of Linux keeps what is freed below something that is still used.
After edits that change all of a long text, that is several times what the text takes.

Source: malloc_trim(3), mallopt(3); Python's documentation of ``gc``.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from functools import cache
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

from ptx_lsp.process_cache import MEMOIZED
from ptx_lsp.server.documents.round_robin import SLICE
from ptx_lsp.syntax.shape import SHAPES

if TYPE_CHECKING:
    from ctypes import CDLL

PAUSE = 10.0
"""Seconds from an edit until memory is given back."""
QUIET = 1.0
"""Seconds without a message before it: it can take some tens of milliseconds."""
LATEST = 60.0
"""Seconds after which it is given back although messages keep arriving."""
_MOST = 150_000
"""Objects that are collected; of more only those that are made from now on, as a collection would take too long."""
_MOST_ANSWERS = 1 << 14
"""Answers of memoized functions that are kept; more take several megabytes."""
_M_MMAP_THRESHOLD = -3
_LARGE = 1 << 20
"""Bytes of a block that is large."""


class FreeMemory:
    """Frees the memory of closed documents, and gives memory back some time after edits.

    Args:
        call_soon: calls its argument after the messages that already wait.
        call_later: calls its second argument after so many seconds.
        last_message: the arrival time of the client's last message, by the monotonic clock.

    """

    def __init__(
        self,
        call_soon: Callable[[Callable[[], None]], object],
        call_later: Callable[[float, Callable[[], None]], object],
        last_message: Callable[[], float],
    ) -> None:
        self._call_soon = call_soon
        self._call_later = call_later
        self._last_message = last_message
        self._is_planned = False
        self._latest = 0.0

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
            self._latest = monotonic() + LATEST
            self._call_later(PAUSE, self._give_back)

    def _give_back(self) -> None:
        now = monotonic()
        if now < self._last_message() + QUIET and now < self._latest:
            self._call_later(QUIET, self._give_back)
            return
        self._is_planned = False
        SHAPES.forget_unused(in_pause=True)
        MEMOIZED.forget(_MOST_ANSWERS)
        _collect()
        _give_heap_back()


def _collect() -> None:
    """Collect all objects but those that were frozen, unless a document is being read."""
    if not gc.isenabled():
        return
    if len(gc.get_objects()) > _MOST:
        gc.freeze()
    else:
        gc.collect()


def return_large_blocks() -> None:
    """Let each large block of memory go back to the system as soon as it is free.

    The C library of Linux does so at first. Once such a block was freed, it takes others of its size from its heap,
    where those that are used keep the free ones between them.
    """
    library = _c_library()
    if library is not None and hasattr(library, "mallopt"):
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)


def _give_heap_back() -> None:
    """Give the free pages of the C library's heap back."""
    library = _c_library()
    if library is not None and hasattr(library, "malloc_trim"):
        library.malloc_trim(0)


@cache
def _c_library() -> CDLL | None:
    if sys.platform != "linux":
        return None
    from ctypes import CDLL  # imported late: only who edits needs it

    return CDLL(None)
