"""How fast it is found where descriptors come from, and how much of them.

    python -m benchmarks.packed [FILE.ptx …] [--runs N]

Of each file: milliseconds of the processor for all operands that are descriptors, for 10,000 lines and for one operand;
the longest that one operand takes which is asked for alone, with nothing known of its function; and of how many every
field is known but the address (a field that is made at run time counts as not known). The best of several runs. Without
files the kept ones that have descriptors. The exit status is 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks import kept
from ptx_lsp.analysis.dataflow.control_flow_graph import Graphs
from ptx_lsp.analysis.descriptors.faults import packed_instructions
from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.engine.checker import Checker

LIMIT = 10.0
"""Milliseconds for 10,000 lines, over all files together; short files that are nothing but descriptors take more."""
LIMIT_ALONE = 1.0
"""Milliseconds for one operand of a function that is known."""
MOST_ALONE = 40
"""Operands of a file that are asked for alone."""
AT_RUN_TIME = frozenset({"start"})


class Row(NamedTuple):
    """One file."""

    name: str
    lines: int
    operands: int
    known: int
    total: float
    """Seconds for all operands."""
    first: float
    """Seconds for one operand, asked for first: the worst of some."""


def main(arguments: list[str] | None = None) -> int:
    """Print a table; 1 if a limit is missed."""
    options = _parse(arguments)
    texts = {path.name: path.read_text(encoding="utf-8") for path in options.files}
    rows = [row for name, text in (texts or _kept()).items() if (row := _row(name, text, options.runs))]
    print(f"{'':44}{'lines':>8}{'operands':>9}{'known':>7}{'ms/10,000':>10}{'ms each':>9}{'ms first':>9}")
    for row in rows:
        _print(row)
    if not rows:
        return 0
    every = Row(
        "all",
        sum(row.lines for row in rows),
        sum(row.operands for row in rows),
        sum(row.known for row in rows),
        sum(row.total for row in rows),
        max(row.first for row in rows),
    )
    _print(every)
    speed, each = every.total * 1e7 / every.lines, every.total * 1e3 / every.operands
    print(f"used of {LIMIT:g} ms for 10,000 lines: {speed / LIMIT:.0%}")
    print(f"used of {LIMIT_ALONE:g} ms for an operand: {each / LIMIT_ALONE:.0%}")
    return 1 if speed > LIMIT or each > LIMIT_ALONE else 0


def _print(row: Row) -> None:
    share, speed = row.known / row.operands, row.total * 1e7 / row.lines
    each, first = row.total * 1e3 / row.operands, row.first * 1e3
    print(f"{row.name[:43]:44}{row.lines:8,}{row.operands:9,}{share:7.0%}{speed:10.2f}{each:9.3f}{first:9.2f}")


def _kept() -> dict[str, str]:
    return {name: text for name in kept.names() if "wgmma.mma" in (text := kept.read(name)) or "tcgen05.mma" in text}


def _row(name: str, text: str, runs: int) -> Row | None:
    semantics = Checker(text).semantics
    module, graphs = semantics.module, Graphs(semantics.effects)
    uses = [context for function in module.functions for context in packed_instructions(module, function)]
    operands = _all(graphs, uses)
    if not operands:
        return None
    total = min(_timed(graphs, uses) for _ in range(runs))
    alone = uses[:: max(1, len(uses) // MOST_ALONE)]
    first = max(min(_timed(graphs, [context]) for _ in range(runs)) for context in alone)
    return Row(name, text.count("\n"), len(operands), sum(map(_is_known, operands)), total, first)


def _timed(graphs: Graphs, uses: list[StatementContext]) -> float:
    """Seconds of the processor for the operands of instructions; of the functions nothing is known before."""
    for chunk in graphs.module.document.chunks:
        chunk.forget_derived()
    gc.collect()
    start = time.process_time()
    _all(graphs, uses)
    return time.process_time() - start


def _all(graphs: Graphs, uses: list[StatementContext]) -> list[KnownOperand]:
    values = {}
    found = []
    for context in uses:
        of = values.get(context.function.first)
        if of is None:
            of = values[context.function.first] = PackedValues(graphs, context.function)
        found += of.operands(StatementContext(graphs.module, context.function, context.chunk, context.index))
    return found


def _is_known(known: KnownOperand) -> bool:
    return all(one.meaning is not None or one.field.key in AT_RUN_TIME for one in known.reading.fields)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.ptx")
    parser.add_argument("--runs", type=int, default=3, help="the best of so many counts (default: 3)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
