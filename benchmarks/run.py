"""Speed and memory on kept and on fresh files, beside ptxas.

    python -m benchmarks.run [--write] [--quick] [--seed N | --files FOLDER]

Fresh files are compiled from ``benchmarks/fresh`` with parameters drawn from a seed: a new one each time, or that of
``--seed``. ``--files`` takes 1k.ptx, 10k.ptx, 100k.ptx and 1m.ptx of a folder instead. Prints ``docs/performance.md``;
``--write`` writes it. Nothing is asserted here: the gate is ``tests/test_steps.py``, on counts of steps. Linux only.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from benchmarks import assembler
from benchmarks.fresh import modules
from benchmarks.making import compiling
from benchmarks.speed.conditions import conditions
from benchmarks.speed.document import Measured, document
from benchmarks.speed.measuring import Plan, check_figures, server_figures
from benchmarks.speed.processes import ROOT, adopt_orphans
from benchmarks.speed.texts import LENGTHS, Text, kept_text, text_of

DOCUMENT = ROOT / "docs" / "performance.md"


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write if asked."""
    options = _parse(arguments)
    adopt_orphans()
    ptxas = assembler.find()
    plan = Plan(options.times, 60 if options.quick else 200, ptxas, _report)
    lengths = LENGTHS[:-1] if options.quick else LENGTHS
    with tempfile.TemporaryDirectory(prefix="ptx-lsp-") as folder:
        fresh, origin = _fresh(options, lengths, Path(folder))
        sentences = [*_conditions(ptxas), f"Rounds: {options.times}.", origin]
        print("\n".join(sentences), file=sys.stderr)
        measured: list[Measured] = []
        for length in lengths:
            texts = [kept_text(length, Path(folder)), *(text for text in fresh if text.length == length)]
            figures = zip(texts, check_figures(texts, plan), server_figures(texts, plan), strict=True)
            measured += [Measured(*one) for one in figures]
    measured.sort(key=lambda one: one.text.set != "fresh")
    page = document(measured, sentences)
    print(page)
    if options.write:
        DOCUMENT.write_text(page, encoding="utf-8")
    return 0


def _fresh(options: argparse.Namespace, lengths: tuple[str, ...], folder: Path) -> tuple[list[Text], str]:
    """The fresh files, and a sentence on their origin."""
    if options.files:
        return [text_of(options.files / f"{length}.ptx", length) for length in lengths], "Fresh files: set aside."
    nvcc = compiling.nvcc()
    if nvcc is None:
        return [], "No fresh files: nvcc of a CUDA toolkit, which compiles them, is missing. Kept files flatter."
    texts = [text_of(modules.write(one, options.seed, nvcc, folder, _report), one) for one in lengths]
    return texts, f"Fresh files: seed {options.seed} (`--seed {options.seed}` makes them again with the same nvcc)."


def _conditions(ptxas: str | None) -> list[str]:
    """Sentences on the machine, the programs and the commit."""
    commit, processors = conditions()
    return [
        commit,
        f"ptxas {assembler.release(ptxas)}." if ptxas else "No ptxas was found, so nothing is compared with it.",
        processors,
    ]


def _report(line: str) -> None:
    print(f"… {line}", file=sys.stderr)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    parser.add_argument("--quick", action="store_true", help="fewer keystrokes, nothing of a million lines")
    parser.add_argument("--times", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="of the fresh files")
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="measure these instead of compiling fresh ones")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
