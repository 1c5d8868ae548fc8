"""A language server that is a child process."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from ptx_lsp.server.transport.framing import BrokenStreamError, encode, read_body


class MessageWriter:
    """Writes messages in a thread: a slow reader does not delay the other connections.

    Args:
        sink: the stream.

    """

    def __init__(self, sink: IO[bytes]) -> None:
        self._sink = sink
        self._waiting: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def write(self, message: dict[str, Any]) -> None:
        """Send a message; it is dropped if the stream is closed."""
        self._waiting.put(message)

    def close(self, seconds: float = 1.0) -> None:
        """Send what waits, and close the stream."""
        self._waiting.put(None)
        self._thread.join(seconds)

    def _write(self) -> None:
        with suppress(OSError, ValueError):
            while (message := self._waiting.get()) is not None:
                self._sink.write(encode(message))
                self._sink.flush()
        with suppress(OSError):
            self._sink.close()


class Peer:
    """A server: its process, and the requests that it has not answered.

    Args:
        name: how it is called in messages.
        command: the command that starts it.
        received: called with each of its messages, and with None when it has ended; from a thread of its own.

    Raises:
        OSError: the command cannot be started.

    """

    def __init__(self, name: str, command: Sequence[str], received: Callable[[Peer, Any], None]) -> None:
        self.name = name
        self.is_alive = True
        self.waiting: dict[Any, tuple[str, Callable[[Any, Any], None]]] = {}
        """The method of each request, and what its result or error is given to."""
        self._received = received
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._writer = MessageWriter(self.process.stdin)
        self._source: Any = self.process.stdout
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; one that it can no longer read is dropped."""
        self._writer.write(message)

    def end(self, seconds: float) -> None:
        """Close its input, and kill it if it runs on for so long."""
        self._writer.close()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def ask(self, number: Any, method: str, params: Any, answer: Callable[[Any, Any], None]) -> None:
        """Send a request; ``answer`` gets its result and its error."""
        if not self.is_alive:
            answer(None, None)
            return
        self.waiting[number] = method, answer
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def _read(self) -> None:
        try:
            while (body := read_body(self._source)) is not None:
                try:
                    message = json.loads(body)
                except (ValueError, RecursionError):
                    continue
                if isinstance(message, dict):
                    self._received(self, message)
        except (OSError, BrokenStreamError):
            pass
        self._received(self, None)
