"""A client of the language server over standard input and output: it sends, waits and takes the time."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.speed.processes import ENVIRONMENT, ROOT, memory, processor_time, work

Message = dict[str, Any]

CAPABILITIES: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "window": {"workDoneProgress": True},
}
_A_REST = 0.3
_TICKS_AT_REST = 0.015
"""A server that has run less than that during a rest is idle."""


class Client:
    """A server that was just started, and the connection to it."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        command = [sys.executable, "-m", "ptx_lsp.server.startup.boot", "--stdio"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._requests = 0
        self.arrived = 0.0
        """When the last message had come, before it was parsed: our parser is slower than an editor's."""
        self.progress = ""
        """The last kind of progress that the server has reported: ``begin``, ``report``, ``end``."""

    def notify(self, method: str, params: Message) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Message | None) -> Message:
        """Send a request and wait for its answer."""
        self._requests += 1
        number = self._requests
        self._send({"id": number, "method": method, "params": params})
        answer = self.wait(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer

    def wait(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted; others are dropped."""
        while not wanted(message := self._read()):
            pass
        return message

    def diagnostics(self, version: int) -> Message:
        """The next publish for at least this version."""
        return self.wait(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"].get("version", -1) >= version
            )
        )

    def memory(self) -> float:
        """Memory of the server in MB."""
        return memory(self._process.pid)

    def work(self) -> float:
        """Seconds that the event loop of the server has run: without the time in which others had the processor."""
        return work(self._process.pid)

    def wait_until_idle(self) -> None:
        """Return when the server has nothing more to do."""
        before = -1.0
        while (now := processor_time(self._process.pid)) - before > _TICKS_AT_REST:
            before = now
            time.sleep(_A_REST)

    def stop(self) -> int:
        """Shut the server down; its exit status."""
        self.request("shutdown", None)
        self._send({"method": "exit"})
        return self._process.wait(10)

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._to.flush()

    def _read(self) -> Message:
        length = 0
        while (line := self._from.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the server has closed its output")
        body = self._from.read(length)
        self.arrived = time.perf_counter()
        message: Message = json.loads(body)
        if message.get("method") == "$/progress":
            self.progress = message["params"]["value"]["kind"]
        return message
