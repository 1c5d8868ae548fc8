"""The examples on the pages of rules about inline assembly: our findings, and the verdict of nvcc."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ptx_lsp.checks import fragment_checks
from ptx_lsp.checks.support.check import Check
from ptx_lsp.diagnostic import Severity
from ptx_lsp.settings import Settings

from .annotated_host import check_source, expected

_FENCE = re.compile(r"(?<=^```cuda\n).*?(?=^```)", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r" `(asm.*;)`$", re.MULTILINE)
_NVCC = shutil.which("nvcc")


def settings_of(check: Check) -> Settings:
    """The settings with which a rule that is off by default is asked."""
    return Settings(severity=((check.rule.code, check.rule.severity),))


@pytest.mark.parametrize("check", fragment_checks(), ids=lambda check: check.rule.code)
def test_examples(check: Check) -> None:
    wrong, _, right = check.page.partition("**Right:**")
    fences = _FENCE.findall(wrong)
    assert fences
    for fence in fences:
        assert {one.code for one in expected(fence)} == {check.rule.code}
        found = check_source(fence, settings=settings_of(check))
        assert not any(one.fixes for one in found) or "**Fixes offered:**" in right
    better = _INLINE.findall(right)
    assert better, "a page shows what would be right"
    for statement in better:
        check_source(statement, settings=settings_of(check))


def compiled(statements: str, folder: Path) -> bool:
    """Whether nvcc takes statements, and ptxas what it makes of them."""
    assert _NVCC is not None
    source = folder / "kernel.cu"
    source.write_text(
        "__global__ void k(int *out, int a, int b, unsigned p) {\nint d = 0;\n" + statements + "\n*out = d;\n}\n"
    )
    command = [_NVCC, "-arch=sm_90a", "-cubin", "-o", str(folder / "kernel.cubin"), str(source)]
    return subprocess.run(command, capture_output=True, check=False, timeout=120).returncode == 0


@pytest.mark.skipif(_NVCC is None, reason="no nvcc")
@pytest.mark.parametrize(
    "check", [check for check in fragment_checks() if check.rule.severity is Severity.ERROR], ids=lambda c: c.rule.code
)
def test_nvcc_refuses_what_is_an_error(check: Check, tmp_path: Path) -> None:
    for fence in _FENCE.findall(check.page.partition("**Right:**")[0]):
        assert not compiled(fence, tmp_path)


@pytest.mark.skipif(_NVCC is None, reason="no nvcc")
def test_nvcc_takes_what_is_no_error(tmp_path: Path) -> None:
    """Of rules that warn the examples, and of all rules what is right."""
    taken = []
    for check in fragment_checks():
        wrong, _, right = check.page.partition("**Right:**")
        if check.rule.severity is not Severity.ERROR:
            taken += [fence for fence in _FENCE.findall(wrong) if ".reg .b32 t;" not in fence]
        taken += _INLINE.findall(right)
    assert compiled("\n".join(taken), tmp_path)


@pytest.mark.skipif(_NVCC is None, reason="no nvcc")
def test_a_register_outside_of_braces_is_refused_in_its_second_copy(tmp_path: Path) -> None:
    statement = 'asm volatile(".reg .b32 t; mov.b32 t, %1; mov.b32 %0, t;" : "=r"(d) : "r"(a));\n'
    assert compiled(statement, tmp_path)
    assert not compiled(2 * statement, tmp_path)
