"""The real server, measured from outside by :mod:`benchmarks.server_latency`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.server_latency import BUDGETS, Session
from benchmarks.speed.table import Row

_MEMORY_BUDGETS = {"f100k.ptx": "130 MB", "f1M.ptx": "450 MB"}


def rows(file: Path, *, few: bool) -> Iterator[Row]:
    """What an editor with this file open waits for, and the memory it takes."""
    title = file.stem.removeprefix("f")
    count = 60 if few else 200
    session = Session(str(file), 1)
    session.type_digits(count)
    session.ask("hover", "textDocument/hover", count)
    session.ask("definition", "textDocument/definition", count)
    now, peak = session.client.memory()
    session.client.stop()
    for name, samples in session.rows:
        budget = BUDGETS.get(name, "")
        yield Row(f"server, {title}: {name}", "ms", samples, budget=f"{budget} ms" if budget else "")
    yield Row(f"server, {title}: memory now", "MB", [now], budget=_MEMORY_BUDGETS.get(file.name, ""))
    yield Row(f"server, {title}: peak memory", "MB", [peak])
