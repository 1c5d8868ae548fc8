"""Long work on the event loop, in time slices between which other messages are handled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from time import perf_counter
from typing import Any, TypeVar

from ptx_lsp.server.transport.slow_slices import note_slice

SLICE = 0.006
"""Time slice in seconds; a single step of the work may take some milliseconds longer."""

ResultT = TypeVar("ResultT")


async def _yield_to_loop() -> None:
    await asyncio.sleep(0)


async def in_slices(
    steps: Generator[None, None, ResultT], yield_control: Callable[[], Awaitable[None]] = _yield_to_loop
) -> ResultT:
    """Run a generator to its end and return its value; can be cancelled between two slices.

    Args:
        steps: the work, in steps of a few milliseconds.
        yield_control: awaited between two slices.

    """
    begin = perf_counter()
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            note_slice(steps, begin)
            value: ResultT = stop.value
            return value
        if perf_counter() >= begin + SLICE:
            note_slice(steps, begin)
            await yield_control()
            begin = perf_counter()


def at_once_or_later(steps: Generator[None, None, ResultT]) -> ResultT | Coroutine[Any, Any, ResultT]:
    """The value of a generator if it ends within a time slice, so that an answer need not wait; else a coroutine."""
    end = perf_counter() + SLICE
    while perf_counter() < end:
        try:
            next(steps)
        except StopIteration as stop:
            value: ResultT = stop.value
            return value
    return in_slices(steps)


class Pace:
    """Yields to the event loop when the time slice is used up; for loops with short iterations."""

    def __init__(self) -> None:
        self._end = perf_counter() + SLICE

    async def __call__(self) -> None:
        """Yield if the time slice is used up."""
        if perf_counter() >= self._end:
            await asyncio.sleep(0)
            self._end = perf_counter() + SLICE
