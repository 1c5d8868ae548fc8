"""How well we agree with ptxas on broken files.

    python -m benchmarks.mutants [FILE.ptx …] [-n 300] [--show 20] [--kind NAME] [--all]

Each file is broken in one place at a time; ptxas and ptx-lsp check the result. Counted are, for each kind of mistake,
the mutants that ptxas rejects, those of them with an error of ours, and with one on the same line (as the mistake, or
as an error of ptxas), and the errors of ours on mutants that ptxas accepts. Only instructions with a page are broken.
Without files: kept ones of all targets.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks import assembler, kept
from benchmarks.mutations.compare import Comparison, compare, errors
from benchmarks.mutations.mutants import MEASURED, kinds_of

BAR = 95.0
"""Percent of the rejected mutants of each group that must have an error on the same line."""

FILES = (
    "calls.sm_75.plain.ptx atomics.sm_80.plain.ptx warps.sm_90a.plain.ptx storage.sm_100a.plain.ptx "
    "tensor_cores.sm_80.plain.ptx integers.sm_75.plain.ptx small_floats.sm_90a.plain.ptx gemm.sm_100a.plain.ptx "
    "scoped_asm.sm_90a.plain.ptx bulk_copies.sm_90a.plain.ptx device_runtime.sm_80.lineinfo.ptx"
).split()
COLUMNS = ("made", "rejected", "ours", "same", "false")


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a bar is missed, 2 without ptxas."""
    options = _parse(arguments)
    if options.ptxas is None:
        print("no ptxas: install the extra 'test', or name one with --ptxas", file=sys.stderr)
        return 2
    kinds = [kind for kind in kinds_of((*MEASURED, "declarations", "header")) if options.kind in (None, kind.name)]
    if not options.all and options.kind is None:
        kinds = kinds_of(MEASURED)
    found: list[Comparison] = []
    for name, text in _texts(options.files):
        if already := errors(text):
            line, finding = already[0]
            print(f"{name} has {len(already)} errors of ours before it is broken: line {line}: {finding.message}")
        found += compare(name, text, options.ptxas, count=options.n, seed=options.seed, kinds=kinds)
    print(f"ptxas {assembler.release(options.ptxas)}")
    rows = _print_table(found)
    _show("false errors", [c for c in found if c.is_false], options.show)
    _show("missed", [c for c in found if c.is_missed], options.show)
    measured = [rows[f"all {group}"] for group in MEASURED if f"all {group}" in rows]
    return 1 if any(row["false"] or _percent(row) < BAR for row in measured) else 0


def _texts(files: list[Path]) -> Iterator[tuple[str, str]]:
    if files:
        yield from ((path.name, path.read_text(encoding="utf-8")) for path in files)
    else:
        yield from ((name, kept.read(name)) for name in FILES)


def _print_table(comparisons: list[Comparison]) -> dict[str, Counter[str]]:
    """One row for each kind, the worst first, and for each group; the rows by name."""
    rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for comparison in comparisons:
        rejected = not comparison.verdict.accepted
        counts = {
            "made": 1,
            "rejected": rejected,
            "ours": rejected and bool(comparison.ours),
            "same": rejected and comparison.same_line,
            "false": comparison.is_false,
        }
        group = comparison.mutant.kind.group
        for name in (f"{group}: {comparison.mutant.kind.name}", f"all {group}", "all"):
            rows[name].update(counts)
    print(f"{'kind of mistake':44}" + "".join(f"{column:>9}" for column in COLUMNS) + f"{'same %':>9}")
    for name, row in sorted(rows.items(), key=lambda named: (named[0].startswith("all"), _percent(named[1]), named[0])):
        print(f"{name:44}" + "".join(f"{row[column]:9,}" for column in COLUMNS) + f"{_percent(row):9.1f}")
    return rows


def _percent(row: Counter[str]) -> float:
    return 100 * row["same"] / row["rejected"] if row["rejected"] else 100.0


def _show(title: str, comparisons: list[Comparison], limit: int) -> None:
    if comparisons and limit:
        print(f"\n{title}: {len(comparisons)}")
        print("\n".join(map(str, comparisons[:limit])))


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mutants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="*", type=Path, help="valid PTX files; default: kept ones")
    parser.add_argument("-n", type=int, default=300, help="mutants of each file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", help="only this kind of mistake")
    parser.add_argument("--all", action="store_true", help="also mistakes that show elsewhere, which have no bar")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N false errors and N missed ones")
    parser.add_argument("--ptxas", default=assembler.find())
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
