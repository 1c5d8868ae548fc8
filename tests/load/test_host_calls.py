"""Sources of other languages in which very many statements are wrong: what is not shown is not made."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ptx_lsp.checks.embedded import host_checker
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.checks.embedded.verdicts import reaching_verdict
from ptx_lsp.checks.engine.finding_limit import Selection, select
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings

from .hosts import HOSTS

SIZE = 14_000
FEW = Settings(max_diagnostics=10)
WRONG = (
    "asm: syntax errors",
    "asm: unknown instructions",
    "asm: wrong constraints",
    "asm: undeclared registers",
    "asm: functions with one statement",
    "triton: unknown instructions",
    "cupy: kernels in strings",
)
"""Sources with an error in each statement."""


def checker_of(name: str, size: int, settings: Settings) -> HostChecker:
    """A checker of a source, whose statements are found."""
    host, generator = HOSTS[name]
    text = generator(size)
    return HostChecker(HostText(text, host), find_sites(text, host), settings)


@pytest.mark.parametrize("name", WRONG)
def test_statements_after_all_errors_that_are_counted_are_not_judged(name: str, monkeypatch: pytest.MonkeyPatch):
    judged = 0

    def counted(*arguments: Any) -> Any:
        nonlocal judged
        judged += 1
        return reaching_verdict(*arguments)

    monkeypatch.setattr(host_checker, "reaching_verdict", counted)
    checker = checker_of(name, 3 * SIZE, FEW)
    checker.selected()
    assert len(checker.sites) > 215
    assert judged <= 210


@pytest.mark.parametrize("name", HOSTS)
def test_the_findings_that_are_shown_are_the_first_of_all(name: str):
    found = checker_of(name, SIZE, FEW).findings()
    first = Selection(*select(found, Counter(one.severity for one in found), FEW.max_diagnostics))
    shown = checker_of(name, SIZE, FEW).selected()
    assert [(one.code, one.span) for one in shown.shown] == [(one.code, one.span) for one in first.shown]
    assert (shown.omitted, shown.is_minimum) == (first.omitted, first.is_minimum)
