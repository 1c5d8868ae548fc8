"""What nvcc makes and ptxas takes has no errors: every PTX file that the repository keeps."""

from __future__ import annotations

import pytest

from benchmarks import kept
from ptx_lsp.checks.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity

SHOWN = 5


@pytest.mark.parametrize("name", kept.names())
def test_no_errors(name):
    text = kept.read(name)
    errors = [finding for finding in check_text(text) if finding.severity is Severity.ERROR]
    assert not errors, _report(name, text, errors)


def test_there_is_enough():
    """200,000 lines, four targets, all three ways to compile."""
    names = kept.names()
    assert sum(kept.read(name).count("\n") for name in names) >= 200_000
    for word in ("sm_75", "sm_80", "sm_90a", "sm_100a", "plain", "lineinfo", "debug"):
        assert any(f".{word}." in name for name in names), word


def _report(name: str, text: str, errors: list[Diagnostic]) -> str:
    """The first errors with their lines."""
    lines = text.splitlines()
    shown = [f"{name}: {len(errors)} errors, but ptxas takes this file"]
    for error in errors[:SHOWN]:
        line = text.count("\n", 0, error.span.start)
        shown.append(f"  line {line + 1}: {error.code} {error.message.splitlines()[0]}\n      {lines[line].strip()}")
    return "\n".join(shown)
