"""Reliable Ctrl-C.

Python prints and drops an exception that is raised in a destructor or in a callback of a weak reference; a
``KeyboardInterrupt`` raised there would be lost, and the run would continue.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

_AGAIN = 0.5
"""Seconds after which a run that has not stopped is interrupted again."""


def end_at_interrupt() -> None:
    """Let the operating system end this process at SIGINT, as it does at SIGTERM: a server has nothing to clean up.

    If SIGINT is ignored, it stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def repeat_interrupts() -> None:
    """Repeat the interrupt of this process after the first SIGINT, and do not print those that are lost.

    If SIGINT is ignored, as for a shell's background process, it stays ignored.
    """
    if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGALRM, _interrupt)
    sys.unraisablehook = _print_others


def cancel_repeats() -> None:
    """Stop the repetition: the interrupt has taken effect."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    raise KeyboardInterrupt


def _print_others(lost: sys.UnraisableHookArgs) -> None:
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
