"""Model-checked fuzz of the server.

    python -m tests.model --steps N --seed S [S ...] [--jobs N] [--seconds N] [--save FOLDER] [--write]
    python -m tests.model --replay FILE [--shrink]

Prints the seed, then the counts; the exit status is 1 if a session failed. Each failure is written to a file, from
which it is replayed and shortened. ``--write`` adds a row for each seed, as soon as it is done, to those of the same
code.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import get_context
from pathlib import Path

from .forks import Forks
from .jobs import Job, work
from .report import MODEL, write_run
from .run import Counts, Recording, replay, shrink

_NEVER = 1e9
"""Seconds after which a run without a limit ends."""


def main() -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.model", description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=10_000, help="operations in all processes together")
    parser.add_argument("--seconds", type=float, default=_NEVER, help="end a seed after so many seconds")
    parser.add_argument("--seed", nargs="+", default=["0"], help="one run for each")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--failures", type=int, default=10, help="end after so many failures of a process")
    parser.add_argument("--save", type=Path, default=Path("build/model"), help="folder for sessions that failed")
    parser.add_argument("--replay", type=Path, help="carry out a recorded session")
    parser.add_argument("--shrink", action="store_true", help="with --replay: shorten it; the result replaces the file")
    parser.add_argument("--write", action="store_true", help="write the figures to docs/reliability.md")
    options = parser.parse_args()
    if options.replay is not None:
        return _replay(options.replay, is_shrunk=options.shrink)
    options.save.mkdir(parents=True, exist_ok=True)
    failures = []
    with get_context("spawn").Pool(options.jobs) as pool:
        for seed in options.seed:
            print(f"seed {seed}, {options.steps:,} steps, {options.jobs} processes", flush=True)
            each = options.steps // options.jobs
            jobs = [
                Job(f"{seed}.{one}", each, options.seconds, options.save, options.failures)
                for one in range(options.jobs)
            ]
            counts, wrong = Counts(), []
            for found, some in pool.map(work, jobs, 1):
                counts, wrong = counts.plus(found), wrong + some
            failures += wrong
            print(f"seed {seed}: {_words(counts)}, {len(wrong)} failures", flush=True)
            if options.write:
                write_run(MODEL, (seed, f"{options.jobs}"), (*counts, len(wrong)))
    return 1 if failures else 0


def _words(counts: Counts) -> str:
    return (
        f"{counts.sessions:,} sessions, {counts.steps:,} steps, {counts.requests:,} requests, "
        f"{counts.comparisons:,} comparisons with a fresh server"
    )


def _replay(path: Path, *, is_shrunk: bool) -> int:
    recording, forks = Recording.read(path), Forks()
    failure = replay(recording, forks)
    print(failure or "no failure")
    if failure is not None and is_shrunk:
        shrink(recording, failure.kind, forks).write(path)
    forks.close()
    return 1 if failure is not None else 0


if __name__ == "__main__":
    sys.exit(main())
