"""Running nvcc on one source."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.making.sources import MODES, Job

_WORKPLACE = Path(tempfile.gettempdir()) / "ptx-lsp-corpus"
"""Where nvcc reads the sources. Debug sections hold the path of the source: it must be the same for everybody."""


class CompilationError(RuntimeError):
    """nvcc did not take a source; the message is nvcc's."""


def nvcc() -> str | None:
    """Path of nvcc, None where there is no CUDA toolkit."""
    return shutil.which("nvcc")


def compile_to_ptx(job: Job, compiler: str, folder: Path) -> Path:
    """Compile into ``folder``; the path of the PTX file. A file that is newer than its source is left as it is."""
    result = folder / job.file_name
    if result.exists() and result.stat().st_mtime > job.source.stat().st_mtime:
        return result
    _WORKPLACE.mkdir(exist_ok=True)
    source = _WORKPLACE / job.source.name
    shutil.copyfile(job.source, source)
    unfinished = result.with_suffix(".part")
    command = [
        compiler,
        "-ptx",
        "-std=c++17",
        f"-arch={job.target}",
        *MODES[job.mode],
        "-o",
        str(unfinished),
        source.name,
    ]
    run = subprocess.run(command, cwd=_WORKPLACE, capture_output=True, text=True, check=False)
    if run.returncode:
        raise CompilationError(f"{job.file_name}: {run.stderr.strip() or run.stdout.strip()}")
    unfinished.replace(result)
    return result
