"""A terminal to run commands in, with a checker so simple that these tests are about the terminal side alone.

The stand-in finds the word ``wrong`` (error E301), ``odd`` (warning W601) and ``crash`` (it raises).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from ptx_lsp import suppressions
from ptx_lsp.checks.engine.finding_limit import Selection, select
from ptx_lsp.cli.entry import main
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix, Related, Severity
from ptx_lsp.settings import Settings
from ptx_lsp.text import Span


def check_text(text: str, settings: Settings) -> list[Diagnostic]:
    found = []
    for match in re.finditer(r"\b(wrong|odd|crash)\b", text):
        span = Span(*match.span())
        if match[0] == "crash":
            raise KeyError("the check stumbled")
        if match[0] == "odd":
            found.append(Diagnostic("W601", "meaningless-qualifier", Severity.WARNING, "'odd' means nothing", span))
            continue
        target = f" on {settings.target}" if settings.target else ""
        version = f" in PTX {settings.ptx_version}" if settings.ptx_version else ""
        message = f"there is no instruction 'wrong'{target}{version}"
        fixes = (Fix("write 'right'", (Edit(span, "right"),)),)
        related = (Related(Span(0, 1), "the file begins here"),)
        found.append(Diagnostic("E301", "unknown-instruction", Severity.ERROR, message, span, fixes, related))
    return suppressions.apply(text, settings.applied(found))


class Checker:
    """As much of the real one as the terminal side uses."""

    def __init__(self, text: str, settings: Settings) -> None:
        self._found = check_text(text, settings)

    def findings(self, limit: int) -> Selection:
        return select(self._found, Counter(one.severity for one in self._found), limit)


@dataclass
class Result:
    """What a command did."""

    status: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def write(folder: Path) -> Callable[[str, str | bytes], None]:
    """Write a file: ``write("a.ptx", "wrong;")``."""

    def write(name: str, content: str | bytes) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    return write


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run a command line: ``run("check", "a.ptx")``."""
    checker = ModuleType("ptx_lsp.checks.engine.checker")
    checker.Checker = Checker  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ptx_lsp.checks", ModuleType("ptx_lsp.checks"))
    monkeypatch.setitem(sys.modules, "ptx_lsp.checks.engine.checker", checker)

    def run(*arguments: str) -> Result:
        try:
            status = main(list(arguments))
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = capsys.readouterr()
        return Result(status, out, err)

    return run
