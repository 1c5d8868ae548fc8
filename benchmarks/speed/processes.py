"""Running a command and taking its wall-clock time and its peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent


class Run(NamedTuple):
    """``wall`` in seconds, ``memory`` (peak, resident) in MB, exit status."""

    wall: float
    memory: float
    status: int


def run(command: Sequence[str]) -> Run:
    """Run to its end, output thrown away."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(wall, usage.ru_maxrss / 1024, process.returncode)


def alternate(commands: Sequence[Sequence[str]], times: int) -> list[list[Run]]:
    """Run the commands in turns, so that a busy moment of the machine meets all of them; the runs of each."""
    runs: list[list[Run]] = [[] for _ in commands]
    for _ in range(times):
        for command, list_ in zip(commands, runs, strict=True):
            list_.append(run(command))
    return runs


def measured_inside(measurement: str, *arguments: str) -> Any:
    """What a measurement of :mod:`benchmarks.speed.inside` returns in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.speed.inside", measurement, *arguments]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise RuntimeError(f"{measurement} failed:\n{finished.stderr[-2000:]}")
    return json.loads(finished.stdout)
