"""What ptxas and the checker say of generated declarations."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from benchmarks import assembler
from benchmarks.declarations.writing import Case, header
from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity

MODULES = (
    ("1.4", "sm_13"),
    ("2.0", "sm_20"),
    ("2.3", "sm_20"),
    ("3.0", "sm_30"),
    ("5.0", "sm_60"),
    ("6.5", "sm_75"),
    ("7.0", "sm_80"),
    ("8.0", "sm_90"),
    ("9.0", "sm_100a"),
    ("9.4", "sm_103a"),
)
_PACK = 400


class Answer(NamedTuple):
    """The verdicts on one case in a module of some version and target."""

    case: Case
    version: str
    target: str
    message: str
    """The first error of ptxas; empty if it takes the case."""
    ours: tuple[Diagnostic, ...]
    """Our errors."""

    @property
    def agrees(self) -> bool:
        """Whether both take it or both refuse it."""
        return bool(self.message) == bool(self.ours)

    @property
    def is_false(self) -> bool:
        """Whether we alone refuse it."""
        return bool(self.ours) and not self.message


def ask(cases: Sequence[Case], version: str, target: str, ptxas: str, jobs: int = 2) -> list[Answer]:
    """The verdicts on each case, none if ptxas does not know the version. Where they differ the case is asked alone."""
    if not assembler.judge(header(version, target), ptxas).accepted:
        return []
    packs = [cases[start : start + _PACK] for start in range(0, len(cases), _PACK)]
    with ThreadPoolExecutor(jobs) as pool:
        judged = pool.map(lambda pack: _judge(pack, version, target, ptxas), packs)
        answers = []
        for pack, messages in zip(packs, judged, strict=True):
            for case, message in zip(pack, messages, strict=True):
                answer = Answer(case, version, target, message, errors(case, version, target))
                if not answer.agrees:
                    answer = answer._replace(message=alone(case, version, target, ptxas))
                answers.append(answer)
    return answers


def errors(case: Case, version: str, target: str) -> tuple[Diagnostic, ...]:
    """Our errors in a module of one case."""
    found = check_text(header(version, target) + case.written("v1"))
    return tuple(diagnostic for diagnostic in found if diagnostic.severity is Severity.ERROR)


def alone(case: Case, version: str, target: str, ptxas: str) -> str:
    """The first error of ptxas in a module of one case."""
    verdict = assembler.judge(header(version, target) + case.written("v1"), ptxas)
    if verdict.accepted:
        return ""
    return verdict.errors[0].text if verdict.errors else "it died"


def _judge(cases: Sequence[Case], version: str, target: str, ptxas: str) -> list[str]:
    """The first error of ptxas in each case. A fatal one hides all that follows, which is then asked again."""
    messages: list[str] = []
    size = len(cases)
    while len(messages) < len(cases):
        batch = cases[len(messages) : len(messages) + size]
        parts = [header(version, target)]
        starts = [parts[0].count("\n") + 1]
        for number, case in enumerate(batch):
            parts.append(case.written(f"v{number}"))
            starts.append(starts[-1] + parts[-1].count("\n"))
        text = "".join(parts)
        verdict = assembler.judge(text, ptxas)
        if verdict.crashed or any(error.line < starts[0] for error in verdict.errors):
            size = max(len(batch) // 2, 1)
            if len(batch) == 1:
                messages.append(alone(batch[0], version, target, ptxas))
            continue
        found = [""] * len(batch)
        reached = len(batch)
        for error in verdict.errors:
            index = bisect.bisect_right(starts, error.line) - 1
            found[index] = found[index] or error.text
            if error.severity == "fatal":
                reached = min(reached, index + 1)
        messages += found[:reached]
        size = 2 * size if reached == len(batch) else max(2 * reached, 16)
    return messages
