"""The measurements in a workspace that a fresh server reads."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from benchmarks import kept
from benchmarks.speed.session import Session

QUERIES = ("", "k", "kernel", "gemm", "sort scan", "zzzz", "_Z", "copy", "reduce_kernel", "DeviceRadixSort")
"""Queries of ``workspace/symbol``: all names, one letter, names that occur often, once and never."""
_OPEN = "f10k.ptx"
_ROUNDS = 3


class WorkspaceFigures(NamedTuple):
    """Seconds, and MB of the server with its processes."""

    files: int
    megabytes: int
    reading: float
    """From the start of the server until all files are read."""
    while_reading: list[float]
    """From each keystroke to its findings, while the files are read."""
    after: list[float]
    """The same, after."""
    symbols: dict[str, list[float]]
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
    keys: list[float] = []
    peak, looked = 0.0, 0.0
    while client.progress != "end":
        keys += session.type_digits(4) + session.type_statements(1)
        if time.perf_counter() - looked > 2:
            looked = time.perf_counter()
            peak = max(peak, client.memory())
    reading = client.arrived - client.started
    client.wait_until_idle()
    memory = client.memory()
    after = session.type_digits(200) + session.type_statements(4)
    symbols: dict[str, list[float]] = {query: [] for query in QUERIES}
    for _ in range(_ROUNDS):
        for query, times in symbols.items():
            begin = time.perf_counter()
            client.request("workspace/symbol", {"query": query})
            times.append(client.arrived - begin)
    client.stop()
    return WorkspaceFigures(files, megabytes, reading, keys, after, symbols, peak, memory)
