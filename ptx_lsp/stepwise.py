"""Work that is done in steps, so that an event loop can do other work between them."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def run_to_completion(steps: Generator[None, None, Result]) -> Result:
    """The value of a generator, with all its steps done at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
