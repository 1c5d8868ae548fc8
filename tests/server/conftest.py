"""A server process for each test that asks for one, and its client."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.model.forks import Forks

from .forked import ForkedProcess

COMMAND = [sys.executable, "-m", "ptx_lsp.server.startup.boot", "--stdio"]
MODULE = ".version 8.0\n.target sm_90\n.address_size 64\n"
URI = "file:///nowhere/kernel.ptx"

PATIENCE = 60
"""Seconds; a server that a test waits for longer is killed, and the test fails."""

Message = dict[str, Any]


class RawClient:
    """Sends whatever it is told to, well-formed or not."""

    def __init__(self, command: Sequence[str] | ForkedProcess = COMMAND, **options: Any) -> None:
        pipe = subprocess.PIPE
        self.process = (
            command
            if isinstance(command, ForkedProcess)
            else subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, **options)
        )
        self.requests = 0
        self.patience = threading.Timer(PATIENCE, self.process.kill)
        self.patience.start()

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_body(self, body: bytes) -> None:
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def notify(self, method: str, params: object = None) -> None:
        self.send_body(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def ask(self, method: str, params: object = None) -> Message:
        """Send a request; its answer."""
        self.requests += 1
        number = self.requests
        self.request(number, method, params)
        return self.wait(lambda answer: answer.get("id") == number and "method" not in answer)

    def request(self, number: int, method: str, params: object = None) -> None:
        """Send a request and do not wait."""
        self.send_body(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())

    def answer(self, request: Message, result: object) -> None:
        """Answer a request of the server."""
        self.send_body(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode())

    def initialize(self, **params: object) -> Message:
        """Introduce the client; the server's result."""
        found = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}, **params})
        self.notify("initialized", {})
        return found["result"]

    def open(self, text: str, version: int = 1, uri: str = URI, language: str = "ptx") -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, version: int, *changes: Message, uri: str = URI) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def published(self, version: int | None) -> list[Message]:
        """The findings of the next publish for this version."""
        message = self.wait(
            lambda found: (
                found.get("method") == "textDocument/publishDiagnostics" and found["params"].get("version") == version
            )
        )
        return message["params"]["diagnostics"]

    def wait(self, wanted: Any) -> Message:
        while not wanted(message := self.read()):
            pass
        return message

    def read(self) -> Message:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server closed its output"
        return json.loads(self.process.stdout.read(length))

    def end(self) -> None:
        """Kill the server."""
        self.patience.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def leave(self) -> int:
        """``shutdown`` and ``exit``; the server's exit status."""
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(10)


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """The process that forks servers."""
    made = Forks()
    yield made
    made.close()


@pytest.fixture
def raw(request: pytest.FixtureRequest) -> Iterator[RawClient]:
    """A client of a server: of a fork, or of the real command where the test is about the process, or cannot fork."""
    starts = request.node.get_closest_marker("starts_process") is not None or sys.platform != "linux"
    client = RawClient() if starts else RawClient(ForkedProcess(request.getfixturevalue("forks")))
    yield client
    client.end()


def insertion(line: int, character: int, text: str) -> Message:
    """A change that inserts ``text``."""
    return replacement(line, character, line, character, text)


def replacement(line: int, character: int, end_line: int, end_character: int, text: str) -> Message:
    """A change that replaces a range by ``text``."""
    start = {"line": line, "character": character}
    return {"range": {"start": start, "end": {"line": end_line, "character": end_character}}, "text": text}


def child(process: int, words: str) -> int:
    """The ID of the child of a process whose command line has these words, from /proc."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    (found,) = [one for one in children if words in Path(f"/proc/{one}/cmdline").read_text().replace("\0", " ")]
    return int(found)


def kernel(*lines: str) -> str:
    """A module with one kernel around ``lines``; its body starts at line 6.

    What its statements do to each other does not count: registers without a value and the like.
    """
    declared = "{ .reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<16>;"
    header = MODULE.replace("\n", " // ptx-lsp: ignore-file[W62]\n", 1)
    return "\n".join([header + ".visible .entry kernel(", ")", declared, *lines, "ret;", "}", ""])
