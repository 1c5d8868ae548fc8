"""Exit of the server with its parent process.

The end of the input has the same effect, unless another process holds the other end of the pipe.

Source: LSP specification, "Initialize Request", ``processId``.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable
from time import sleep

PACE = 3.0
"""Seconds between two polls of a process, on systems without a notification of its exit."""
_GRACE = 3.0
"""Seconds for an orderly exit before the process is terminated."""


def exit_with(process: object, stop: Callable[[], None]) -> None:
    """Call ``stop`` from another thread when the process with this ID has exited.

    An ID without a process is ignored: the client runs in another container or on another machine. If the server still
    runs after the grace period, blocked on an output that has no reader, the process is terminated.
    """

    def watch(number: int) -> None:
        if wait_for_end(number):
            stop()
            sleep(_GRACE)
            os._exit(1)

    if isinstance(process, int) and not isinstance(process, bool) and process > 0:
        threading.Thread(target=watch, args=(process,), name="parent", daemon=True).start()


def wait_for_end(process: int) -> bool:
    """Wait until a process has exited; False, without waiting, if it does not exist or cannot be watched."""
    if sys.platform == "win32":
        return _wait_for_handle(process)
    if hasattr(os, "pidfd_open"):  # Linux
        try:
            number = os.pidfd_open(process)
        except (ProcessLookupError, OverflowError):
            return False
        except OSError:  # an old kernel
            return poll(process)
        with os.fdopen(number, "rb") as file:
            select.select([file], [], [])
        return True
    return poll(process)


def poll(process: int) -> bool:
    """Wait until a process has exited, by polling; not for Windows, where signal 0 would end the process."""
    if not _is_alive(process):
        return False
    while _is_alive(process):
        sleep(PACE)
    return True


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:  # of another user
        return True
    except (OSError, OverflowError):
        return False
    return True


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _SYNCHRONIZE, _INFINITE, _SIGNALLED = 0x00100000, 0xFFFFFFFF, 0

    def _wait_for_handle(process: int) -> bool:
        """Wait on Windows, where a process ID is not reused as long as a handle is open."""
        kernel = ctypes.WinDLL("kernel32")
        kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
        kernel.OpenProcess.restype = wintypes.HANDLE
        kernel.WaitForSingleObject.argtypes = (wintypes.HANDLE, wintypes.DWORD)
        kernel.WaitForSingleObject.restype = wintypes.DWORD
        if process >> 32:
            return False
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, process)
        return bool(handle) and kernel.WaitForSingleObject(handle, _INFINITE) == _SIGNALLED
