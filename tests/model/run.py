"""Sessions from a seed, their replay, and the search for a short one that fails in the same way.

Not Hypothesis: what a server does depends on time too, which its shrinking takes for a flaky test; and a session is
longer than what it generates. So operations are recorded as data, and shortened by leaving some out.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .actions import Actions
from .client import FailureError
from .comparison import Comparison
from .forks import Forks, Plan
from .profiles import initialize_params, plan
from .session import Operation, Options, Session

STEPS = 400
"""Operations of a session."""
_REAL_SHARE = 0.03
"""Share of the sessions with the real command, whose imports take their time."""


class Counts(NamedTuple):
    """What was done."""

    sessions: int = 0
    steps: int = 0
    requests: int = 0
    comparisons: int = 0

    def plus(self, other: Counts) -> Counts:
        """The sum."""
        return Counts(*(one + two for one, two in zip(self, other, strict=True)))


class Recording(NamedTuple):
    """A session as data."""

    options: Options
    operations: list[Operation]

    def write(self, path: Path) -> None:
        """Write it to a file."""
        options = {**self.options._asdict(), "plan": self.options.plan.json}
        path.write_text(json.dumps({"options": options, "operations": self.operations}, indent=1))

    @classmethod
    def read(cls, path: Path) -> Recording:
        """A recording from a file."""
        found = json.loads(path.read_text())
        course = Plan(tuple(found["options"]["plan"]["early"]), found["options"]["plan"]["times"])
        return cls(Options(**{**found["options"], "plan": course}), found["operations"])


class Outcome(NamedTuple):
    """The end of a session."""

    recording: Recording
    counts: Counts
    failure: FailureError | None


def options_of(draw: random.Random) -> Options:
    """The circumstances of a session."""
    is_forked = draw.random() >= _REAL_SHARE
    params = initialize_params(draw, watches=not is_forked or draw.random() < 0.6)
    return Options(params, plan(draw), is_forked, holds=draw.random() < 0.3, applies=draw.random() < 0.5)


def run_session(seed: str, steps: int, forks: Forks) -> Outcome:
    """A session of random operations; compared with fresh servers from time to time, and at its end."""
    draw = random.Random(seed)
    options = options_of(draw)
    interval = draw.choice((50, 100, 200, 400))
    recording = Recording(options, [])
    session: Session | None = None
    comparisons = 0
    failure: FailureError | None = None
    try:
        session = Session(options, forks, _folder())
        actions = Actions(session, draw)
        late = draw.choice((0, 0, 0, 1, 2, 4))
        next_check = interval
        for operation in actions.all(late):
            recording.operations.append(operation)
            session.execute(operation)
            is_over = session.steps >= steps
            if session.steps >= next_check or is_over:
                next_check = session.steps + interval
                recording.operations.append(["check", draw.randrange(1 << 30)])
                comparisons += 1
                Comparison(session, recording.operations[-1][1]).run()
            if is_over:
                break
        session.close(is_orderly=True)
    except FailureError as error:
        failure = error
    except Exception as error:  # noqa: BLE001  # of the model itself: reported like a failure
        failure = FailureError(f"the model: {type(error).__name__}", traceback.format_exc())
    if failure is not None and session is not None:
        session.close(is_orderly=False)
    counts = Counts(1, session.steps, session.requests, comparisons) if session is not None else Counts()
    return Outcome(recording, counts, failure)


def replay(recording: Recording, forks: Forks) -> FailureError | None:
    """The failure of a recorded session; None if it has none."""
    session: Session | None = None
    try:
        session = Session(recording.options, forks, _folder())
        for operation in recording.operations:
            if operation[0] == "check":
                Comparison(session, operation[1]).run()
            else:
                session.execute(operation)
        session.close(is_orderly=True)
    except FailureError as error:
        if session is not None:
            session.close(is_orderly=False)
        return error
    return None


def shrink(
    recording: Recording, kind: str, forks: Forks, *, attempts: int = 400, report: Callable[[str], Any] = print
) -> Recording:
    """A shorter recording that fails in the same way, by leaving out operations; the same if it fails only at times."""

    def fails(operations: Sequence[Operation]) -> bool:
        nonlocal attempts
        attempts -= 1
        try:
            failure = replay(recording._replace(operations=list(operations)), forks)
        except Exception:  # noqa: BLE001  # the shortened session makes no sense
            return False
        return failure is not None and failure.kind == kind

    operations = recording.operations
    if not fails(operations) and not fails(operations):
        report("the failure does not repeat")
        return recording
    size = max(1, len(operations) // 2)
    while attempts > 0:
        start, before = 0, len(operations)
        while start < len(operations) and attempts > 0:
            shorter = operations[:start] + operations[start + size :]
            if fails(shorter):
                operations = shorter
            else:
                start += size
        if size == 1 and len(operations) == before:
            break
        size = max(1, size // 2)
        report(f"{len(operations)} operations")
    return recording._replace(operations=operations)


def _folder() -> Path:
    """The folder of the sessions of this process."""
    return Path(tempfile.gettempdir()) / f"ptx-lsp-model-{os.getpid()}"
