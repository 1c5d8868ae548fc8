"""Workspaces that go wrong while they are read, and servers for them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.server.conftest import COMMAND, MODULE, Message, RawClient

STATEMENT = "add.s32 %r1, %r2, %r3;\n"

Start = Callable[..., RawClient]


def function(name: str, statements: int = 0) -> str:
    """A module with one function."""
    return f"{MODULE}.visible .func {name}()\n{{\n.reg .b32 %r<4>;\n{STATEMENT * statements}ret;\n}}\n"


def fill(folder: Path, count: int, statements: int = 4_000) -> None:
    """Write files that a process of its own reads, each with one function ``f0``, ``f1`` …"""
    for number in range(count):
        (folder / f"{number}.ptx").write_text(function(f"f{number}", statements))


def found(client: RawClient, query: str = "") -> list[str]:
    """The names that ``workspace/symbol`` finds, sorted."""
    return sorted(one["name"] for one in client.ask("workspace/symbol", {"query": query})["result"])


def complete(client: RawClient, expected: list[str], query: str = "") -> None:
    """Wait until exactly these names are found; a test that waits too long is ended by its client."""
    while found(client, query) != sorted(expected):
        sleep(0.1)


def children(process: int) -> list[int]:
    """The processes that a process has started and that have not ended."""
    numbers: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            numbers += map(int, (task / "children").read_text().split())
    return [number for number in numbers if is_alive(number)]


def is_alive(process: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def reading_process(client: RawClient) -> int:
    """The process that reads the workspace for a server, once it has been started."""
    while not (started := children(client.process.pid)):
        assert client.process.poll() is None, "the server has ended"
        sleep(0.005)
    return started[0]


@pytest.fixture(autouse=True)
def _interrupts_are_not_ignored() -> Iterator[None]:
    """A shell starts what runs in the background with SIGINT ignored, and processes inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a server on a folder; ``patch`` is Python code that runs in it first."""
    clients: list[RawClient] = []

    def start(folder: Path, patch: str = "", capabilities: Message | None = None, **options: Any) -> RawClient:
        code = f"{patch}\nimport sys; from ptx_lsp.server.startup.boot import main; sys.exit(main(['--stdio']))"
        client = RawClient([sys.executable, "-c", code] if patch else COMMAND, **options)
        clients.append(client)
        workspace = [{"uri": folder.as_uri(), "name": folder.name}]
        client.initialize(workspaceFolders=workspace, capabilities=capabilities or {})
        return client

    yield start
    for client in clients:
        client.end()
