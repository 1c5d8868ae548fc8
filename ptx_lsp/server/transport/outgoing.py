"""The stream to the client, which does not block for ever once the client's input has ended.

A client that has closed its messages and waits for the server's exit may not read the rest of the output. With the pipe
full, a blocking write would then never return.
"""

from __future__ import annotations

import select
from time import monotonic
from typing import BinaryIO, Protocol

PATIENCE = 5.0
"""Seconds without any progress, after the end of the input, before the output is given up."""

_LOOK = 0.25
"""Seconds between two looks at the input while the output is blocked."""

_PIECE = 4096
"""Bytes that a pipe takes without blocking if it takes any: at least ``PIPE_BUF`` on Linux, and a page."""


class Sink(Protocol):
    """A stream of bytes."""

    def write(self, data: bytes, /) -> object:
        """Write all of ``data``."""

    def flush(self) -> object:
        """Send what is buffered."""


class Outgoing:
    """The server's messages to a client.

    Args:
        sink: the stream to write to, without a buffer.
        source: the stream of the client's messages, of which only the end of the other side is looked at.
        patience: seconds without progress after that.

    """

    def __init__(self, sink: BinaryIO, source: BinaryIO, patience: float = PATIENCE) -> None:
        self._sink = sink
        self._patience = patience
        self._is_given_up = False
        self._room: select.poll | None = None
        if hasattr(select, "poll"):  # not on Windows, where a write to a full pipe cannot be given up
            self._room, self._end = select.poll(), select.poll()
            self._room.register(sink.fileno(), select.POLLOUT)
            # The end of a pipe is always reported, that of one direction of a socket only on Linux.
            self._end.register(source.fileno(), getattr(select, "POLLRDHUP", 0))

    def write(self, data: bytes, /) -> None:
        """Send ``data``.

        Raises:
            OSError: the client has closed the stream, or has closed its messages and does not read.

        """
        rest = memoryview(data)
        while rest:
            if self._room is not None:
                self._wait_for_room(self._room)
            rest = rest[self._sink.write(rest[:_PIECE]) or 0 :]

    def flush(self) -> None:
        """Send what is buffered."""
        if not self._is_given_up:
            self._sink.flush()

    def _wait_for_room(self, room: select.poll) -> None:
        """Wait until the stream takes data."""
        end: float | None = None
        while not self._is_given_up and not room.poll(_LOOK * 1000):
            if self._end.poll(0):
                end = monotonic() + self._patience if end is None else end
                self._is_given_up = monotonic() >= end
        if self._is_given_up:
            raise TimeoutError("the client has closed its messages and does not read the answers")
