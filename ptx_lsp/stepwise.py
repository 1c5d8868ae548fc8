"""Computations in steps: generators that yield so that an event loop can run other work in between."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def run_to_completion(steps: Generator[None, None, Result]) -> Result:
    """Run a generator to its end and return its value."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
