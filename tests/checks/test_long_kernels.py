"""Addresses of single threads in kernels of thousands of statements: those that all threads access are looked at."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.engine.checker import Checker

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.func callee() { ret; }
.entry kernel(.param .u64 data, .param .u32 count) {
.shared .align 16 .b8 tile[512];
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>;
ld.param.u64 %rd1, [data];
ld.param.u32 %r9, [count];
mov.u32 %r1, %tid.x;
mov.u32 %r2, tile;
mad.lo.s32 %r3, %r1, 4, %r2;
"""
LONG = "".join(f"add.s32 %r7, %r7, {number};\nst.global.b32 [%rd1+{4 * number}], %r7;\n" for number in range(1500))
WRONG = "ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r3];\nst.shared.b32 [%r2+512], %r10;\n"


def check_found(before: str, *codes: str, after: str = "") -> None:
    """Fail unless the accesses after a text and thousands of others are reported with these codes."""
    text = f"{HEAD}{before}{LONG}{WRONG}{after}ret;\n}}\n"
    found = [one.code for one in Checker(text).diagnostics() if one.code in ("W612", "W613")]
    assert found == list(codes)


def test_accesses_of_all_threads_are_found_wherever_they_are() -> None:
    check_found("", "W612", "W613")


def test_accesses_of_some_threads_are_not() -> None:
    check_found("setp.ge.u32 %p1, %r1, %r9;\n@%p1 bra END;\n", after="END:\n")


@pytest.mark.parametrize(("before", "after"), [("", "call callee;\n"), ("call callee;\n", "")])
def test_accesses_before_a_call_are_found_and_after_one_they_are_not(before: str, after: str) -> None:
    """A call may not return."""
    check_found(
        f"{before}bra NEXT;\nNEXT:\n", *(() if before else ("W612", "W613")), after=f"bra LAST;\nLAST:\n{after}"
    )


def test_an_access_after_a_loop_by_what_the_loop_counted_is_looked_at() -> None:
    loop = "mov.u32 %r4, 0;\nLOOP:\nadd.u32 %r4, %r4, 4;\nsetp.lt.u32 %p1, %r4, 400;\n@%p1 bra LOOP;\n"
    check_found("", "W612", "W613", after=f"{loop}add.u32 %r5, %r4, %r2;\nst.shared.b32 [%r5], %r4;\n")
