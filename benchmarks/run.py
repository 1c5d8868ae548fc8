"""Speed and memory in one table, against the budgets of the design.

    python -m benchmarks.run [--quick]

Times are wall-clock times; what is compared ran in turns, in the same minutes. "ours/ptxas" compares with ``ptxas
-arch=compute_XX`` (it checks and generates nothing) on the same file, "Lark/ours" with plain Lark parsing of the same
text: on a busy machine look at these two. Nothing is asserted here; ``tests/test_speed.py`` gates on ratios.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

from benchmarks import assembler
from benchmarks.speed.plan import Plan, rows
from benchmarks.speed.table import show


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples, nothing of a million lines")
    parser.add_argument("--times", type=int, default=5, help="samples of what runs in processes of their own")
    parser.add_argument("--no-server", action="store_true", help="leave the server out")
    options = parser.parse_args(arguments)
    ptxas = assembler.find()
    judge = f"ptxas {assembler.release(ptxas)}" if ptxas else "no ptxas, so nothing is compared with it"
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f} at the start, {judge}\n")
    with tempfile.TemporaryDirectory(prefix="ptx-lsp-") as folder:
        times = 3 if options.quick else options.times
        plan = Plan(Path(folder), ptxas, times=times, big=not options.quick, server=not options.no_server)
        print(show(list(rows(plan, lambda what: print(f"… {what}", file=sys.stderr)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
