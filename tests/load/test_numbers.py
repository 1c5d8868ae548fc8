"""A sample of the cases of ``python -m tests.load.numbers``, and those that were found."""

from __future__ import annotations

from itertools import islice

import pytest
from called import calls

from ptx_lsp.analysis.statements.register_names import MEMBERS
from ptx_lsp.checks.engine.checker import Checker, check_text

from .numbers import Case, cases, fault


@pytest.mark.parametrize("case", list(islice(cases(seed=7), 24)), ids=lambda case: case.line.strip())
def test_a_large_number_costs_nothing(case: Case):
    assert fault(case) == ""


HEADER = ".version 8.6\n.target sm_90a\n.address_size 64\n"


REGISTERS = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;"


def kernel(head: str, *lines: str) -> str:
    body = "\n".join([REGISTERS, *lines, "ret;"])
    return f"{HEADER}.entry kernel() {head}\n{{\n{body}\n}}\n"


MULTIPLY = (
    "wgmma.fence.sync.aligned;",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd2, %rd2, 0, 1, 1, 0, 0;",
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0;",
)
WARPGROUP = ("mov.u32 %r1, %tid.x;", "setp.ge.u32 %p1, %r1, 128;", "@%p1 bra DONE;", *MULTIPLY, "DONE:")
DESCRIPTOR = (
    ".shared .align 1024 .b8 tile[8192];",
    "mov.u32 %r1, tile;",
    "shr.u32 %r1, %r1, 3;",
    "shr.u32 %r1, %r1, COUNT;",
    "and.b32 %r2, %r1, 16383;",
    "cvt.u64.u32 %rd1, %r2;",
    "or.b64 %rd2, %rd1, 4611686293305294848;",
    *MULTIPLY,
)


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (kernel(".reqntid 128", *WARPGROUP), kernel(".reqntid 1048576", *WARPGROUP)),
        (kernel("", *DESCRIPTOR).replace("COUNT", "4"), kernel("", *DESCRIPTOR).replace("COUNT", str(1 << 28))),
    ],
    ids=["threads", "a shift of an address"],
)
def test_numbers_that_once_took_seconds_or_gigabytes(small: str, large: str):
    assert fault(Case(small, large, "")) == ""


def groups(count: int) -> str:
    """As many groups of registers as there are, and as many names that are none of them."""
    names = [f"%{chr(97 + number % 26)}{chr(97 + number // 26)}x" for number in range(count)]
    declared = "".join(f".reg .b32 {name}<16000>;\n" for name in names)
    used = "".join(f"add.u32 %aax1, %aax2, {name}20000;\n" for name in names)
    return f"{HEADER}.entry kernel() {{\n{declared}{used}ret;\n}}\n"


def test_large_groups_of_registers_take_no_more_than_their_text():
    text = groups(15)
    size = MEMBERS.size
    assert len(Checker(text).findings().shown) > 15
    assert MEMBERS.size - size < len(text)
    assert calls(lambda: check_text(groups(300))) < 30 * calls(lambda: check_text(groups(30)))


def test_the_names_of_all_groups_together_are_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ptx_lsp.analysis.statements.register_names._MOST_MEMBERS", 50)
    for prefix in "abcdegh":
        used = "".join(f"add.u32 %{prefix}{number}, %r1, %r2;" for number in range(10, 21))
        text = kernel("", f".reg .b32 %{prefix}<20>;", used)
        assert f"'%{prefix}20'" in str([one.message for one in Checker(text).findings().shown])
        assert MEMBERS.size <= 50
