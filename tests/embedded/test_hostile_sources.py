"""Whatever a source holds: nothing raises, all places are in the text, and the time is linear."""

from __future__ import annotations

import random
import time

import pytest

from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.settings import Settings

_SOURCE = r"""
__device__ void f(int d, int a, float x) {
  // ptx-lsp: target sm_90a
  asm volatile("{ .reg .pred %%p; setp.ne.b32 %%p, %1, %2;\n\t"  // first
               "@%%p bra L%=; ld.shared.b32 %0, [%1+%2]; L%=: }" : "=r"(d) : "r"(a), "n"(4) : "memory");
  asm(R"(add.f32 %0, %1, %%laneid;)" : "+f"(x) : "f"(x));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(x), "+f"(x), "+f"(x), "+f"(x) : "r"(a), "r"(a), "r"(a), "r"(a), "r"(a), "r"(a));
}
"""
_BITS = [
    '"',
    "%",
    "%%",
    "%9",
    "%r1",
    "%[",
    "{",
    "}",
    ";",
    ":",
    "\\",
    "\n",
    "(",
    ")",
    "asm(",
    "/*",
    "*/",
    "//",
    "$",
    "é",
    "\0",
    "n",
    "<",
    "=r",
]


def check_places(text: str, host: str = "cuda-cpp") -> None:
    """Fail if a check raises (conftest.py), or if a place is not in the text."""
    checker = HostChecker(HostText(text, host), find_sites(text, host), Settings())
    for one in checker.findings():
        spans = [one.span, *(related.span for related in one.related)]
        spans += [edit.span for fix in one.fixes for edit in fix.edits]
        assert all(0 <= span.start <= span.end <= len(text) for span in spans), one
        assert "hole_" not in one.message, one


@pytest.mark.parametrize("seed", range(150))
def test_random_changes(seed: int) -> None:
    chance = random.Random(seed)
    text = _SOURCE
    for _ in range(chance.randrange(1, 8)):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice((0, 0, 1, 3, 30)))
        text = text[:start] + chance.choice([*_BITS, ""]) + text[end:]
    check_places(text)


@pytest.mark.parametrize("length", range(0, len(_SOURCE), 9))
def test_cut_off(length: int) -> None:
    check_places(_SOURCE[:length])


def seconds(text: str) -> float:
    """The processor time for a source."""
    start = time.process_time()
    check_places(text)
    return time.process_time() - start


@pytest.mark.parametrize(
    "body",
    [
        'asm("{}" : "+r"(d));'.format("add.s32 %0, %0, 1; " * 300),
        'asm("{}" : "+r"(d) : "n"(1));'.format("mov.b32 %0, %1*4; " * 300),
        'asm("{}" : "+r"(d));'.format("{ " * 2000),
        'asm("{}" : "+r"(d));'.format("%" * 4000),
        'asm("{}" : "+r"(d));'.format('" "' * 2000),
        'asm("{");' * 200,
        'asm("mov.b32 %0, q;" : "=r"(d));' * 200,
    ],
    ids=["long", "constants", "braces", "percents", "literals", "open", "undeclared"],
)
def test_time_is_linear(body: str) -> None:
    """Eight times the text takes less than 24 times as long: a quadratic step would take 64 times."""
    seconds(f"__device__ void f(int d) {{ {body} }}")
    once = seconds(f"__device__ void f(int d) {{ {body} }} ")
    parts = body.split('"', 1)[1].rsplit('"', 5) if body.count("asm") == 1 else None
    many = body * 8 if parts is None else body.replace(body.split('"')[1], body.split('"')[1] * 8, 1)
    assert seconds(f"__device__ void f(int d) {{ {many} }}") < 24 * once + 0.3
