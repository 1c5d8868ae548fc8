"""``docs/workspaces.md``: the figures of a large workspace, and what each means."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from benchmarks.speed.percentile import percentile
from benchmarks.workspace.measuring import WorkspaceFigures

_TEXT = """# Large workspaces

Written by `python -m benchmarks.workspace --write`. Do not edit.

The workspace consists of {files:,} PTX files, {megabytes} MB together: copies of the kept files (`benchmarks/corpus`) with other names
of functions and variables, and one file of 10 MB. A fresh server opens a file of 10,000 lines in it; letters are typed from its
complete start on, at random places with pauses of up to 40 ms, while a process of its own reads the workspace.

{conditions}

Reading took {reading:.0f} s beside the typing. Memory of the server with that process: {peak:.0f} MB at most; of the server after it: {memory:.0f} MB.

{keys}

{symbols}

- *Keystroke*: from sending a change until its findings have arrived. *After* is the same file once all files are read: on a busy
  machine, or one with fewer than two free processors, only the comparison of the two rows counts.
- `workspace/symbol`: from the request until the answer, which has at most 1,000 symbols; the median and the longest of {rounds}.
"""


def page(figures: WorkspaceFigures, conditions: Sequence[str]) -> str:
    """The text of the page; ``conditions`` are sentences on machine, programs and commit."""
    rows = [("while the files are read", figures.while_reading), ("after", figures.after)]
    keys = [
        f"| {name} | {len(times):,} | {_ms(statistics.median(times))} | {_ms(percentile(times, 99))} | {_ms(max(times))} |"
        for name, times in rows
    ]
    symbols = [
        f"| `{query}` | {_ms(statistics.median(times))} | {_ms(max(times))} |" if query else
        f"| (empty) | {_ms(statistics.median(times))} | {_ms(max(times))} |"
        for query, times in figures.symbols.items()
    ]
    return _TEXT.format(
        files=figures.files,
        megabytes=figures.megabytes,
        conditions="\n".join(f"- {one}" for one in conditions),
        reading=figures.reading,
        peak=figures.peak,
        memory=figures.memory,
        keys="\n".join(["| keystroke | number | p50 | p99 | longest |", "|---|--:|--:|--:|--:|", *keys]),
        symbols="\n".join(["| `workspace/symbol` | median | longest |", "|---|--:|--:|", *symbols]),
        rounds=len(next(iter(figures.symbols.values()))),
    )


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
