"""ptxas as a judge: does it take a text, and if not, at which lines?

Its check-only mode (``-arch=compute_XX``) reads and checks a module without generating
code, in about 10 ms plus 2 µs a line. It is looked for in ``$PTXAS``, among the installed
packages (the extra ``test``), and on ``PATH``.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import NamedTuple

_PACKAGES = ("nvidia/cu13/bin/ptxas", "nvidia/cuda_nvcc/bin/ptxas")
_TARGET = re.compile(r"^\s*\.target\s+(\w+)", re.MULTILINE)
_LINE_MARKER = re.compile(r"^[ \t]*#[ \t]*(?:line[ \t]+)?\d.*$", re.MULTILINE)
_MESSAGE = re.compile(
    r"^ptxas(?:-\d+)?\s+(?:.*?, line (?P<line>\d+);\s*)?(?P<severity>fatal|error|warning|info)\s*:\s*(?P<text>.*)$"
)
_LINE_IN_TEXT = re.compile(r"\b(?:encountered on line|on line|around line) '?(\d+)'?")
_ABORTED = "Ptx assembly aborted due to errors"
_RENAMED = {"101": "110", "101a": "110a", "101f": "110f"}
"""Targets that CUDA 13 knows under another number."""


class Message(NamedTuple):
    """One message of ptxas. ``line`` counts from 1; 0 if it names none."""

    line: int
    severity: str
    text: str


class Verdict(NamedTuple):
    """What ptxas says about a module. ``crashed``: it died on the text, so it has judged nothing."""

    accepted: bool
    crashed: bool
    errors: tuple[Message, ...]


def find() -> str | None:
    """Path of ptxas, None where there is none."""
    if chosen := os.environ.get("PTXAS"):
        return chosen
    for package in _PACKAGES:
        path = Path(sysconfig.get_path("purelib")) / package
        if path.exists():
            return str(path)
    return shutil.which("ptxas")


def release(ptxas: str) -> str:
    """Its release, such as ``13.0``."""
    printed = subprocess.run([ptxas, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"release (\S+),", printed)
    return found[1] if found else "unknown"


def architecture(text: str, ptxas: str) -> str:
    """Number to check a module under (``90a``): its own target, or the next newer one that this ptxas has."""
    found = _TARGET.search(text)
    name = found[1].removeprefix("sm_") if found else "90"
    known = _architectures(ptxas)
    if name in known:
        return name
    if _RENAMED.get(name) in known:
        return _RENAMED[name]
    number = _number(name)
    newer = [arch for arch in known if arch.isdigit() and int(arch) >= number]
    return newer[0] if newer else known[-1]


def generates(target: str, ptxas: str) -> bool:
    """Whether it generates code for the very target (``sm_90a``)."""
    return target.removeprefix("sm_") in _architectures(ptxas)


def judge(text: str, ptxas: str, timeout: float = 60.0, *, generate: bool = False) -> Verdict:
    """Check a module, or generate code for it that can be linked.

    Line markers (``# 12 "file.cu"``) are blanked, so that lines are those of the text.
    """
    mode = (
        ["-c", f"-arch=sm_{architecture(text, ptxas)}"] if generate else [f"-arch=compute_{architecture(text, ptxas)}"]
    )
    command = [ptxas, *mode, "-o", os.devnull, "/dev/stdin"]
    given = _LINE_MARKER.sub("", text).encode("utf-8", "surrogateescape")
    try:
        run = subprocess.run(
            command, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return Verdict(accepted=False, crashed=True, errors=())
    output = run.stdout.decode("utf-8", "replace")
    errors = tuple(message for message in _messages(output) if message.severity in ("fatal", "error"))
    # A crash is a signal, or errors of lines without the closing sentence.
    crashed = run.returncode < 0 or (any(error.line for error in errors) and _ABORTED not in output)
    return Verdict(accepted=run.returncode == 0, crashed=crashed, errors=errors)


def _messages(output: str) -> list[Message]:
    """Messages in the order printed, up to a fatal one with a line: what comes after speaks of ptxas's own text."""
    found: list[Message] = []
    for printed in output.splitlines():
        match = _MESSAGE.match(printed)
        if match is None or match["text"].startswith(_ABORTED):
            continue
        line = int(match["line"] or 0)
        if not line and (inner := _LINE_IN_TEXT.search(match["text"])):
            line = int(inner[1])
        found.append(Message(line, match["severity"], match["text"].strip()))
        if match["severity"] == "fatal" and line:
            break
    return found


@functools.cache
def _architectures(ptxas: str) -> tuple[str, ...]:
    printed = subprocess.run([ptxas, "--help"], capture_output=True, text=True, check=True).stdout
    return tuple(sorted(set(re.findall(r"'compute_(\d+[af]?)'", printed)), key=lambda name: (_number(name), name)))


def _number(name: str) -> int:
    digits = re.match(r"\d+", name)
    return int(digits[0]) if digits else 0
