"""Running ptxas on a text."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

_SAID = re.compile(r"ptxas(?:-\S+)?(?: \S+, line (\d+);)? (error|fatal|warning)\s*: (.*)")
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)(?:\w*?([af])|\w*)(?!\w)", re.MULTILINE)
_OLDEST = 75
_HOSTS = {82: 86, 101: 110}
"""Targets that only newer ones read."""
_ONLY_COMPILED = "requires command line option '--compile-only'"
"""What needs a device linker, such as unified variables."""
_PATIENCE = 10
"""Seconds for the code of a snippet."""
_UNKNOWN = frozenset({99})
"""Targets that tests make up."""


class Answer(NamedTuple):
    """The result of ptxas for a text: acceptance, errors by line, counted from 0, and warnings."""

    accepted: bool
    errors: dict[int, list[str]]
    warnings: list[str]


def judge(ptxas: Path, text: str) -> Answer:
    """Let ptxas check a text and, if it finds nothing, generate code for it that can be linked."""
    answer = ask(ptxas, text)
    if not answer.accepted:
        return answer
    try:
        return ask(ptxas, text, "sm", "-c")
    except subprocess.TimeoutExpired:  # for variables of gigabytes
        return answer


def ask(ptxas: Path, text: str, kind: str = "compute", *options: str) -> Answer:
    """Let ptxas check a text, or with ``sm`` generate code for it."""
    target = _TARGET.search(text)
    number, suffix = (int(target[1]), target[2] or "") if target and int(target[1]) not in _UNKNOWN else (_OLDEST, "")
    arch = f"{kind}_{_HOSTS.get(number, max(number, _OLDEST))}{suffix}"
    command = [str(ptxas), f"-arch={arch}", *options, "-o", "/dev/null", "/dev/stdin"]
    done = subprocess.run(
        command,
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
        timeout=60 if kind == "compute" else _PATIENCE,
    )
    errors: dict[int, list[str]] = {}
    warnings: list[str] = []
    for line in (done.stdout + done.stderr).decode(errors="replace").split("\n"):
        said = _SAID.match(line)
        if said is not None and said[2] == "warning":
            warnings.append(said[3])
        elif said is not None:
            number = said[1] or (re.findall(r"on line (\d+)", said[3]) or ["0"])[0]
            errors.setdefault(int(number) - 1, []).append(said[3].strip())
            if said[2] == "fatal":
                break  # what follows is about ptxas's own text
    if not options and any(_ONLY_COMPILED in one for said in errors.values() for one in said):
        return ask(ptxas, text, kind, "-c")
    if done.returncode < 0:
        errors.setdefault(-1, []).append("ptxas crashes")
    return Answer(done.returncode == 0, errors, warnings)
