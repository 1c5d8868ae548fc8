"""What hostile files cost: ``python -m tests.load [WORD …] [--size CHARACTERS]``.

For each generator of :mod:`tests.load.hostile` whose name has one of the words: the CPU time of a check per megabyte,
and the exponent of its growth from half the size. Each text is checked in a process of its own, so that nothing that
is kept helps. Exit status 1 if a generator is above the bounds.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
import time

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings

from .hostile import GENERATORS

SECONDS = 2.0
"""The most CPU time per megabyte."""
EXPONENT = 1.25
"""The most that the growth may be, where a check takes longer than ``NOTICEABLE`` seconds."""
NOTICEABLE = 0.3
LONGEST = 20
"""Seconds after which a check is given up."""


def cost(text: str) -> float:
    """The CPU seconds of a check of a text, in another process; infinity if it takes too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        begin = time.process_time()
        Checker(text, Settings()).findings(Settings().max_diagnostics)
        os.write(writing, str(time.process_time() - begin).encode())
        os._exit(0)
    os.close(writing)
    found = os.read(reading, 100)
    os.close(reading)
    os.waitpid(child, 0)
    return float(found) if found else math.inf


def measure(name: str, size: int) -> tuple[float, float, float]:
    """CPU seconds, seconds per megabyte, and the exponent of the growth from half the size."""
    texts = [GENERATORS[name](one) for one in (size // 2, size)]
    before, after = map(cost, texts)
    exponent = math.log(after / before) / math.log(len(texts[1]) / len(texts[0])) if after < math.inf else math.inf
    return after, after / len(texts[1]) * 1e6, exponent


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--size", type=int, default=1_000_000)
    arguments = parser.parse_args()
    Checker(GENERATORS["missing commas"](300)).findings(10)  # imports count once
    names = [name for name in GENERATORS if not arguments.words or any(word in name for word in arguments.words)]
    slow = 0
    for name in names:
        seconds, rate, exponent = measure(name, arguments.size)
        is_slow = rate > SECONDS or (exponent > EXPONENT and seconds > NOTICEABLE)
        slow += is_slow
        print(f"{name:36} {rate:8.2f} s/MB  n^{exponent:.2f}{'  too slow' if is_slow else ''}", flush=True)
    print(f"{len(names) - slow} of {len(names)} within {SECONDS} s/MB and n^{EXPONENT}")
    return bool(slow)


if __name__ == "__main__":
    sys.exit(main())
