"""Counting the lines of Python that run: their number does not vary with the machine.

Work within C, such as a regular expression on a long text, is not counted: times show it (``benchmarks/run.py``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

_OUTSIDE = "<frozen importlib"
"""Code that searches for modules: how much depends on the folders of an installation."""


def steps(action: Callable[[], object]) -> int:
    """Lines run and functions entered, in all modules; a call of a C function counts once."""
    count = 0

    def within(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal count
        count += 1
        return within

    def enter(frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal count
        count += 1
        return None if frame.f_code.co_filename.startswith(_OUTSIDE) else within

    sys.settrace(enter)
    try:
        action()
    finally:
        sys.settrace(None)
    return count
