"""A statement that differs only in digits from one without findings is not read if it has none either."""

from __future__ import annotations

import random
import re

import pytest

from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.checks.embedded.known_verdicts import _UNREADABLE, VERDICTS
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings

CPP = [
    'asm("L11: bra L11;");',
    'asm("L11: bra L12;");',
    'asm("s_11: bra s_11;");',
    'asm("lop3: bra lop3; lop4: bra lop4;");',
    'asm("{ .reg .b32 r1; mov.b32 r1, %0; }" :: "r"(a), "r"(b));',
    'asm("{ .reg .b32 r1, r2; mov.b32 r1, %0; mov.b32 r2, r1; }" :: "r"(a), "r"(b));',
    'asm("{ .reg .b32 r<3>; mov.b32 r1, %0; }" :: "r"(a));',
    'asm("add.s32 %0, %1, 17;" : "=r"(a) : "r"(b));',
    'asm("add.s32 %0, %1, 17; // 17 x1" : "=r"(a) : "r"(b));',
    'asm("add.s32 %0, %1, /* 17 %1 */ 10;" : "=r"(a) : "r"(b));',
    'asm("shl.b32 %0, %1, 41;" : "=r"(a) : "r"(b));',
    'asm("shf.l.wrap.b32 %0, %1, %1, 31;" : "=r"(a) : "r"(b));',
    'asm("bfe.u32 %0, %1, 31, 12;" : "=r"(a) : "r"(b));',
    'asm("mov.b16 %0, 65536;" : "=h"(a1));',
    'asm("ld.u32 %0, [%1+13];" : "=r"(a) : "l"(b));',
    'asm("bar.sync 15;");',
    'asm("add.s32 %0, %1, %2;" : "=r"(a) : "r"(b), "n"(10));',
    'asm("add.s32 %0, %1, %2+10;" : "=r"(a) : "r"(b), "n"(10));',
    'asm("add.s32 %0, %0, %1;" : "+r"(a) : "0"(b1));',
    'asm("a1 x10;" :: "r"(a));',
    'asm(M1 "// 10");',
    'asm("add.s32 %0, " X1 ", 10;" : "=r"(a));',
    'asm("add.s32 %0, x" X1 "1, 10;" : "=r"(a));',
]
PYTHON = [
    'inline_asm_elementwise("add.s32 $0, $1, 17;", "=r,r", [x1])',
    'inline_asm_elementwise(f"add.s32 $0, {a1}, 17;", "=r", [x1])',
    'inline_asm_elementwise("L11: bra L11; mov.b32 $0, 1;", "=r", [x1])',
    'inline_asm_elementwise(T1 + "10", "=r", [])',
]
LLVM = [
    'call i32 asm sideeffect "add.s32 $0, $1, 10;", "=r,r"(i32 %x1)',
    'call i32 asm "add.s32 $0, $1, 10; // \\0A1", "=r,0"(i32 %x1)',
    'call void asm sideeffect "L11: bra L11;", ""()',
]


def varied(statements: list[str], seed: int) -> list[str]:
    """Statements, each some times with other digits."""
    source = random.Random(seed)

    def digit(match: re.Match[str]) -> str:
        return match[0] if source.random() < 0.6 else source.choice("0123456789")

    lines = [one for one in statements for _ in range(8)]
    source.shuffle(lines)
    return [re.sub(r"(?<![_is])\d", digit, one) for one in lines]


def found(text: str, host: str, *, is_at_once: bool = True) -> list[Diagnostic]:
    VERDICTS.clear()
    _UNREADABLE.clear()
    checker = HostChecker(HostText(text, host), find_sites(text, host), Settings(), is_at_once=is_at_once)
    if not is_at_once:
        for _ in checker.judging():
            pass
    return checker.findings()


def check(text: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    present, later = found(text, host), found(text, host, is_at_once=False)
    with monkeypatch.context() as patched:
        patched.setattr(HostChecker, "_is_silent", lambda *_: False)
        expected = found(text, host)
    assert present == later == expected


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("head", ["__device__ void f()", "void f()"])
def test_statements_of_cpp(head: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "\n".join(varied(CPP, seed))
    macros = "".join(f'#define M{number} "{"add.s32 a, b, c; " * 90}"\n' for number in range(0, 10, 2))
    check(f"{macros}{head} {{\n{lines}\n}}\n", "cuda-cpp", monkeypatch)


@pytest.mark.parametrize("seed", range(4))
def test_statements_of_python(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "\n".join(varied(PYTHON, seed))
    check(f'import triton\nT1 = "{"add.s32 a, b, c; " * 90}"\nT2 = "ret;"\n{lines}\n', "python", monkeypatch)


@pytest.mark.parametrize("seed", range(4))
def test_statements_of_llvm(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check("\n".join(('target triple = "nvptx64-nvidia-cuda"', *varied(LLVM, seed), "")), "llvm", monkeypatch)


@pytest.mark.parametrize(
    "form", ['asm("add.s32 %0, %0, 1; // {}" : "+r"(a));', 'asm("add.s32 %0, %0, {};" : "+r"(a));']
)
def test_few_of_very_many_are_read(form: str) -> None:
    lines = "\n".join(form.format(number) for number in range(100, 900))
    text = f"__device__ void f() {{\n{lines}\n}}\n"
    sites = find_sites(text, "cuda-cpp")
    HostChecker(HostText(text, "cuda-cpp"), sites, Settings()).findings()
    assert sum(site._parts is not None for site in sites) <= 64
