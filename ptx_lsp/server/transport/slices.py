"""Long work on the event loop, cut into slices between which other messages have their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from time import perf_counter
from typing import TypeVar

SLICE = 0.006
"""Seconds of work before other messages get their turn. A step of the work takes some milliseconds itself."""

ResultT = TypeVar("ResultT")


async def _give_way() -> None:
    await asyncio.sleep(0)


async def in_slices(
    steps: Generator[None, None, ResultT], give_way: Callable[[], Awaitable[None]] = _give_way
) -> ResultT:
    """Run a generator to its end and answer its value; whoever waits for it can be cancelled between two slices.

    Args:
        steps: the work, in steps of a few milliseconds.
        give_way: waits between two slices until it may go on.

    """
    end = perf_counter() + SLICE
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            value: ResultT = stop.value
            return value
        if perf_counter() >= end:
            await give_way()
            end = perf_counter() + SLICE


class Pace:
    """Says when a loop over small things has to let others have their turn."""

    def __init__(self) -> None:
        self._end = perf_counter() + SLICE

    async def __call__(self) -> None:
        """Wait for others if the slice is over."""
        if perf_counter() >= self._end:
            await asyncio.sleep(0)
            self._end = perf_counter() + SLICE
