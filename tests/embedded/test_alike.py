"""Statements that differ only in digits are read as each alone is."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

import pytest

from ptx_lsp.embedded.fragment import AsmFragment, fragments_of
from ptx_lsp.hosts import alike
from ptx_lsp.hosts.find import find_sites
from tests.load.sources import HOSTS

CPP = [
    'asm("add.s32 %0, %1, 17;" : "=r"(a) : "r"(b));',
    'asm("add.s32 %0, %1, 17;" : "=r"(a) : "0"(b1));',
    'asm("add.s32 %0, %1, %2;" : "=r"(a) : "n"(10), "n"(12));',
    'asm("add.s%1 %0, %0, 1;" : "+r"(a) : "n"(N), "r"(b));',
    'asm("{ .reg .b32 r1; mov.b32 r1, %0; }" :: "r"(a), "r"(b));',
    'asm("a\\\\101;" : "=r"(a10));',
    'asm("a x10" X10 " hole_1_" Y10 ";" :: "r"(a));',
    'asm("a x10;" :: "r"(a) : "r10");',
    'asm("mov.b32 %0, 0x41\\x41\\u0041;" : "=r"(a[10]));',
    'asm(u8"mov.b32 %%r1, %r1, %[n1], %a1, %=;" : [n1] "=r"(a));',
    'asm(R"x1(mov.b32 %0, 1;)x2" ")x1" : "=r"(a));',
    'asm("ld.u32 %0, [%1+10];" : "=r"(f( /* 1 */ a1)) : "l"(b /* 2 */ ));',
    'asm("mov.b32 %0, 1" \'2\' ";" : "=r"(a) : "r"(\'1\'), "r"(1\'000));',
    'asm(\n#if __CUDA_ARCH__ >= 800\n"a;"\n#else\n"b;"\n#endif\n);',
]
PYTHON = [
    'inline_asm_elementwise("add.s32 $0, $1, 17;", "=r,r", [x1])',
    'inline_asm_elementwise("add.s32 $0, ${1}, 17;", "=r,r", [x1])',
    'inline_asm_elementwise("add.s32 $0, %0-d, %2;" % (1, x2), "=r,r", [x1])',
    'inline_asm_elementwise(f"add.s32 $0, {a1}, {{{a2}}}, {a1};", "=r,0", [x1])',
    'inline_asm_elementwise("mov.b32 $0, \\101\\x41;", "=r,r", [x1])',
    'inline_asm_elementwise("mov.b32 $0, 1;" + T1 + "a1", constraints="=r,r" + C1, args=[x1, 2])',
    'inline_asm_elementwise("add.s32 {}, 1;".format(x1), "=r,r,~{r1}", [x1]) # 1',
    'inline_asm_elementwise(""" $10 hole_1_ $1x ""\\" """, "=r,{r1}", [x1, (2, 3)])',
]
LLVM = [
    'call i32 asm sideeffect "add.s32 $0, $1, 10;", "=r,r"(i32 %x1)',
    'call i32 asm "add.s32 $0, ${1}, 10;", "=r,0,~{r1}"(i32 %x1, i64 2)',
    'call void asm "mov.b32 $0, \\A01; \\0A $$1 ${1:x}", "=&{r1},10"(i32 12)',
]


def read(fragment: AsmFragment) -> object:
    site = fragment.site
    known = (fragment.text, fragment.checked, [*fragment.map.runs], fragment.marks, fragment.operands, fragment.key)
    return site.parts.keyword_span, [*site.variants], known, fragment.given(older=True), fragment.has_two_readings


def some(form: str, numbers: range) -> str:
    """Lines with some of the numbers."""
    return "".join(form.format(number) for number in numbers if not number % 3)


def check(text: str, host: str) -> None:
    together, alone = find_sites(text, host), find_sites(text, host)
    alike._KNOWN.clear()
    found = [read(one) for site in together for one in fragments_of(site)]
    expected = []
    for site in alone:
        alike._KNOWN.clear()
        expected += [read(one) for one in fragments_of(site)]
    assert found == expected


def varied(statements: Iterable[str], seed: int) -> str:
    """Statements, each some times with other digits."""
    source = random.Random(seed)

    def digit(match: re.Match[str]) -> str:
        return match[0] if source.random() < 0.6 else source.choice("0123456789")

    lines = [one for one in statements for _ in range(6)]
    source.shuffle(lines)
    return "\n".join(re.sub(r"(?<!_)\d", digit, one) for one in lines)


@pytest.mark.parametrize("name", HOSTS)
def test_statements_of_a_file(name: str) -> None:
    host, generator = HOSTS[name]
    check(generator(4000), host)


@pytest.mark.parametrize("seed", range(20))
def test_statements_of_cpp_with_other_digits(seed: int) -> None:
    check(some('#define X{} "add"\n', range(10, 20)) + f"void f() {{\n{varied(CPP, seed)}\n}}\n", "cuda-cpp")


@pytest.mark.parametrize("seed", range(20))
def test_calls_of_python_with_other_digits(seed: int) -> None:
    check(some('T{0} = "a;"\nC{0} = ",r"\n', range(10)) + varied(PYTHON, seed), "python")


@pytest.mark.parametrize("seed", range(10))
def test_calls_of_llvm_with_other_digits(seed: int) -> None:
    check(varied(LLVM, seed), "llvm")
