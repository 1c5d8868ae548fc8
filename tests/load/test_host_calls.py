"""Sources of other languages in which very many statements are wrong: what is not shown is not made."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from called import calls

from ptx_lsp.checks import fragment_checks
from ptx_lsp.checks.embedded import asked_rules, host_checker, verdicts
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.checks.embedded.known_findings import KnownFindings
from ptx_lsp.checks.embedded.verdicts import reaching_verdict
from ptx_lsp.checks.engine.finding_limit import Selection, select
from ptx_lsp.diagnostic import Severity
from ptx_lsp.hosts import c_statement
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.site import Site
from ptx_lsp.hosts.site_index import SiteIndex
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.settings import Settings

from .sources import HOSTS
from .test_slices import MOST, most_steps

SIZE = 10_000
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
WRONG_STATEMENTS = [
    'asm("add.s32 %0, %1, [271];" : "=r"(a) : "r"(b));',
    'asm("add.s32 %0, %1, [272];" : "=f"(x) : "f"(x));',
    'asm("wgmma.fence.sync.aligned 273;");',
    'asm("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, 274;" : : "r"(a), "r"(b));',
]
"""Statements that are wrong for all targets."""


def checker_of(name: str, size: int, settings: Settings) -> HostChecker:
    """A checker of a source, whose statements are found."""
    host, generator = HOSTS[name]
    text = generator(size)
    return HostChecker(HostText(text, host), find_sites(text, host), settings)


@pytest.mark.parametrize("name", WRONG)
def test_statements_after_all_errors_that_are_counted_are_not_judged(name: str, monkeypatch: pytest.MonkeyPatch):
    judged = 0

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal judged
        judged += 1
        return reaching_verdict(*arguments, **named)

    monkeypatch.setattr(host_checker, "reaching_verdict", counted)
    checker = checker_of(name, 3 * SIZE, FEW)
    checker.selected()
    assert len(checker.sites) > 215
    assert judged <= 210


@pytest.mark.parametrize("name", [*HOSTS][::3])
def test_the_findings_that_are_shown_are_the_first_of_all(name: str):
    found = checker_of(name, SIZE, FEW).findings()
    first = Selection(*select(found, Counter(one.severity for one in found), FEW.max_diagnostics))
    shown = checker_of(name, SIZE, FEW).selected()
    assert [(one.code, one.span) for one in shown.shown] == [(one.code, one.span) for one in first.shown]
    assert (shown.omitted, shown.is_minimum) == (first.omitted, first.is_minimum)


def test_after_so_many_warnings_no_rules_of_warnings_are_asked(monkeypatch: pytest.MonkeyPatch):
    asked = 0
    check = next(one for one in fragment_checks() if one.rule.severity is Severity.WARNING and one.check_fragment)

    def counted(*_: Any) -> Any:
        nonlocal asked
        asked += 1
        return iter(())

    rules = tuple(one._replace(check_fragment=counted) if one is check else one for one in fragment_checks())
    monkeypatch.setattr(asked_rules, "fragment_checks", lambda: rules)
    checker = checker_of("asm: labels in two statements", 3 * SIZE, FEW)
    checker.selected()
    assert 0 < asked <= 211 < len(checker.sites)


def test_of_equal_statements_without_operands_rules_are_asked_once(monkeypatch: pytest.MonkeyPatch):
    asked = 0

    def counted(*_: Any) -> Any:
        nonlocal asked
        asked += 1
        return iter(())

    rules = tuple(one._replace(check_fragment=counted) if one.check_fragment else one for one in fragment_checks())
    monkeypatch.setattr(asked_rules, "fragment_checks", lambda: rules)
    checker = checker_of("cpp: braces opened and closed", 3 * SIZE, Settings())
    checker.selected()
    count = sum(one.check_fragment is not None for one in rules)
    assert 0 < asked < 0.6 * count * len(checker.sites)


def test_what_conditions_leave_of_statements_is_read_once_if_it_is_equal(monkeypatch: pytest.MonkeyPatch):
    read = 0
    reading = c_statement._Reader.reading

    def counted(*arguments: Any) -> Any:
        nonlocal read
        read += 1
        return reading(*arguments)

    monkeypatch.setattr(c_statement._Reader, "reading", counted)
    c_statement._VARIANTS.clear()  # other tests read the same statements
    checker = checker_of("cpp: conditions in statements", 3 * SIZE, Settings())
    checker.selected()
    assert 0 < read < 0.1 * len(checker.sites)


def test_statements_without_the_brace_that_is_looked_for_are_not_parsed(monkeypatch: pytest.MonkeyPatch):
    asked: set[Site] = set()
    structures_of = KnownFindings.structures_of

    def counted(known: KnownFindings, site: Site) -> Any:
        asked.add(site)
        return structures_of(known, site)

    monkeypatch.setattr(KnownFindings, "structures_of", counted)
    checker = checker_of("cpp: braces opened by statements", 3 * SIZE, Settings())
    assert checker.selected().shown
    assert len(asked) < 0.1 * len(checker.sites)


def test_a_long_template_is_not_judged_beyond_what_can_be_shown():
    name = "asm: a long template of labels"
    short, long = (checker_of(name, size, FEW) for size in (25_000, 50_000))
    short.selected()
    few = calls(long.selected)
    assert few < 0.5 * calls(checker_of(name, 50_000, Settings(max_diagnostics=100_000)).selected)


def test_named_targets_that_are_wrong_alike_are_not_asked(monkeypatch: pytest.MonkeyPatch):
    asked = 0
    making = verdicts.Checker

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal asked
        asked += 1
        return making(*arguments, **named)

    monkeypatch.setattr(verdicts, "Checker", counted)
    targets = tuple(catalogue().vocabulary.targets)
    text = '__device__ void f(int a) { asm("add.f32x2 %0, %0, 1;" : "+r"(a)); }'
    HostChecker(HostText(text, "cuda-cpp", targets), find_sites(text, "cuda-cpp"), Settings()).findings()
    assert len(targets) > 20
    assert asked < 5


@pytest.mark.parametrize(
    "name",
    [
        "asm: labels in two statements",
        "asm: braces that nothing closes",
        "asm: a long template of wrong instructions",
        "asm: a long template of labels",
    ],
)
def test_statements_are_judged_in_short_steps(name: str):
    host, generator = HOSTS[name]

    def longest(size: int) -> int:
        text = generator(size)
        checker = HostChecker(HostText(text, host), find_sites(text, host), Settings(), is_at_once=False)
        for site in checker.sites:
            checker.fragments(site)
        return most_steps(checker.judging())

    longest(4_000)  # tables and imports of the process
    assert longest(60_000) < MOST


@pytest.mark.parametrize("statement", WRONG_STATEMENTS)
def test_a_wrong_statement_is_checked_for_one_target_in_each_reading(monkeypatch: pytest.MonkeyPatch, statement: str):
    made: list[str] = []

    class Counted(verdicts.Checker):
        def __init__(self, *args: Any, **others: Any) -> None:
            made.append("a check")
            super().__init__(*args, **others)

    monkeypatch.setattr(verdicts, "Checker", Counted)
    text = f"__device__ void f() {{ int a, b; float x; {statement} }}"
    found = HostChecker(HostText(text, "cuda-cpp"), SiteIndex(text, "cuda-cpp").sites, Settings()).findings()
    assert any(one.severity is Severity.ERROR for one in found)
    assert len(made) <= 2
