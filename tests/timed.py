"""Processor time of an action, for ratios: one second is another amount of work on each machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def cpu_seconds(action: Callable[[], object]) -> float:
    """The processor time of an action in seconds.

    The garbage collector is off meanwhile: it would look through all that earlier tests have left.
    """
    gc.disable()
    begin = time.process_time()
    try:
        action()
        return time.process_time() - begin
    finally:
        gc.enable()
