"""The messages of the client, read ahead by a thread.

The thread starts after the response to ``initialize``. Until the event loop runs, messages wait here, and
``startup/first_findings`` looks at them without removing any; then all are delivered to the event loop, in order.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import BinaryIO

from ptx_lsp.server.transport.framing import BrokenStreamError, read_body

READ_AHEAD = 64
"""Number of messages that may wait in memory; further ones stay in the pipe."""

_SWITCH = 0.0005
"""Interpreter switch interval in seconds: the reading thread needs several switches per message."""


class Incoming:
    """The bodies of all messages from a stream; ``None`` after the last one.

    Args:
        source: the stream.

    """

    def __init__(self, source: BinaryIO) -> None:
        self.problem: str | None = None
        """Why the stream cannot be read any further; None if it has ended as it should."""
        self._source = source
        self._slots = threading.Semaphore(READ_AHEAD)
        self._lock = threading.Lock()
        self._waiting: deque[bytes | None] = deque()
        self._deliver: Callable[[bytes | None], object] | None = None

    def start(self) -> None:
        """Begin to read."""
        sys.setswitchinterval(_SWITCH)
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    def waiting(self, first: int) -> list[bytes]:
        """The bodies that wait, without the ``first`` ones."""
        with self._lock:
            return [body for body in list(self._waiting)[first:] if body is not None]

    def connect(self, deliver: Callable[[bytes | None], object]) -> None:
        """Deliver all messages, those that wait first.

        Args:
            deliver: called from several threads, but for one message at a time. It may raise ``RuntimeError`` when
                nothing takes messages any more.

        """
        with self._lock:
            while self._waiting:
                deliver(self._waiting.popleft())
            self._deliver = deliver

    def handled(self) -> None:
        """Make room for another message, after each one that was delivered."""
        self._slots.release()

    def end(self) -> None:
        """End as if the stream had ended."""
        with contextlib.suppress(RuntimeError):  # the event loop is closed: the server has stopped
            self._put(None)

    def _read(self) -> None:
        try:
            while (body := read_body(self._source)) is not None:
                self._slots.acquire()
                self._put(body)
        except (BrokenStreamError, OSError, ValueError) as error:
            self.problem = str(error)
        except RuntimeError:  # the event loop is closed: the server has stopped
            return
        self.end()

    def _put(self, body: bytes | None) -> None:
        with self._lock:
            if self._deliver is None:
                self._waiting.append(body)
            else:
                self._deliver(body)
