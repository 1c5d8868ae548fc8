"""Ctrl-C that takes effect wherever it comes.

Python prints and drops an exception that is raised in a destructor or in a callback of a weak reference; a
``KeyboardInterrupt`` that comes there would be lost, and the run would go on.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

_AGAIN = 0.5
"""Seconds after which a run that has not ended is interrupted again."""


def insist() -> None:
    """Interrupt this process again and again after the first SIGINT, and print nothing of those that are lost.

    Whoever started it with SIGINT ignored, as a shell does in the background, meant that.
    """
    if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGALRM, _interrupt)
    sys.unraisablehook = _print_others


def settle() -> None:
    """The interrupt has taken effect."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    raise KeyboardInterrupt


def _print_others(lost: sys.UnraisableHookArgs) -> None:
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
