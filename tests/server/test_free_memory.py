"""Memory that edits took goes back to the system."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from ptx_lsp.server.documents.free_memory import PAUSE, FreeMemory


def resident() -> int:
    """Bytes of this process that are in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="only the C library of Linux has such a function")
def test_memory_below_something_that_is_used_is_given_back() -> None:
    planned: list[Callable[[], None]] = []
    memory = FreeMemory(lambda seconds, action: planned.append(action) if seconds == PAUSE else None)
    pieces = [str(number) * 1000 for number in range(20_000)]
    kept = pieces[-1]
    taken = sum(map(len, pieces))
    before = resident()
    del pieces
    memory.give_back_soon()
    memory.give_back_soon()
    (give_back,) = planned
    give_back()
    assert before - resident() > taken // 2
    assert len(kept) == 5000
    memory.give_back_soon()
    assert len(planned) == 2
