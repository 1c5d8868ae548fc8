"""How well we agree with ptxas on broken files.

    python -m benchmarks.mutants [FILE.ptx …] [-n 100] [--all] [--kind NAME] [--show 20] [--ptxas PATH …] [--write]

Each file is broken in one place at a time, in 50 kinds of ways (benchmarks/mutations/); ptxas and ptx-lsp check the
result. Counted are, for each kind of mistake, the mutants that ptxas rejects, those of them with an error of ours, and
with one on the same line (as the mistake, or as an error of ptxas), and the errors of ours on mutants that it accepts.
Without files: what people wrote (benchmarks/handwritten/) and the shorter ones of the compiled files.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks import assembler
from benchmarks.mutations.bases import bases
from benchmarks.mutations.compare import Comparison, compare, errors
from benchmarks.mutations.kind import KINDS
from benchmarks.mutations.mutants import CATALOGUE
from benchmarks.mutations.report import COLUMNS, Row, percent, write

ERRORS, SAME_LINE = 98.0, 97.0
"""Percent of the rejected mutants that must have an error of ours, and one on the same line."""

_WHOLE = 20_000
"""Mutants of the whole measure."""

_PORTION = 50
"""Mutants of one task of a process."""


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a bar is missed, 2 without ptxas."""
    options = _parse(arguments)
    if not options.ptxas:
        print("no ptxas: install the extra 'test', or name one with --ptxas", file=sys.stderr)
        return 2
    texts = {path.name: path.read_text(encoding="utf-8") for path in options.files} or bases()
    texts = {name: text for name, text in texts.items() if _is_valid(name, text, options.ptxas)}
    count = -(-_WHOLE // len(texts)) if options.all else options.n
    found = compare_all(texts, options.ptxas, count=count, seed=options.seed, kind=options.kind, processes=options.jobs)
    tables = {}
    for ptxas in options.ptxas:
        release = assembler.release(ptxas)
        those = [comparison for comparison in found if comparison.ptxas == ptxas]
        tables[release] = tabulate(those)
        print(f"ptxas {release}, {len(those):,} mutants of {len(texts)} files")
        _print_table(tables[release])
        _show("false errors", [c for c in those if c.is_false], options.show)
        _show("missed", [c for c in those if c.is_missed], options.show)
    if options.write:
        write(tables, len(texts))
    return 0 if all(is_good(rows["all"]) for rows in tables.values()) else 1


def compare_all(
    texts: dict[str, str], judges: list[str], *, count: int, seed: int, kind: str | None = None, processes: int = 2
) -> list[Comparison]:
    """Compare on ``count`` mutants of each text."""
    assert CATALOGUE
    kinds = [KINDS[kind]] if kind else list(KINDS.values())
    found: list[Comparison] = []
    with ProcessPoolExecutor(processes) as pool:
        tasks = [
            pool.submit(compare, name, text, judges, count=min(_PORTION, count - done), seed=seed + done, kinds=kinds)
            for done in range(0, count, _PORTION)
            for name, text in texts.items()
        ]
        for task in tasks:
            found += task.result()
    return found


def tabulate(comparisons: Iterable[Comparison]) -> dict[str, Row]:
    """A row of counts for each kind of mistake, and ``all``."""
    rows: defaultdict[str, Row] = defaultdict(Counter)
    for comparison in comparisons:
        rejected = not comparison.verdict.accepted
        counts = {
            "made": 1,
            "rejected": rejected,
            "ours": rejected and bool(comparison.ours),
            "same": rejected and comparison.same_line,
            "false": comparison.is_false,
        }
        for name in (comparison.mutant.kind.name, "all"):
            rows[name].update(counts)
    return rows


def is_good(row: Row) -> bool:
    """Whether counts keep within the bars."""
    return not row["false"] and percent(row, "ours") >= ERRORS and percent(row, "same") >= SAME_LINE


def _is_valid(name: str, text: str, judges: list[str]) -> bool:
    """Whether each ptxas takes a text and we do; it says so if not."""
    for ptxas in judges:
        if not assembler.judge(text, ptxas).accepted:
            print(f"{name} is left out: ptxas {assembler.release(ptxas)} rejects it")
            return False
    for line, finding in errors(text)[:1]:
        print(f"{name} has an error of ours before it is broken: line {line}: {finding.message}")
    return True


def _print_table(rows: dict[str, Row]) -> None:
    """One row for each kind, the worst first."""
    print(f"{'kind of mistake':32}" + "".join(f"{column:>9}" for column in (*COLUMNS, "ours %", "same %")))
    for name, row in sorted(rows.items(), key=lambda named: (named[0] == "all", percent(named[1], "same"), named[0])):
        counts = "".join(f"{row[column]:9,}" for column in COLUMNS)
        print(f"{name:32}{counts}{percent(row, 'ours'):9.1f}{percent(row, 'same'):9.1f}")


def _show(title: str, comparisons: list[Comparison], limit: int) -> None:
    if comparisons and limit:
        print(f"\n{title}: {len(comparisons)}")
        print("\n".join(map(str, comparisons[:limit])))


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mutants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="*", type=Path, help="valid PTX files; default: the project's own")
    parser.add_argument("-n", type=int, default=50, help="mutants of each file")
    parser.add_argument("--all", action="store_true", help=f"{_WHOLE:,} mutants: the whole measure, ten minutes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=sorted(KINDS), metavar="NAME", help="only this kind of mistake")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N false errors and N missed ones")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--write", action="store_true", help="write docs/mutants.md")
    default = assembler.find()
    parser.add_argument("--ptxas", nargs="+", default=[default] if default else [], metavar="PATH")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
