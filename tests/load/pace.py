"""How fast this machine is, from the time that ptxas takes: seconds of a check say little without it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks import assembler, kept
from benchmarks.speed.processes import run

FILE = "f100k.ptx"
"""A kept file of 101,695 lines that nvcc made."""
_RUNS = 5


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
