"""How fast this machine is, from the time that ptxas takes: a bound in seconds says nothing without it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from benchmarks import assembler, kept
from benchmarks.speed.processes import run

FILE = "f100k.ptx"
"""A kept file of 101,695 lines that nvcc made."""
REFERENCE = 0.27
"""CPU seconds that ptxas takes for it on the machine that bounds are for."""
_RUNS = 5


@cache
def ptxas_seconds() -> float | None:
    """The least CPU seconds of a few runs of ptxas on the file; None without ptxas."""
    ptxas = assembler.find()
    if ptxas is None:
        return None
    text = kept.read(FILE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        path.write_text(text, "utf-8")
        command = [ptxas, f"-arch=compute_{assembler.architecture(text[:1000], ptxas)}", "-o", "/dev/null", str(path)]
        return min(run(command).cpu for _ in range(_RUNS))


def slowness() -> float:
    """How many times as long the same work takes here as where the bounds hold; 1 on faster machines."""
    return max(1.0, (ptxas_seconds() or REFERENCE) / REFERENCE)
