"""The command: asks every ptxas it is given, prints the tables, fails below the bars."""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks import assembler
from benchmarks.certification.certify import BARS, Questions, certify
from benchmarks.certification.document import written


def main() -> int:
    """Run one or all kinds of questions."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.certification", description=__doc__)
    parser.add_argument("pages", nargs="*", help="names of instructions; default all")
    parser.add_argument("--only", choices=tuple(BARS), help="one kind of question")
    found = assembler.find()
    parser.add_argument(
        "--ptxas", nargs="+", default=[found] if found else [], help="the releases to ask, by path, each in a process"
    )
    parser.add_argument("--per-form", type=int, default=8, help="samples of each form for the gates")
    parser.add_argument("--per-page", type=int, default=60, help="a quarter of a page's samples for the neighbours")
    parser.add_argument("--each", type=int, default=28, help="neighbours of each sample")
    parser.add_argument("--prefixes", type=int, default=2000, help="prefixes to complete, of all pages together")
    parser.add_argument("--per-target", type=int, default=1, help="samples of each form and target to compile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="runs of each ptxas at the same time")
    parser.add_argument("--show", type=int, default=0, help="disagreements to print for each page")
    parser.add_argument("--write", type=Path, help="write the tables to this Markdown file (--only: into it)")
    parser.add_argument("--dump", type=Path, help="write all disagreements to this JSON file")
    options = parser.parse_args()
    if not options.ptxas:
        parser.error("no ptxas: install the extra 'test', or name one with --ptxas")
    kinds = (options.only,) if options.only else tuple(BARS)
    questions = Questions(
        tuple(options.pages),
        kinds,
        options.per_form,
        options.per_page,
        options.each,
        options.prefixes,
        options.per_target,
        options.seed,
        options.jobs,
        options.show,
    )
    with ProcessPoolExecutor(len(options.ptxas)) as pool:
        started = [pool.submit(certify, ptxas, questions) for ptxas in options.ptxas]
        outcomes = [one.result() for one in started]
    tables = "\n".join(line for outcome in outcomes for line in outcome.tables)
    print(tables)
    for outcome in outcomes:
        print("\n".join(outcome.notes), file=sys.stderr)
    if options.write:
        former = options.write.read_text("utf-8") if options.only and options.write.exists() else ""
        options.write.write_text(written(tables, former), encoding="utf-8")
    if options.dump:
        dump = {kind: found for outcome in outcomes for kind, found in outcome.disagreements.items()}
        options.dump.write_text(json.dumps(dump, indent=0), encoding="utf-8")
    return 0 if all(outcome.good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
