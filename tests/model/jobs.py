"""Runs of many sessions, each process with a part of them."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import NamedTuple

from .forks import Forks
from .run import STEPS, Counts, run_session


class Job(NamedTuple):
    """A part of a run."""

    seed: str
    steps: int
    seconds: float
    folder: Path
    most_failures: int


def work(job: Job) -> tuple[Counts, list[str]]:
    """Sessions one after the other; the counts, and the failures, one line each."""
    forks = Forks()
    counts = Counts()
    failures: list[str] = []
    end = monotonic() + job.seconds
    number = 0
    while counts.steps < job.steps and monotonic() < end and len(failures) < job.most_failures:
        seed = f"{job.seed}/{number}"
        number += 1
        outcome = run_session(seed, min(STEPS, job.steps), forks)
        counts = counts.plus(outcome.counts)
        if outcome.failure is not None:
            path = job.folder / f"{seed.replace('/', '-')}.json"
            outcome.recording.write(path)
            path.with_suffix(".txt").write_text(str(outcome.failure))
            failures.append(f"seed {seed}: {outcome.failure.kind} ({path})")
            print(failures[-1], flush=True)
        if number % 10 == 0:
            print(f"seed {job.seed}: {counts.steps:,} steps, {len(failures)} failures", flush=True)
    forks.close()
    return counts, failures
