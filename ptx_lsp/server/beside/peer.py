"""A language server that is a child process."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from queue import SimpleQueue
from typing import IO, Any

from ptx_lsp.server.beside.session_state import ServerState
from ptx_lsp.server.transport.framing import BrokenStreamError, encode, read_body

TIMES = 4
"""So often a server that ends by itself is started again within :data:`SECONDS`."""
SECONDS = 180.0


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
        self.state = ServerState()
        self.waiting: dict[Any, tuple[str, Callable[[Any, Any], None]]] = {}
        """The method of each request, and what its result or error is given to."""
        self._command = command
        self._received = received
        self._ends: list[float] = []
        """The times at which it has ended by itself."""
        self._held: list[dict[str, Any]] = []
        """Requests for a process that has not answered ``initialize`` yet."""
        self.is_ready = True
        """Whether it can have messages; False between a new start and its answer to ``initialize``."""
        self.is_initialized = False
        """Whether it has ever answered ``initialize``; one that has not is not started again."""
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.is_alive = True
        self._writer = MessageWriter(self.process.stdin)
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()

    def notify(self, message: dict[str, Any]) -> None:
        """Send a notification or an answer. One that the process can no longer read, or not yet, is dropped."""
        if self.is_alive and self.is_ready:
            self._writer.write(message)

    def ask(self, number: Any, method: str, params: Any, answer: Callable[[Any, Any], None]) -> None:
        """Send a request, as soon as the process is ready; ``answer`` gets its result and its error."""
        if not self.is_alive:
            answer(None, None)
            return
        self.waiting[number] = method, answer
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        if self.is_ready:
            self._writer.write(message)
        else:
            self._held.append(message)

    def end(self, seconds: float) -> None:
        """Close its input, and kill it if it runs on for so long."""
        self._writer.close()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def give_up(self) -> None:
        """Answer all requests without a result: the process has ended."""
        self.is_alive = False
        self._held = []
        waiting, self.waiting = self.waiting, {}
        for _, answer in waiting.values():
            answer(None, None)

    def start_again(self, number: Any, params: Any, told: Callable[[], Iterable[dict[str, Any]]]) -> bool:
        """Start a new process after the end of one; False if it cannot be started, or has ended too often.

        Args:
            number: an unused ID for its ``initialize``.
            params: the parameters of that.
            told: the notifications that it gets then, before all else.

        """
        now = time.monotonic()
        self._ends = [*(end for end in self._ends if end > now - SECONDS), now]
        if len(self._ends) > TIMES:
            return False
        self._writer.close(0)
        try:
            self._start()
        except OSError:
            return False

        def ready(*_: Any) -> None:
            if not self.is_alive:
                return
            self.is_ready = True
            held, self._held = self._held, []
            for message in chain(told(), held):
                self._writer.write(message)

        self.is_ready = True
        self.ask(number, "initialize", params, ready)
        self.is_ready = False
        return True

    def _read(self, source: IO[bytes]) -> None:
        try:
            while (body := read_body(source)) is not None:  # type: ignore[arg-type]
                try:
                    message = json.loads(body)
                except (ValueError, RecursionError):
                    continue
                if isinstance(message, dict):
                    self._received(self, message)
        except (OSError, BrokenStreamError):
            pass
        self._received(self, None)
