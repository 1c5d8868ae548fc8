"""Processes that share the work of a run and never outlive it, however it ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, parent_process
from multiprocessing.connection import wait


@contextmanager
def workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes; whoever leaves it early, by an interrupt or an error, ends what they are doing."""
    executor = ProcessPoolExecutor(count, initializer=_begin)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            child.kill()
        raise
    executor.shutdown()


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Ctrl-C takes effect at the end of this; processes that are started in it are not interrupted at all."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Leave Ctrl-C, which a terminal sends to all its processes, to the process that started this one; end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
