"""Count the steps of the start, of checks and of edits, and compare them with the kept figures.

    python -m benchmarks.steps [--write]

``--write`` keeps what was counted (``benchmarks/steps/figures.json``); tests/test_steps.py fails if a later commit
needs 10 % more. Write after a commit that makes something faster, or one that is worth its steps, and say so in its
message.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.steps import figures
from benchmarks.steps.measurements import MEASUREMENTS, measure


def main(arguments: list[str] | None = None) -> int:
    """Count, print, compare; exit status 1 if something is too high and was not written."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.steps", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="keep what was counted")
    options = parser.parse_args(arguments)
    kept = figures.read()
    counted = {name: count for one in MEASUREMENTS for name, count in measure(one.__name__).items()}
    for name, count in counted.items():
        change = f"{count / kept[name] - 1:+8.1%}" if name in kept else ""
        print(f"{name:55}{count:12,}{change}")
    if options.write:
        figures.write(counted)
        return 0
    problems = figures.exceeded(counted, kept)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
