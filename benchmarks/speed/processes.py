"""Running a command and taking its wall-clock time, its processor time and its peak memory. Linux only."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
"""As where ptx-lsp is installed: modules are compiled in the first run and read from their caches in all others."""

_BETWEEN_LOOKS = 0.02
_FEWEST_LOOKS = 5
_BECOME_PARENT_OF_ORPHANS = 36
"""``PR_SET_CHILD_SUBREAPER`` of Linux."""


class Run(NamedTuple):
    """Seconds: ``wall``, and ``cpu`` in user and system mode of the process and of those it started."""

    wall: float
    cpu: float


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=quiet, stderr=quiet)


def run(command: Sequence[str]) -> Run:
    """Run to its end, output thrown away."""
    begin = time.perf_counter()
    process = _started(command)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(wall, usage.ru_utime + usage.ru_stime + _orphans())


def adopt_orphans() -> None:
    """Become the parent of processes whose own parent has ended, so that :func:`run` learns their processor time."""
    ctypes.CDLL(None).prctl(_BECOME_PARENT_OF_ORPHANS, 1, 0, 0, 0)


def _orphans() -> float:
    """Processor time of what a command has left behind; waits for its end."""
    seconds = 0.0
    with suppress(ChildProcessError):
        while True:
            usage = os.wait4(-1, 0)[2]
            seconds += usage.ru_utime + usage.ru_stime
    return seconds


def peak_memory(command: Sequence[str]) -> float:
    """The most memory in MB that a command and the processes that it starts occupy together.

    Looked up fifty times a second, in a run of its own, since looking slows it down. Memory that processes share
    counts once. Of a command that ends before some looks it is what the system counted of its first process.
    """
    process = _started(command)
    looks: list[float] = []
    while True:
        ended, _, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            return max(looks) if len(looks) >= _FEWEST_LOOKS else usage.ru_maxrss / 1024
        looks.append(memory(process.pid))
        time.sleep(_BETWEEN_LOOKS)


def memory(pid: int) -> float:
    """MB that a process and those it has started occupy together."""
    return sum(_memory_of_one(member) for member in _family(pid))


def _memory_of_one(pid: int) -> float:
    """MB of a process: its own pages, and its share of those that several use. 0 if it has ended."""
    with suppress(OSError):
        if found := re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE):
            return int(found[1]) / 1024
    return 0.0


def processor_time(pid: int) -> float:
    """Seconds that a process has run."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def work(pid: int) -> float:
    """Seconds that the first thread of a process has run, to the nanosecond."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _family(pid: int) -> Iterator[int]:
    """A process and all that it has started, directly or not."""
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))
