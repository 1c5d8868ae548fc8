"""The client's end of a connection: counts answers, answers the server's requests, and keeps what was published."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import select
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from time import monotonic
from typing import IO, Any, NamedTuple

from ptx_lsp.server.transport.framing import frame, read_body

from .forks import ROOT, Forks, Plan

Message = dict[str, Any]

COMMAND = [sys.executable, "-m", "ptx_lsp.server.startup.boot", "--stdio"]
PATIENCE = 60.0
"""Seconds without any message after which a request counts as unanswered."""
_LAST_WORDS = 10.0
"""Seconds for a server to end after its input."""

_EXPECTED_LINES = re.compile(
    r"ptx-lsp: (?:WARNING|ERROR): (?:"
    r"a change of .* was dropped: it is not open"
    r"|a message for (?:'.*'|None) was dropped, its parameters are invalid: .*"
    r"|the editor did not send its settings"
    r"|Ignoring notification for unknown method .*"
    r")"
)
"""Lines of the server's log that messages of a client that breaks the protocol explain."""


class FailureError(Exception):
    """The server broke a promise.

    Args:
        kind: which one, in a few words; shrinking keeps it.
        detail: the evidence.

    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


class Answered(NamedTuple):
    """A request with its answer."""

    request: Message
    answer: Message
    sent_at: int
    """The client's clock when it was sent: the number of messages sent before."""
    answered_at: int


