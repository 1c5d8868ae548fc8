"""What hostile files cost: ``python -m tests.load [WORD …] [--size CHARACTERS] [--server] [--write]``.

For each generator of ``texts`` and ``sources`` whose name has one of the words: the CPU time of a check per megabyte,
and the exponent of its growth from half the size. With ``--server``: the longest time for which the server would not
read a message, and what it does meanwhile. Each text is checked in a process of its own, so that nothing that is kept
helps. ``--write`` writes the figures into ``docs/reliability.md``. Exit status 1 if a generator is above the bounds.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings
from tests.model.report import machine, write_section

from .pace import ptxas_seconds
from .slices import longest
from .sources import HOSTS
from .texts import GENERATORS

NAMES = (*GENERATORS, *HOSTS)
"""The hostile texts of PTX, and the sources of other languages."""
SECONDS = 2.0
"""The most CPU time per megabyte."""
EXPONENT = 1.25
"""The most that the growth may be, where a check takes longer than ``NOTICEABLE`` seconds."""
NOTICEABLE = 0.3
_TICK = 1e-6
"""A shorter time counts as so many seconds."""
HELD = 0.1
"""The most seconds of CPU time for which the server may not read a message."""
LONGEST = 90
"""CPU seconds after which a check is given up."""
_TIMES = 3
"""How often what is above the bounds is measured."""
_SHOWN = 24
"""So many of the slowest are written down, and all that grow faster or hold the loop longer than is allowed."""


def elsewhere(work: Callable[[], str]) -> str:
    """The result of some work in another process; empty if it takes too long or fails."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            os.write(writing, work().encode())
        finally:
            os._exit(0)
    os.close(writing)
    found = os.read(reading, 100).decode()
    os.close(reading)
    os.waitpid(child, 0)
    return found


def generated(name: str, size: int) -> HostText:
    """A text of about ``size`` characters, and its language."""
    host, generator = HOSTS[name] if name in HOSTS else ("ptx", GENERATORS[name])
    return HostText(generator(size), host)


def cost(file: HostText) -> float:
    """The CPU seconds of a check of a text; infinity if it takes too long."""
    return float(elsewhere(lambda: _checked(file)) or "inf")


def _checked(file: HostText) -> str:
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)  # as the command does
    begin = time.process_time()
    if file.host == "ptx":
        Checker(file.text, Settings()).findings(Settings().max_diagnostics)
    else:
        HostChecker(file, find_sites(file.text, file.host), Settings()).selected()
    return str(time.process_time() - begin)


class Measured(NamedTuple):
    """What a check of a generated text costs."""

    seconds: float
    rate: float
    """Seconds per megabyte."""
    exponent: float
    """Of the growth from half the size."""

    @property
    def is_good(self) -> bool:
        """Whether it is within the bounds."""
        return self.is_linear and self.rate <= SECONDS

    @property
    def is_linear(self) -> bool:
        """Whether the growth is within its bound."""
        return self.exponent <= EXPONENT or self.seconds <= NOTICEABLE


def measure(name: str, size: int) -> Measured:
    """Measure a check. What is above the bounds is measured again: the least counts, a busy machine only adds to it."""
    files = [generated(name, one) for one in (size // 2, size)]
    shorter, length = (len(file.text) for file in files)
    growth = math.log(length / shorter)

    def measured(before: float, after: float) -> Measured:
        exponent = math.inf if after == math.inf else math.log(after / max(before, _TICK)) / growth if growth else 0.0
        return Measured(after, after / length * 1e6, exponent)

    times = [[cost(file)] for file in files]
    first = measured(*map(min, times))
    if first.is_good:
        return first
    for _ in range(_TIMES - 1):
        for found, file in zip(times, files, strict=True):
            found.append(cost(file))
    return measured(*map(min, times))


class Shown(NamedTuple):
    """What was measured of one generator."""

    name: str
    figure: str
    rank: float
    """Larger is worse."""
    is_good: bool
    """Whether it is within the bounds."""
    is_listed: bool
    """Whether it is written down even if many others are worse."""


def show_cost(name: str, size: int) -> Shown:
    """Print what a check of a generated text costs."""
    found = measure(name, size)
    figures = f"{found.rate:8.2f} s/MB  n^{found.exponent:.2f}"
    print(f"{name:44} {figures}{'' if found.is_good else '  too slow'}", flush=True)
    return Shown(name, f"{found.rate:.2f} s/MB, n^{found.exponent:.2f}", found.rate, found.is_good, not found.is_linear)


def show_slice(name: str, size: int) -> Shown:
    """Print how long a generated text holds the loop of the server."""
    seconds, _, work = elsewhere(lambda: "{} {}".format(*longest(generated(name, size)))).partition(" ")
    is_good = bool(seconds) and float(seconds) <= HELD
    figure = f"{float(seconds) * 1000:.0f} ms, {work}" if seconds else f"more than {LONGEST} s"
    print(f"{name:44} {figure}{'' if is_good else '  too long'}", flush=True)
    return Shown(name, figure, float(seconds or "inf"), is_good, not is_good)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    Checker(GENERATORS["missing commas"](300)).findings(10)  # imports count once
    _checked(generated("asm: undeclared registers", 300))
    names = [name for name in NAMES if not arguments.words or any(word in name for word in arguments.words)]
    show = show_slice if arguments.server else show_cost
    shown = [show(name, arguments.size) for name in names]
    good = sum(one.is_good for one in shown)
    bounds = f"{HELD} s" if arguments.server else f"{SECONDS} s/MB and n^{EXPONENT}"
    print(f"{good} of {len(names)} within {bounds}")
    if arguments.write:
        name = "The loop of the server under hostile files" if arguments.server else "Checks of hostile files"
        command = "python -m tests.load " + " ".join(one for one in sys.argv[1:] if one != "--write")
        rows = [
            f"| {one.name} | {one.figure} | {'yes' if one.is_good else 'no'} |"
            for number, one in enumerate(sorted(shown, key=lambda one: -one.rank))
            if number < _SHOWN or one.is_listed
        ]
        text = f"`{command.strip()}`, {machine()}.\n{'' if arguments.server else _pace()}"
        table = "\n".join(["| slowest | figure | within |", "|---|---|---|", *rows])
        write_section(name, f"{text}{good} of {len(names)} within {bounds}.\n\n{table}\n")
    return int(good < len(names))


def _pace() -> str:
    """Sentences on the speed of this machine."""
    seconds = ptxas_seconds()
    if seconds is None:
        return ""
    return f"How fast the machine is: ptxas reads the kept file of 100,000 lines in {seconds:.2f} s of CPU time.\n"


if __name__ == "__main__":
    sys.exit(main())
