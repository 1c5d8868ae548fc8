"""Make the corpus: compile the sources of benchmarks/corpus/ for several targets, check the PTX with ptxas.

    python -m benchmarks.make_corpus [--out FOLDER] [--keep] [--only PART]

Without a CUDA toolkit and LLVM's llc it cannot run; the repository holds a selection of what comes out
(``benchmarks/corpus/*.ptx.xz``), which ``--keep`` writes anew.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from benchmarks import assembler
from benchmarks.making import compiling, keeping
from benchmarks.making.sources import LLVM, Job, jobs

BUILD = Path(__file__).parent / "build"


def main(arguments: list[str] | None = None) -> int:
    """Compile, check, print lines per target; exit status 1 if nvcc or ptxas refused anything, 2 if one is missing."""
    options = _parse(arguments)
    nvcc, llc, ptxas = compiling.nvcc(), compiling.llc(), assembler.find()
    if nvcc is None or llc is None or ptxas is None:
        print("nvcc, llc or ptxas is missing: the corpus is made with a CUDA toolkit and LLVM", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    lines: Counter[tuple[str, str]] = Counter()
    faults = 0
    for job in jobs():
        if options.only not in job.file_name:
            continue
        try:
            lines[job.target, job.mode] += _make(job, llc if job.mode == LLVM else nvcc, ptxas, options.out)
        except compiling.CompilationError as error:
            faults += 1
            print(error, file=sys.stderr)
    for (target, mode), count in sorted(lines.items()):
        print(f"{target:8} {mode:12} {count:9,} lines")
    if options.keep and not faults:
        faults += keeping.keep(options.out, ptxas)
    return 1 if faults else 0


def _make(job: Job, compiler: str, ptxas: str, folder: Path) -> int:
    """Compile and check; the number of lines."""
    text = compiling.compile_to_ptx(job, compiler, folder).read_text(encoding="utf-8")
    verdict = assembler.judge(text, ptxas)
    if not verdict.accepted:
        first = verdict.errors[0] if verdict.errors else "it crashed"
        raise compiling.CompilationError(f"{job.file_name}: ptxas refuses it: {first}")
    return text.count("\n")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=BUILD, help="folder for the PTX files (default: benchmarks/build)")
    parser.add_argument("--keep", action="store_true", help="write the selection that the repository holds")
    parser.add_argument("--only", default="", metavar="PART", help="only files whose names contain this")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
