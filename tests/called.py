"""Counting function calls: their number does not vary with the machine."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable


def calls(action: Callable[[], object]) -> int:
    """The number of functions that are called, those of C included.

    The garbage collector is off meanwhile: what it closes, such as generators of earlier tests, calls functions too.
    """
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()
    sys.setprofile(counted)
    try:
        action()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count
