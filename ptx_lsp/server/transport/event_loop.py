"""Callbacks on the event loop whose exceptions are logged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import perf_counter

from ptx_lsp.server.transport.slow_slices import note_slice

log = logging.getLogger(__name__)


def call_soon(action: Callable[[], None]) -> None:
    """Call ``action`` after the messages that already wait."""
    asyncio.get_running_loop().call_soon(_guarded, action)


def call_later(seconds: float, action: Callable[[], None]) -> asyncio.TimerHandle:
    """Call ``action`` after ``seconds``."""
    return asyncio.get_running_loop().call_later(seconds, _guarded, action)


def _guarded(action: Callable[[], None]) -> None:
    begin = perf_counter()
    try:
        action()
    except Exception:
        log.exception("internal error; the server continues")
    note_slice(action, begin)
