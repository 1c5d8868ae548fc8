"""Large numbers in right programs: ``python -m tests.load.numbers [--seed N] [--cases N]``.

A number of a kernel of ``tests/pairs`` becomes one that no GPU has that many of: registers, threads, bytes, places of a
shift. The check may not take many times as long for it, nor megabytes more memory. Cases that do are printed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tracemalloc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ptx_lsp.checks.engine.checker import check_text

from .. import annotated
from ..called import calls

PAIRS = Path(__file__).parents[1] / "pairs"
LARGE = (1 << 16, 1 << 20, (1 << 31) - 1, (1 << 32) - 1, 1 << 40, (1 << 63) - 1)
_NUMBER = re.compile(r"(?<![\w.%$])\d+(?![\w.])")
_MORE_CALLS = 20
"""Times as many calls of functions for the same program with another number are too many."""
_MORE_MEMORY = 8 << 20
"""More bytes at once are too many."""


class Case(NamedTuple):
    """A program and the same one with a large number."""

    before: str
    after: str
    line: str
    """The line with the large number."""


@cache
def programs() -> list[str]:
    """The texts of all pairs."""
    found = (part for path in sorted(PAIRS.rglob("*.ptx")) for part in path.read_text().split("//- ")[1:])
    return [annotated.read("//- " + part).text for part in found]


def cases(seed: int) -> Iterator[Case]:
    """Random cases without end."""
    draw = random.Random(seed)
    while True:
        text = draw.choice(programs())
        place = draw.choice([found.span() for found in _NUMBER.finditer(text, text.index(".address_size"))])
        after = f"{text[: place[0]]}{draw.choice(LARGE)}{text[place[1] :]}"
        end = after.find("\n", place[0])
        yield Case(text, after, after[after.rfind("\n", 0, place[0]) + 1 : end])


def fault(case: Case) -> str:
    """What a case takes too much of; empty if nothing."""
    usual, made = (calls(lambda text=text: check_text(text)) for text in (case.before, case.after))
    if made > _MORE_CALLS * usual:
        return f"{made // usual} times as many calls"
    tracemalloc.start()
    try:
        check_text(case.before)
        usual = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        check_text(case.after)
        made = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return f"{made - usual >> 20} MB more" if made > usual + _MORE_MEMORY else ""


def main() -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.numbers", description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=1000)
    options = parser.parse_args()
    failed = 0
    for _, case in zip(range(options.cases), cases(options.seed), strict=False):
        if what := fault(case):
            failed += 1
            print(f"{what}: {case.line}", flush=True)
    print(f"seed {options.seed}, {options.cases} cases, {failed} with too much")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
