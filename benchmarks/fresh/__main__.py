"""Write fresh modules as files, to look at or to keep for measuring.

    python -m benchmarks.fresh --out FOLDER [--seed N] [--lengths 1k,10k]

The seed is printed; the same seed gives the same files with the same nvcc.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from benchmarks import assembler
from benchmarks.fresh import modules
from benchmarks.making import compiling


def main(arguments: list[str] | None = None) -> int:
    """Compile, join, check with ptxas; exit status 1 if it refuses a module, 2 if a program is missing."""
    options = _parse(arguments)
    nvcc, ptxas = compiling.nvcc(), assembler.find()
    if nvcc is None or ptxas is None:
        print("nvcc or ptxas is missing: fresh modules are made with a CUDA toolkit", file=sys.stderr)
        return 2
    print(f"seed {options.seed}")
    options.out.mkdir(parents=True, exist_ok=True)
    refused = 0
    for length in options.lengths.split(","):
        path = modules.write(length, options.seed, nvcc, options.out, lambda line: print(line, file=sys.stderr))
        verdict = assembler.judge(path.read_text(encoding="utf-8"), ptxas)
        refused += not verdict.accepted
        print(f"{path}: {'accepted' if verdict.accepted else f'refused: {verdict.errors[:1]}'}")
    return 1 if refused else 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fresh", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for the files")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="default: a new one each time")
    parser.add_argument("--lengths", default=",".join(modules.LENGTHS), help="default: all")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
