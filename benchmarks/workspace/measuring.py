"""The measurements in a workspace that a fresh server reads."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks import kept
from benchmarks.speed.client import Client
from benchmarks.speed.session import Session

QUERIES = ("", "k", "kernel", "gemm", "sort scan", "zzzz", "_Z", "copy", "reduce_kernel", "DeviceRadixSort")
"""Queries of ``workspace/symbol``: all names, one letter, names that occur often, once and never."""
_OPEN = "f10k.ptx"
_ROUNDS = 5
_BETWEEN_LOOKS = 2.0
"""Seconds between two looks at the memory."""


class Times(NamedTuple):
    """Seconds of several answers: until each arrived, and how long the event loop of the server ran meanwhile."""

    wall: list[float]
    work: list[float]


class WorkspaceFigures(NamedTuple):
    """Seconds, and MB of the server with its processes."""

    files: int
    megabytes: int
    reading: float
    """From the start of the server until all files are read."""
    while_reading: Times
    """From each keystroke to its findings, while the files are read."""
    after: Times
    """The same, after."""
    symbols: dict[str, Times]
    """The answers to each query of ``workspace/symbol``, after."""
    peak: float
    """While the files are read."""
    memory: float
    """After."""


def measure(folder: Path, files: int, megabytes: int) -> WorkspaceFigures:
    """Start a server, type while it reads, then measure the answers."""
    path = folder / "open.ptx"
    path.write_text(kept.read(_OPEN), encoding="utf-8")
    session = Session(path, folder)
    client = session.client
    client.request("textDocument/foldingRange", {"textDocument": {"uri": path.as_uri()}})  # it has started completely
    memory = [0.0]
    while_reading = _typed(session, lambda: _type_until_read(session, memory))
    reading = client.arrived - client.started
    client.wait_until_idle()
    memory.append(client.memory())
    after = _typed(session, lambda: session.type_digits(200) + session.type_statements(4))
    symbols = {query: Times([], []) for query in QUERIES}
    for _ in range(_ROUNDS):
        for query, times in symbols.items():
            _ask(client, query, times)
    client.stop()
    return WorkspaceFigures(files, megabytes, reading, while_reading, after, symbols, max(memory[:-1]), memory[-1])


def _typed(session: Session, type_: Callable[[], list[float]]) -> Times:
    before = len(session.work)
    return Times(type_(), session.work[before:])


def _type_until_read(session: Session, memory: list[float]) -> list[float]:
    """Type until the server has reported the end of its reading; looks at the memory from time to time."""
    keys: list[float] = []
    looked = 0.0
    while session.client.progress != "end":
        keys += session.type_digits(4) + session.type_statements(1)
        if time.perf_counter() - looked > _BETWEEN_LOOKS:
            looked = time.perf_counter()
            memory.append(session.client.memory())
    return keys


def _ask(client: Client, query: str, times: Times) -> None:
    work, begin = client.work(), time.perf_counter()
    client.request("workspace/symbol", {"query": query})
    times.wall.append(client.arrived - begin)
    times.work.append(client.work() - work)