class Client:
    """One connection to a server process.

    Args:
        forks: the process that forks servers; None starts the real command.
        plan: the course of a forked server.
        respond: the result of a request of the server, as a message without an id.
        holds: whether requests of the server are answered only while :meth:`wait` waits.
        names: a placeholder in the client's messages, and the text for it on the wire.

    """

    def __init__(
        self,
        forks: Forks | None,
        plan: Plan,
        respond: Callable[[str, Any], Message],
        *,
        holds: bool = False,
        names: tuple[str, str] = ("\0", "\0"),
    ) -> None:
        self.clock = 0
        """Number of messages sent."""
        self.pending: dict[int | str, tuple[Message, int]] = {}
        """Requests without an answer."""
        self.answers: dict[int | str, Answered] = {}
        self.published: dict[str, Message] = {}
        """The last parameters of ``publishDiagnostics`` by document."""
        self.published_count = 0
        self.shown: list[str] = []
        self._respond = respond
        self._holds = holds
        self._held: list[Message] = []
        self._names = [name.encode() for name in names]
        self._queue: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._has_ended = False
        self._numbers = 0
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the client
        self._process: subprocess.Popen[bytes] | None = None
        self._status: int | None = None
        self._input, self._output = self._start(forks, plan)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _start(self, forks: Forks | None, plan: Plan) -> tuple[IO[bytes], IO[bytes]]:
        if forks is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(COMMAND, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=self._errors)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            return self._process.stdin, self._process.stdout
        (their_input, ours), (output, their_output) = os.pipe(), os.pipe()
        errors = os.dup(self._errors.fileno())
        self._status = forks.start(plan, (their_input, their_output, errors)).status
        return os.fdopen(ours, "wb"), os.fdopen(output, "rb")

    @property
    def pid(self) -> int:
        """The process of the real command."""
        assert self._process is not None
        return self._process.pid

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._output:
            while (body := read_body(self._output)) is not None:
                self._queue.put(json.loads(body.replace(self._names[1], self._names[0])))
        self._queue.put(None)

    # ------------------------------------------------------------------ sending

    def number(self) -> int:
        """A new id of a request."""
        self._numbers += 1
        return self._numbers

    def send(self, message: Message | bytes) -> None:
        """Send a message, or a body that is none."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        if isinstance(message, dict) and "id" in message and "method" in message:
            self.pending[message["id"]] = message, self.clock
            if isinstance(message["id"], int):
                self._numbers = max(self._numbers, message["id"])
        self.clock += 1
        try:
            self._input.write(frame(body.replace(*self._names)))
            self._input.flush()
        except OSError as error:
            self.drain()
            raise FailureError("the server has ended", f"{error}\n{self.error_text()}") from error

    def notify(self, method: str, **params: object) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object) -> Message:
        """Send a request and wait; its answer."""
        number = self.number()
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self.wait(lambda: number in self.answers)
        return self.answers.pop(number).answer

    def result(self, method: str, params: object) -> Any:
        """Send a request and wait; its result, which must not be an error."""
        answer = self.ask(method, params)
        if "error" in answer:
            raise FailureError(f"{method} failed", json.dumps(answer["error"]))
        return answer["result"]

    # ------------------------------------------------------------------ receiving

    def drain(self) -> None:
        """Handle all messages that have arrived."""
        while not self._queue.empty():
            self._handle(self._queue.get())

    def wait(self, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Handle messages until ``condition`` holds."""
        end = monotonic() + patience
        while not condition():
            while self._held:
                self._answer(self._held.pop(0))
            try:
                self._handle(self._queue.get(timeout=max(0.0, end - monotonic())))
            except queue.Empty:
                waiting = [message for message, _ in self.pending.values()]
                raise FailureError("unanswered", json.dumps(waiting)[:2000]) from None

    def wait_for_all(self) -> None:
        """Wait for the answers to all requests."""
        self.wait(lambda: not self.pending)

    def _handle(self, message: Message | None) -> None:
        if message is None:
            if not self._has_ended:
                self._has_ended = True
                raise FailureError("the server has ended", self.error_text())
            return
        method, number = message.get("method"), message.get("id")
        if method is None:
            self._answered(number, message)
        elif number is not None:
            self._held.append(message)
            if not self._holds:
                self._answer(self._held.pop(0))
        elif method == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
            self.published_count += 1
        elif method == "window/showMessage":
            self.shown.append(message["params"]["message"])
        elif method == "window/logMessage":
            text = message["params"]["message"]
            if not _EXPECTED_LINES.fullmatch(f"ptx-lsp: ERROR: {text.partition(chr(10))[0]}"):
                raise FailureError("an error was logged", text)

    def _answer(self, request: Message) -> None:
        answer = self._respond(request["method"], request.get("params"))
        self.send({"jsonrpc": "2.0", "id": request["id"], **answer})

    def _answered(self, number: Any, message: Message) -> None:
        if number is None:
            return  # the answer to a body that is no message
        request, sent_at = self.pending.pop(number, (None, 0))
        if request is None:
            raise FailureError("answered twice", json.dumps(message)[:2000])
        if message.get("error", {}).get("code") == -32603:
            raise FailureError(f"internal error, {request['method']}", json.dumps([message["error"], request])[:6000])
        if ("result" in message) == ("error" in message):
            raise FailureError("neither result nor error", json.dumps(message)[:2000])
        self.answers[number] = Answered(request, message, sent_at, self.clock)

    # ------------------------------------------------------------------ the end

    def error_text(self) -> str:
        """The server's error output."""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def check_errors(self) -> None:
        """Fail if the server wrote something unexpected to its error output."""
        for line in self.error_text().splitlines():
            if line and not _EXPECTED_LINES.fullmatch(line):
                raise FailureError("error output", self.error_text()[:6000])

    def leave(self, *, is_orderly: bool = True) -> None:
        """``shutdown`` and ``exit``; fails unless the exit status is 0."""
        if is_orderly:
            self.ask("shutdown", None)
            self._has_ended = True
            self.notify("exit")
            status = self._exit_status()
            if status != 0:
                raise FailureError("exit status", f"{status}\n{self.error_text()}")
            self.check_errors()
        self._has_ended = True
        with contextlib.suppress(OSError):
            self._input.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._reader.join(_LAST_WORDS)
        if self._status is not None:
            os.close(self._status)
        self._errors.close()

    def _exit_status(self) -> int | None:
        """The exit status; None if the process was killed or does not end."""
        if self._process is not None:
            return self._process.wait(PATIENCE)
        assert self._status is not None
        if not select.select([self._status], [], [], PATIENCE)[0]:
            return None
        data = os.read(self._status, 16)
        return int(data) if data else None
