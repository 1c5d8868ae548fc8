"""Numbers of thousands of digits, wherever a number can stand, are reported or ignored; no check raises."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import check_text

DIGITS = "9" * 5_000
"""More than Python converts to a number."""

HEADERS = [
    f".version {DIGITS}.0\n.target sm_80",
    f".version 8.{DIGITS}\n.target sm_80",
    f".version 8.0\n.target sm_{DIGITS}",
    f".version 8.0\n.target sm_80\n.address_size {DIGITS}",
]
DECLARATIONS = [
    f".maxnreg {DIGITS}",
    f".global .b32 z[{DIGITS}];",
    f".global .b32 z[2] = {{1, {DIGITS}}};",
    f'.file {DIGITS} "x"',
    f".entry k() .maxntid {DIGITS} {{ ret; }}",
]
STATEMENTS = [
    f"mov.b32 %r1, {number};" for number in (DIGITS, f"0x{DIGITS}", f"(3+{DIGITS})", f"0{'7' * 5_000}", f"1e{DIGITS}")
] + [
    f"mov.b32 %r1, %r{DIGITS};",
    f"mov.f32 %f1, {DIGITS}.0;",
    f"ld.global.b32 %r1, [%rd2+{DIGITS}];",
    f".reg .b32 %q<{DIGITS}>;",
    f".local .align {DIGITS} .b8 b[4];",
    f"bar.sync {DIGITS};",
    f".loc {DIGITS} 1 1;",
    f"add.s{DIGITS} %r1, %r1, %r2;",
    f"mma.m{DIGITS}n8k8 %r1, %r1;",
    f"shl.b32 %r1, %r2, {DIGITS};",
    f"cp.async.wait_group {DIGITS};",
    f"@%p{DIGITS} ret;",
    f"bra L{DIGITS};",
]


def check(text: str) -> None:
    """A check that raises is logged, and a test fails when something is logged."""
    assert all(one.message for one in check_text(text))


@pytest.mark.parametrize("header", HEADERS, ids=lambda text: text[:30])
def test_header(header: str) -> None:
    check(f"{header}\n.entry k() {{ ret; }}\n")


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=lambda text: text[:30])
def test_module(declaration: str) -> None:
    check(f".version 8.0\n.target sm_80\n.address_size 64\n{declaration}\n")


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda text: text[:30])
def test_body(statement: str) -> None:
    registers = ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .pred %p<2>;"
    check(f".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {{ {registers}\n{statement}\nret; }}\n")
