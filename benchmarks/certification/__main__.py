"""The command: asks ptxas, prints the tables, fails below the bar."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from benchmarks import assembler
from benchmarks.certification.completions import ask_completions
from benchmarks.certification.gates import ask_gates
from benchmarks.certification.neighbours import ask_neighbours
from benchmarks.certification.plan import NEWEST
from benchmarks.certification.releases import taken_elsewhere
from benchmarks.certification.table import Table
from ptx_lsp.isa.catalogue import catalogue

BARS = {"gates": 99.9, "neighbours": 98.8, "completions": 100.0}
"""The agreement in percent below which the command fails."""


def main() -> int:
    """Run one or all kinds of questions."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.certification", description=__doc__)
    parser.add_argument("pages", nargs="*", help="names of instructions; default all")
    parser.add_argument("--only", choices=tuple(BARS), help="one kind of question")
    parser.add_argument("--ptxas", default=assembler.find(), help="path of the ptxas to ask")
    parser.add_argument(
        "--others", nargs="*", default=[], help="paths of other releases: what one of them takes, we may take too"
    )
    parser.add_argument("--per-form", type=int, default=30, help="samples of each form for the gates")
    parser.add_argument(
        "--per-page", type=int, default=40, help="a quarter of the samples of a page for the neighbours"
    )
    parser.add_argument("--each", type=int, default=12, help="neighbours of each sample")
    parser.add_argument("--prefixes", type=int, default=2000, help="prefixes to complete, of all pages together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, help="disagreements to print for each page")
    parser.add_argument("--write", type=Path, help="write the tables to this Markdown file")
    parser.add_argument("--dump", type=Path, help="write all disagreements to this JSON file")
    options = parser.parse_args()
    if options.ptxas is None:
        parser.error("no ptxas: install the extra 'test', or name one with --ptxas")
    release = assembler.release(options.ptxas)
    newest = NEWEST.get(release, max(NEWEST.values()))
    instructions = [
        instruction
        for instruction in catalogue().instructions
        if not options.pages or set(options.pages) & set(instruction.names)
    ]
    report = [f"# Agreement with ptxas {release}, PTX up to {newest}", ""]
    good = True
    dump: dict[str, list[tuple[str, ...]]] = {}
    for kind in (options.only,) if options.only else tuple(BARS):
        start = time.perf_counter()
        table: Table
        if kind == "gates":
            table = ask_gates(
                instructions, options.ptxas, newest, per_form=options.per_form, seed=options.seed, jobs=options.jobs
            )
        elif kind == "completions":
            table = ask_completions(
                instructions, options.ptxas, newest, prefixes=options.prefixes, seed=options.seed, jobs=options.jobs
            )
        else:
            table = ask_neighbours(
                instructions,
                options.ptxas,
                newest,
                per_page=options.per_page,
                each=options.each,
                seed=options.seed,
                jobs=options.jobs,
            )
        table.settle(taken_elsewhere(table.disagreements, options.others, options.jobs))
        total = table.total
        report += [f"## {kind.capitalize()}", "", *table.lines(), ""]
        if kind == "neighbours":
            report += [*table.lines(by_kind=True), ""]
        if table.times:
            report += [table.speed(), ""]
        print(
            f"{kind}: {total.verdicts.total():,} statements in {time.perf_counter() - start:.0f} s, "
            f"{total.agreement:.2f} % agree (bar {BARS[kind]}); of {total.elsewhere} releases of ptxas differ",
            file=sys.stderr,
        )
        good = good and total.agreement >= BARS[kind]
        _show(table, options.show)
        dump[kind] = [
            (
                d.question.page,
                d.question.kind,
                d.version,
                d.target,
                "we" if d.question.ours else "ptxas",
                d.question.statement,
            )
            for d in table.disagreements
        ]
    text = "\n".join(report)
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
    if options.dump:
        options.dump.write_text(json.dumps(dump, indent=0), encoding="utf-8")
    return 0 if good else 1


def _show(table: Table, count: int) -> None:
    """Print some disagreements of each page."""
    shown: dict[str, int] = {}
    for question, version, target in table.disagreements:
        shown[question.page] = shown.get(question.page, 0) + 1
        if shown[question.page] <= count:
            who = "only we accept" if question.ours else "only ptxas accepts"
            print(
                f"{question.page}: {who} ({question.kind}) at {version} {target}: {question.statement}", file=sys.stderr
            )


if __name__ == "__main__":
    sys.exit(main())
