"""``python -m benchmarks.hardware [NAME …]`` runs experiments on this machine's GPU; ``--write``: docs/hardware.md."""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
from pathlib import Path

from benchmarks.gpu import Gpu
from benchmarks.hardware.experiment import Experiment, Outcome
from benchmarks.hardware.experiments import EMPTY, EXPERIMENTS

DOCUMENT = Path(__file__).parents[2] / "docs" / "hardware.md"
_LONGEST = 20
"""Seconds after which a kernel hangs."""


def main() -> int:
    """Run the chosen experiments, each in a process of its own, because a fault ends the context; 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hardware", description=__doc__)
    parser.add_argument("names", nargs="*", help="experiments; default: all")
    parser.add_argument("--write", action="store_true", help="write docs/hardware.md")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_observed(_by_name(options.one))))
        return 0
    chosen = [_by_name(name) for name in options.names] or list(EXPERIMENTS)
    results = [(one, _in_a_process(one)) for one in chosen]
    for one, outcome in results:
        print(f"{'as claimed' if one.shows(outcome) else 'NOT AS CLAIMED'}: {one.name}: {_in_words(one, outcome)}")
    if options.write:
        DOCUMENT.write_text(document(Gpu().name(), results), "utf-8")
    return int(not all(one.shows(outcome) for one, outcome in results))


def document(machine: str, results: list[tuple[Experiment, Outcome]]) -> str:
    """The document: a row for each experiment."""
    rows = [
        f"| `{one.page}` | {one.claim} | {_in_words(one, outcome)} | `{one.name}` |"
        for one, outcome in results
        if one.shows(outcome)
    ]
    return "\n".join(
        [
            "# Hardware behavior, seen on a GPU\n",
            "Claims of instruction pages that the manual leaves open. `python -m benchmarks.hardware NAME` runs the",
            f"kernel of an experiment; all of them were run on an {machine}.\n",
            "| page | claim | seen | experiment |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _by_name(name: str) -> Experiment:
    found = next((one for one in EXPERIMENTS if one.name == name), None)
    if found is None:
        sys.exit(f"there is no experiment '{name}'; there are: {', '.join(one.name for one in EXPERIMENTS)}")
    return found


def _in_a_process(one: Experiment) -> Outcome:
    command = [sys.executable, "-m", "benchmarks.hardware", "--one", one.name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return "hangs"
    return json.loads(done.stdout) if done.returncode == 0 else f"fails: {done.stderr.strip().splitlines()[-1]}"


def _observed(one: Experiment) -> Outcome:
    gpu = Gpu()
    module = gpu.load(one.kernel())
    try:
        found = gpu.run(module, "k", b"", 4 * one.threads * one.words, one.threads, [])
    except OSError as error:
        try:
            gpu.do("cuCtxSynchronize")
        except OSError as again:
            return f"{error}, then {again}"
        return str(error)
    return list(struct.unpack(f"<{one.threads * one.words}I", found))


def _in_words(one: Experiment, outcome: Outcome) -> str:
    """The outcome, of many equal threads those of the first."""
    if isinstance(outcome, str):
        return outcome
    threads = [tuple(outcome[at : at + one.words]) for at in range(0, len(outcome), one.words)]
    shown = [" ".join("-" if word == EMPTY else str(word) for word in thread) for thread in dict.fromkeys(threads)]
    return "; ".join(shown[:4]) + (" …" if len(shown) > 4 else "")


if __name__ == "__main__":
    sys.exit(main())
