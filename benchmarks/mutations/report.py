"""The page of the last full comparison, ``docs/mutants.md``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TypeAlias

from benchmarks.mutations.kind import KINDS

PAGE = Path(__file__).parent.parent.parent / "docs" / "mutants.md"

Row: TypeAlias = Counter[str]
"""Counts by the names of :data:`COLUMNS`."""

COLUMNS = ("made", "rejected", "ours", "same", "false")

_HEAD = """\
# Agreement with ptxas on broken files

Each mutant is a valid file with one deliberate mistake. The {files} files are handwritten or written by nvcc or LLVM
for targets from sm_20 to sm_120a. The table lists for each kind of mistake a description and the number of mutants;
then for each release of ptxas the mutants that it rejects, the share of these for which ptx-lsp reports an error
(*error*), the share with an error on the line of the mistake or of an error of ptxas (*same line*), and the accepted
mutants for which ptx-lsp reports an error (*false errors*).

Written by `python -m benchmarks.mutants --all --write --ptxas …`.
"""


def percent(row: Row, column: str) -> float:
    """How many percent of the rejected mutants are counted in a column."""
    return 100 * row[column] / row["rejected"] if row["rejected"] else 100.0


def write(tables: dict[str, dict[str, Row]], files: int) -> None:
    """Write the page; tables by release, their rows by the names of kinds."""
    columns = [
        f"{release} {column}" for release in tables for column in ("rejects", "error", "same line", "false errors")
    ]
    lines = [
        _HEAD.format(files=files),
        f"| mistake | description | mutants | {' | '.join(columns)} |",
        "|---|---|" + "--:|" * (len(columns) + 1),
    ]
    for group in dict.fromkeys(kind.group for kind in KINDS.values()):
        lines += [
            _line(kind.name, (kind.mutate.__doc__ or "").strip().rstrip("."), tables)
            for kind in KINDS.values()
            if kind.group == group
        ]
    lines.append(_line("all", "", tables))
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _line(name: str, example: str, tables: dict[str, dict[str, Row]]) -> str:
    made = next(iter(tables.values())).get(name, Counter())["made"]
    cells = [
        "**total**" if name == "all" else name.replace("_", " "),
        example.replace("``", "`").replace("|", "\\|"),
        f"{made:,}",
    ]
    for rows in tables.values():
        row = rows.get(name, Counter())
        cells += [f"{row['rejected']:,}", *(f"{percent(row, c):.1f} %" for c in ("ours", "same")), str(row["false"])]
    return f"| {' | '.join(cells)} |"
