"""Log entries, at debug level, about work that kept the event loop busy for long: other messages waited meanwhile.

``PTX_LSP_LOG=debug`` in the environment of the server shows it on standard error.
"""

from __future__ import annotations

import logging
from time import perf_counter

log = logging.getLogger(__name__)

SLOW = 0.05
"""Seconds."""


def note_slice(cause: object, begin: float) -> None:
    """Log what has kept the loop busy since ``begin`` (by :func:`time.perf_counter`), if that was long.

    Args:
        cause: a function or generator, or words; it is only turned into words when it is logged.
        begin: when the slice began.

    """
    seconds = perf_counter() - begin
    if seconds > SLOW and log.isEnabledFor(logging.DEBUG):
        log.debug("the loop was busy for %.0f ms: %s", seconds * 1000, _words(cause))


def _words(cause: object) -> str:
    cause = getattr(cause, "func", cause)
    return str(getattr(cause, "__qualname__", cause))
