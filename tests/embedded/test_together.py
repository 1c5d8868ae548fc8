"""Statements that are judged in one module have the findings that each has alone."""

from __future__ import annotations

from typing import Any

import pytest

from ptx_lsp.checks.embedded import known_verdicts, together, verdicts
from ptx_lsp.checks.embedded.ahead import Ahead
from ptx_lsp.checks.embedded.asked_rules import AskedRules
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.checks.embedded.short_statements import ShortStatements, short_statements
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.finding_limit import Selection
from ptx_lsp.hosts import alike
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings
from tests.load.sources import HOSTS

SIZE = 3000
SHARING = (
    "cpp: right statements",
    "llvm: calls on one line",
    "asm: labels in two statements",
    "asm: braces that nothing closes",
    "asm: comments with targets",
    "asm: comments that silence",
    "asm: constants of unknown value",
    "asm: constraints of other sizes",
    "asm: instructions of other targets",
    "asm: pieces of unknown text",
)
"""Sources of short statements, with errors and without."""
TARGETS: tuple[tuple[str, ...], ...] = ((), ("sm_80", "sm_90a"))


def selected(file: HostText, limit: int, monkeypatch: pytest.MonkeyPatch, *, apart: bool) -> Selection:
    """What is shown, where each statement is judged apart or not."""
    known_verdicts.VERDICTS.clear()
    with monkeypatch.context() as patch:
        if apart:
            patch.setattr(Ahead, "reach", lambda *_: None)
            patch.setattr(known_verdicts, "likeness", lambda _: None)
        return HostChecker(file, find_sites(file.text, file.host), Settings(max_diagnostics=limit)).selected()


@pytest.mark.parametrize("name", [*HOSTS][::2])
def test_the_findings_are_those_of_each_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    host, generator = HOSTS[name]
    text = generator(SIZE)
    for targets, limit in zip(TARGETS, (10_000, 20), strict=True):
        file = HostText(text, host, targets)
        assert selected(file, limit, monkeypatch, apart=False) == selected(file, limit, monkeypatch, apart=True)


@pytest.mark.parametrize("name", SHARING)
def test_short_statements_share_a_module(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    host, generator = HOSTS[name]
    text = generator(10_000)
    count = 0

    def counted(*arguments: Any, **named: Any) -> Checker:
        nonlocal count
        count += 1
        return Checker(*arguments, **named)

    for module in (together, verdicts):
        monkeypatch.setattr(module, "Checker", counted)
    known_verdicts.VERDICTS.clear()
    sites = find_sites(text, host)
    HostChecker(HostText(text, host), sites, Settings()).selected()
    assert count * 4 < len(sites)


@pytest.mark.parametrize(
    "name",
    [
        "asm: comments that silence",
        "asm: constants of unknown value",
        "asm: registers in two statements",
        "mlir: templates in hexadecimal",
    ],
)
def test_of_statements_that_are_alike_few_are_judged(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    host, generator = HOSTS[name]
    text = generator(60_000)
    count = 0

    def counted(statements: str) -> ShortStatements | None:
        nonlocal count
        count += 1
        return short_statements(statements)

    monkeypatch.setattr(together, "short_statements", counted)
    known_verdicts.VERDICTS.clear()
    sites = find_sites(text, host)
    HostChecker(HostText(text, host), sites, Settings(max_diagnostics=20)).selected()
    assert 0 < count < len(sites) / 2 > 100


@pytest.mark.parametrize("name", ["python: calls on one line", "asm: pieces of unknown text"])
def test_rules_about_statements_are_asked_about_few_that_are_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    host, generator = HOSTS[name]
    text = generator(60_000)
    count = 0
    ask = AskedRules._asked

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return ask(*arguments, **named)

    monkeypatch.setattr(AskedRules, "_asked", counted)
    alike._KNOWN.clear()
    sites = find_sites(text, host)
    HostChecker(HostText(text, host), sites, Settings(max_diagnostics=20)).selected()
    assert 0 < count < len(sites) / 2 > 100


def test_other_findings_than_those_that_are_silenced_are_made() -> None:
    silent = '  asm("ad.s32 %0, {n}, 1;" : "=r"(a)); // ptx-lsp: ignore[E301, W9]\n'
    text = "__device__ void f(int a) {\n" + "".join(silent.replace("{n}", str(n)) for n in range(1, 10))
    text += '  asm("ad.s32 %0, 10, 1;" : "=r"(a)); // ptx-lsp: ignore[W]\n'
    text += '  asm("ad.s32 %0, 11, 1;" : "=r"(a), "=r"(b)); // ptx-lsp: ignore[E301]\n}\n'
    found = HostChecker(HostText(text, "cuda-cpp"), find_sites(text, "cuda-cpp"), Settings()).findings()
    assert [(one.code, text.count("\n", 0, one.span.start)) for one in found] == [("E301", 10), ("W901", 11)]


def test_text_that_may_be_no_ptx_is_like_other_such_text() -> None:
    call = 'f{n} = tl.inline_asm_elementwise("{{text}}", "=r,r", [x], {n}, True, 1)\n'
    texts = ["add.s32 $0, '$1', {n};", "add.s32 $0, $1, {n};", "add.s32 $0, $1, {n}", 'add.s32 $0, \\"{n}\\", {n};']
    lines = [call.format(n=n).replace("{text}", text.format(n=n)) for n in range(1, 9) for text in texts]
    lines.append(call.format(n=9).replace("{text}", "add.s32 $0, $1, $2, 9;"))
    found: list[list[str]] = []
    for source in ("".join(lines), *lines):
        known_verdicts.VERDICTS.clear()
        file = HostText(source, "python")
        one = HostChecker(file, find_sites(source, "python"), Settings()).findings()
        found.append([diagnostic.code for diagnostic in one])
    together_, *apart = found
    assert sorted(together_) == sorted(code for one in apart for code in one)


def test_what_is_compiled_for_no_target_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("a statement could not be checked")

    monkeypatch.setattr(log, "exception", fail)
    text = '#if __CUDA_ARCH__ >= 900\n#if __CUDA_ARCH__ < 700\nvoid f() { asm("add;"); asm("ad;"); }\n#endif\n#endif\n'
    file = HostText(text, "cuda-cpp")
    assert HostChecker(file, find_sites(text, file.host), Settings()).findings() == []


def test_an_unknown_instruction_outside_of_device_code_needs_no_check() -> None:
    host, generator = HOSTS["asm: macros that hold statements"]
    text = generator(SIZE)
    known_verdicts.VERDICTS.clear()
    assert not HostChecker(HostText(text, host), find_sites(text, host), Settings()).selected().shown
    assert not known_verdicts.VERDICTS
