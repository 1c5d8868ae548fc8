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
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks import assembler, kept
from benchmarks.mutations.mutants import MEASURED, Mutant, kinds_of, mutants
from benchmarks.mutations.scan import Statement, read
from ptx_lsp.checks.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.isa.catalogue import catalogue

BAR = 95.0
"""Percent of the rejected mutants that must have an error on the same line."""

FILES = (
    "calls.sm_75.plain.ptx atomics.sm_80.plain.ptx warps.sm_90a.plain.ptx storage.sm_100a.plain.ptx "
    "tensor_cores.sm_80.plain.ptx integers.sm_75.plain.ptx small_floats.sm_90a.plain.ptx gemm.sm_100a.plain.ptx "
    "scoped_asm.sm_90a.plain.ptx bulk_copies.sm_90a.plain.ptx device_runtime.sm_80.lineinfo.ptx"
).split()
COLUMNS = ("made", "rejected", "ours", "same", "false")


class Comparison(NamedTuple):
    """One mutant, what ptxas says and what we say; our errors with their lines."""

    file: str
    mutant: Mutant
    verdict: assembler.Verdict
    ours: list[tuple[int, Diagnostic]]

    @property
    def same_line(self) -> bool:
        """Whether an error of ours stands on the line of the mistake, or where ptxas sees it."""
        lines = {line for line, _ in self.ours}
        return self.mutant.line in lines or any(error.line in lines for error in self.verdict.errors)

    @property
    def is_false(self) -> bool:
        """Whether ptxas accepts what we call an error."""
        return self.verdict.accepted and bool(self.ours)

    @property
    def is_missed(self) -> bool:
        """Whether ptxas rejects it and we have no error on the line."""
        return not self.verdict.accepted and not self.same_line

    def __str__(self) -> str:
        theirs = "; ".join(f"{error.line}: {error.text}" for error in self.verdict.errors[:2]) or "accepted"
        ours = "; ".join(f"{line}: {finding.code} {finding.message.splitlines()[0]}" for line, finding in self.ours[:2])
        return (
            f"{self.mutant.kind.name} {self.file}:{self.mutant.line}\n    - {self.mutant.before}\n"
            f"    + {self.mutant.after}\n    ptxas: {theirs}\n    ours:  {ours or 'nothing'}"
        )


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
        made = mutants(read(text, _has_page), options.n, options.seed, kinds)
        before = {finding.message for _, finding in _errors(text)}
        if before:
            print(f"{name}: has errors of ours before it is broken; they do not count: {'; '.join(sorted(before)[:2])}")
        found.extend(_compare(name, made, before, options.ptxas))
    judged = [comparison for comparison in found if not comparison.verdict.crashed]
    print(
        f"ptxas {assembler.release(options.ptxas)}; {len(found) - len(judged)} mutants made it crash and do not count"
    )
    total = _print_table(judged)
    _show("false errors", [c for c in judged if c.is_false], options.show)
    _show("missed", [c for c in judged if c.is_missed], options.show)
    return 1 if total["false"] or 100 * total["same"] < BAR * total["rejected"] else 0


def _compare(name: str, made: Iterable[Mutant], before: set[str], ptxas: str) -> Iterator[Comparison]:
    """Ask both about each mutant; ptxas in other processes at the same time. Messages from ``before`` do not count."""
    with ThreadPoolExecutor(2) as pool:
        asked = [(mutant, pool.submit(assembler.judge, mutant.text, ptxas)) for mutant in made]
        for mutant, answer in asked:
            ours = [(line, finding) for line, finding in _errors(mutant.text) if finding.message not in before]
            yield Comparison(name, mutant, answer.result(), ours)


def _errors(text: str) -> list[tuple[int, Diagnostic]]:
    """Our errors with their lines, counted from 1."""
    errors = (finding for finding in check_text(text) if finding.severity is Severity.ERROR)
    return [(text.count("\n", 0, finding.span.start) + 1, finding) for finding in errors]


def _has_page(statement: Statement) -> bool:
    assert statement.opcode is not None
    opcode = (statement.opcode.text, *(token.text for token in statement.qualifiers))
    return catalogue().status(opcode) == "page"


def _texts(files: list[Path]) -> Iterator[tuple[str, str]]:
    if files:
        yield from ((path.name, path.read_text(encoding="utf-8")) for path in files)
    else:
        yield from ((name, kept.read(name)) for name in FILES)


def _print_table(comparisons: list[Comparison]) -> Counter[str]:
    """One row for each kind, the worst first; the totals."""
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
        for name in (f"{comparison.mutant.kind.group}: {comparison.mutant.kind.name}", "all"):
            rows[name].update(counts)
    print(f"{'kind of mistake':44}" + "".join(f"{column:>9}" for column in COLUMNS) + f"{'same %':>9}")
    for name, row in sorted(rows.items(), key=lambda named: (named[0] == "all", _percent(named[1]), named[0])):
        print(f"{name:44}" + "".join(f"{row[column]:9,}" for column in COLUMNS) + f"{_percent(row):9.1f}")
    return rows["all"]


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
