"""Running nvcc, or LLVM's llc, on one source."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.making.sources import LLVM, MODES, Job

_WORKPLACE = Path(tempfile.gettempdir()) / "ptx-lsp-corpus"
"""Where nvcc reads the sources. Debug sections hold the path of the source: it must be the same for everybody."""


_LLVM_VERSION = "ptx75"
"""The newest version of PTX that LLVM 14 writes."""


class CompilationError(RuntimeError):
    """A compiler did not take a source; the message is its."""


def nvcc() -> str | None:
    """Path of nvcc, None where there is no CUDA toolkit."""
    return shutil.which("nvcc")


def llc() -> str | None:
    """Path of LLVM's llc, None where there is none."""
    return shutil.which("llc")


def compile_to_ptx(job: Job, compiler: str, folder: Path) -> Path:
    """Compile into ``folder``; the path of the PTX file. A file that is newer than its source is left as it is."""
    result = folder / job.file_name
    if result.exists() and result.stat().st_mtime > job.source.stat().st_mtime:
        return result
    _WORKPLACE.mkdir(exist_ok=True)
    source = _WORKPLACE / job.source.name
    shutil.copyfile(job.source, source)
    unfinished = result.with_suffix(".part")
    options: tuple[str, ...]
    if job.mode == LLVM:
        options = ("-march=nvptx64", f"-mcpu={job.target}", f"-mattr=+{_LLVM_VERSION}")
    else:
        options = ("-ptx", "-std=c++17", f"-arch={job.target}", *MODES[job.mode])
    command = [compiler, *options, "-o", str(unfinished), source.name]
    run = subprocess.run(command, cwd=_WORKPLACE, capture_output=True, text=True, check=False)
    if run.returncode:
        raise CompilationError(f"{job.file_name}: {run.stderr.strip() or run.stdout.strip()}")
    unfinished.replace(result)
    return result


def compile_text(text: str, name: str, command: list[str]) -> str:
    """The PTX of a source that is given as text; ``name`` is that of its file."""
    with tempfile.TemporaryDirectory(prefix="ptx-lsp-") as folder:
        Path(folder, name).write_text(text, encoding="utf-8")
        run = subprocess.run([*command, "-o", "out.ptx", name], cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode:
            raise CompilationError(f"{' '.join(command)} {name}: {run.stderr.strip() or run.stdout.strip()}")
        return Path(folder, "out.ptx").read_text(encoding="utf-8")
