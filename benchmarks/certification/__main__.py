"""The command: asks every ptxas it is given, prints the tables, fails below the bars."""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks import assembler
from benchmarks.certification.certify import BARS, Questions, certify

_INTRODUCTION = """\
# Agreement with ptxas

Made by `python -m benchmarks.certification --ptxas PTXAS-13.5 PTXAS-12.9 --write docs/agreement.md`, which asks:

* [gates](../benchmarks/certification/gates.py): the pages' own spellings, with operands of every kind that they list,
  around every version and target at which something begins or ends;
* [neighbours](../benchmarks/certification/neighbours.py): statements one small change away from a right one, in modules
  old and new;
* [completions](../benchmarks/certification/completions.py): does every offer lead to a statement that ptxas takes, is
  none missing?

*Only we accept* is a mistake that we miss, *only ptxas accepts* a false error. Each release is asked about what the
pages say of it: where releases differ, a gate names those that take a spelling (`ptxas 13.4`), and the checker, which
does not know what a module is for, only warns of it (`W604`).
"""


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
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="runs of each ptxas at the same time")
    parser.add_argument("--show", type=int, default=0, help="disagreements to print for each page")
    parser.add_argument("--write", type=Path, help="write the tables to this Markdown file")
    parser.add_argument("--dump", type=Path, help="write all disagreements to this JSON file")
    options = parser.parse_args()
    if not options.ptxas:
        parser.error("no ptxas: install the extra 'test', or name one with --ptxas")
    kinds = (options.only,) if options.only else tuple(BARS)
    questions = Questions(
        tuple(options.pages), kinds, options.per_form, options.per_page, options.each, options.prefixes, options.seed,
        options.jobs, options.show,
    )
    with ProcessPoolExecutor(len(options.ptxas)) as pool:
        started = [pool.submit(certify, ptxas, questions) for ptxas in options.ptxas]
        outcomes = [one.result() for one in started]
    tables = "\n".join(line for outcome in outcomes for line in outcome.tables)
    print(tables)
    for outcome in outcomes:
        print("\n".join(outcome.notes), file=sys.stderr)
    if options.write:
        options.write.write_text(f"{_INTRODUCTION}\n{tables.rstrip()}\n", encoding="utf-8")
    if options.dump:
        dump = {kind: found for outcome in outcomes for kind, found in outcome.disagreements.items()}
        options.dump.write_text(json.dumps(dump, indent=0), encoding="utf-8")
    return 0 if all(outcome.good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
