"""How well we agree with ptxas on declarations.

    python -m benchmarks.declarations [-n 400] [--seed 1] [--show 20] [--ptxas PTXAS …]

Generated declarations, outside and inside of functions, for versions and targets of all times: ptxas and ptx-lsp say
of each whether it is right. One after the other if several releases of ptxas are named.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict

from benchmarks import assembler
from benchmarks.declarations.asking import MODULES, Answer, ask
from benchmarks.declarations.writing import Writer

BAR = 99.0
"""Percent of the verdicts that must be those of ptxas."""


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if the bar is missed or an error is false, 2 without ptxas."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.declarations", description=__doc__)
    parser.add_argument("-n", type=int, default=400, help="cases for each version (400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="how many disagreements are shown (20)")
    parser.add_argument("--only", help="one version")
    parser.add_argument("--ptxas", nargs="+", default=[assembler.find()])
    options = parser.parse_args(arguments)
    if None in options.ptxas:
        print("no ptxas: install the extra 'test', or name one with --ptxas", file=sys.stderr)
        return 2
    good = True
    for ptxas in options.ptxas:
        answers: list[Answer] = []
        print(f"ptxas {assembler.release(ptxas)}")
        for number, (version, target) in enumerate(MODULES):
            if options.only in (None, version):
                cases = list(Writer(options.seed * 100 + number).cases(options.n))
                answers += (found := ask(cases, version, target, ptxas))
                _print_row(f"{version} {target}", found)
        good &= _print_row("all", answers)
        _show(answers, options.show)
    return 0 if good else 1


def _print_row(name: str, answers: list[Answer]) -> bool:
    refused = sum(bool(answer.message) for answer in answers)
    false = sum(answer.is_false for answer in answers)
    agreed = 100 * sum(answer.agrees for answer in answers) / max(len(answers), 1)
    print(f"{name:14}{len(answers):7,} asked{refused:7,} refused{agreed:8.2f} % agreed{false:5} false")
    return agreed >= BAR and not false


def _show(answers: list[Answer], limit: int) -> None:
    """Disagreements, one of each kind first."""
    kinds: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        if not answer.agrees:
            said = answer.message or "FALSE " + answer.ours[0].code
            kinds[re.sub(r"'[^']*'", "'…'", said)].append(answer)
    for said, found in sorted(kinds.items(), key=lambda kind: (not kind[0].startswith("FALSE"), -len(kind[1]))):
        print(f"\n{len(found):5} x {said}")
        for answer in found[:limit]:
            ours = f"  // {answer.ours[0].message}" if answer.ours else ""
            print(f"        {answer.version} {answer.target} {answer.case.place}: {answer.case.text}{ours}")


if __name__ == "__main__":
    sys.exit(main())
