"""``docs/workspaces.md``: the figures of a large workspace, and what each means."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from benchmarks.speed.percentile import percentile
from benchmarks.workspace.measuring import Times, WorkspaceFigures

_TEXT = """# Large workspaces

Written by `python -m benchmarks.workspace --write`. Do not edit.

The workspace consists of {files:,} PTX files, {megabytes} MB together: copies of the kept files (`benchmarks/corpus`)
with other names of functions and variables, and one file of 10 MB. A fresh server opens a file of 10,000 lines in it.
When it has started completely, letters are typed at random places with pauses of up to 40 ms, while a process of its
own reads the workspace.

{conditions}

Reading took {reading:.0f} s beside the typing. Memory of the server with that process: at most {peak:.0f} MB; of the
server after it: {memory:.0f} MB.

{keys}

{symbols}

- *Keystroke*: from sending a change until its findings have arrived. *Work*: how long the event loop of the server ran
  in this time, for this and for whatever it had to finish before. On an idle machine both are nearly equal; on a
  busy one the first contains the waiting for a processor, which the second does not.
- `workspace/symbol`: from the request until the answer, which has at most 1,000 symbols; {rounds} times each.
"""


def page(figures: WorkspaceFigures, conditions: Sequence[str]) -> str:
    """The text of the page; ``conditions`` are sentences on machine, programs and commit."""
    keys = [("while the files are read", figures.while_reading), ("after", figures.after)]
    symbols = [(f"`{query}`" if query else "(empty)", times) for query, times in figures.symbols.items()]
    return _TEXT.format(
        files=figures.files,
        megabytes=figures.megabytes,
        conditions="\n".join(f"- {one}" for one in conditions),
        reading=figures.reading,
        peak=figures.peak,
        memory=figures.memory,
        keys=_table("keystroke", keys),
        symbols=_table("`workspace/symbol`", symbols),
        rounds=len(next(iter(figures.symbols.values())).wall),
    )


def _table(title: str, rows: Iterable[tuple[str, Times]]) -> str:
    lines = [
        f"| {title} | number | p50 | p99 | longest | work, p50 | work, p99 | work, longest |",
        f"|---{'|--:' * 7}|",
    ]
    lines += [f"| {name} | {len(times.wall):,} | {_three(times.wall)} | {_three(times.work)} |" for name, times in rows]
    return "\n".join(lines)


def _three(seconds: Sequence[float]) -> str:
    values = statistics.median(seconds), percentile(seconds, 99), max(seconds)
    return " | ".join(f"{value * 1000:.1f} ms" for value in values)
