"""How often each rule speaks about code that ptxas accepts.

    python -m benchmarks.warnings [FILE.ptx …] [--code W601] [--show 3]

Of every code: the findings in the kept corpus, how many for 10,000 lines, and some of them. Compilers know what
they write: a rule that speaks more than once in 10,000 lines had better be right each time.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks import kept
from benchmarks.mutations.bases import handwritten
from ptx_lsp import codes
from ptx_lsp.checks.engine.checker import check_text

PER = 10_000
"""Lines."""


class Found(NamedTuple):
    """A finding with its line."""

    code: str
    severity: str
    place: str
    message: str
    text: str


def main(arguments: list[str] | None = None) -> int:
    """Print a table; 1 if a code speaks more than once in 10,000 lines."""
    options = _parse(arguments)
    lines = 0
    counts: Counter[str] = Counter()
    examples: defaultdict[str, list[Found]] = defaultdict(list)
    with ProcessPoolExecutor(options.jobs) as pool:
        for count, found in pool.map(_look, options.files or [*kept.names(), *handwritten()]):
            lines += count
            for one in found:
                counts[one.code] += 1
                examples[one.code].append(one)
    print(f"{lines:,} lines, {sum(counts.values()):,} findings")
    for code, count in sorted(counts.items()):
        if options.code not in (None, code):
            continue
        print(f"\n{code} {codes.NAMES[code]}: {count:,}, {count * PER / lines:.2f} in {PER:,} lines")
        for one in _spread(examples[code], options.show):
            print(f"  {one.place}: {one.severity}: {one.message}\n      {one.text}")
    return 1 if any(count * PER > lines for count in counts.values()) else 0


def _look(name: str | Path) -> tuple[int, list[Found]]:
    """The number of lines of a file, and what is found in it."""
    text = _text(name)
    lines = text.split("\n")
    found = []
    for one in check_text(text):
        number = text.count("\n", 0, one.span.start)
        place = f"{Path(name).name}:{number + 1}"
        message = one.message.partition("\n")[0]
        found.append(Found(one.code, one.severity.name.lower(), place, message, lines[number].strip()))
    return len(lines) - 1, found


def _text(name: str | Path) -> str:
    if isinstance(name, Path):
        return name.read_text(encoding="utf-8")
    return handwritten().get(name) or kept.read(name)


def _spread(found: list[Found], count: int) -> list[Found]:
    """Some of them, of different messages if there are."""
    different = list({one.message: one for one in reversed(found)}.values())[::-1]
    return (different + [one for one in found if one not in different])[:count]


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.warnings", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="*", type=Path, help="PTX files; default: kept and handwritten ones")
    parser.add_argument("--code", help="only this one")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="examples of each")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
