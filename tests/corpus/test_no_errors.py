"""Of what nvcc makes and ptxas takes nothing is wrong: every PTX file that the repository keeps."""

from __future__ import annotations

import pytest

from benchmarks import kept
from ptx_lsp.checks.checker import check_text
from ptx_lsp.diagnostic import Diagnostic, Severity

SHOWN = 5


@pytest.mark.parametrize("name", kept.names())
def test_no_errors(name):
    text = kept.read(name)
    found = [finding for finding in check_text(text) if finding.severity in (Severity.ERROR, Severity.WARNING)]
    assert not found, _report(name, text, found)


def test_there_is_enough():
    """200,000 lines, four targets, all three ways to compile."""
    names = kept.names()
    assert sum(kept.read(name).count("\n") for name in names) >= 200_000
    for word in ("sm_75", "sm_80", "sm_90a", "sm_100a", "plain", "lineinfo", "debug"):
        assert any(f".{word}." in name for name in names), word


def _report(name: str, text: str, found: list[Diagnostic]) -> str:
    """The first findings with their lines."""
    lines = text.splitlines()
    shown = [f"{name}: {len(found)} findings, but ptxas takes this file"]
    for one in found[:SHOWN]:
        line = text.count("\n", 0, one.span.start)
        shown.append(f"  line {line + 1}: {one.code} {one.message.splitlines()[0]}\n      {lines[line].strip()}")
    return "\n".join(shown)
