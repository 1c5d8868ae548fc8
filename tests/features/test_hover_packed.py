"""Hover on descriptors: at the operand, at the literal, and where they are built."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said

BLACKWELL = """//- sm_100a ptx 8.6
mov.b32 %r1, {idesc};
mov.b64 %rd1, {a};
tcgen05.mma.cta_group::1.kind::f16 [%r2], {operands}, %p1;
"""
F16 = "0x08200490"
SWIZZLED = "0x4000404000010000"


def kernel(idesc: str = F16, a: str = SWIZZLED, operands: str = "%rd1, %rd2, %r1") -> str:
    return BLACKWELL.format(idesc=idesc, a=a, operands=operands)


def test_an_instruction_descriptor() -> None:
    check_hover(
        kernel(operands="%rd1, %rd2, %<|>r1"),
        "**Instruction descriptor of tcgen05.mma `0x08200490`**\n\n"
        "bf16 × bf16 → f32, M128 N128, A K-major, B K-major, dense",
        "24-28  M              8  128          13  negate A       0  no\n",
        "`%r1` is set in line",
    )


def test_a_matrix_descriptor() -> None:
    check_hover(
        kernel(operands="%r<|>d1, %rd2, %r1"),
        "**Matrix descriptor of tcgen05.mma and tcgen05.cp `0x4000404000010000`**",
        "swizzle 128B, SBO 1024 B, LBO 16 B",
        "32-45  stride dimension    64  1024 bytes\n",
    )


def test_at_the_literal_that_becomes_it() -> None:
    check_hover(kernel(idesc="0x08<|>200490"), "becomes `idesc` of `tcgen05` in line", "M128 N128")
    check_hover(kernel(a="46117565<|>88374556672"), "becomes `a-desc` of `tcgen05` in line")


def test_at_the_register_that_it_is_written_to() -> None:
    check_hover(kernel().replace("mov.b32 %r1", "mov.b32 %<|>r1"), "becomes `idesc` of `tcgen05` in line")


def test_a_literal_in_place() -> None:
    check_hover(kernel(operands="%rd1, %rd2, 0x0820<|>0490"), "**Instruction descriptor of tcgen05.mma `0x08200490`**")


def test_what_is_wrong_is_told() -> None:
    check_hover(kernel(idesc="0x10200490", operands="%rd1, %rd2, %<|>r1"), "✗ M is 64 or 128 with .cta_group::1")
    check_hover(kernel(a="0x6000404000010000", operands="%<|>rd1, %rd2, %r1"), "✗ swizzle (bits 61-63) is 3; legal:")


def test_an_address_that_is_not_known_is_a_sum() -> None:
    check_hover(
        """//- sm_90a ptx 8.0
.shared .align 1024 .b8 tile[4096];
mov.u32 %r1, tile;
mov.u32 %r5, %tid.x;
shl.b32 %r6, %r5, 10;
add.s32 %r2, %r1, %r6;
shr.u32 %r3, %r2, 4;
and.b32 %r4, %r3, 16383;
cvt.u64.u32 %rd3, %r4;
or.b64 %rd1, %rd3, 4611686293305360384;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %<|>rd1, %rd2, 1, 1, 1, 0, 0;
""",
        "`0x400000400001????`", "start address: `tile + 1024·%r5`", "`%r5` is set in line",
    )


def test_an_unknown_descriptor_is_a_register() -> None:
    check_hover(kernel(operands="%rd1, %r<|>d2, %r1"), "`%rd2`: `.b64` register")


def test_what_is_no_part_of_a_descriptor_is_itself() -> None:
    check_hover("//- sm_100a ptx 8.6\nmov.b32 %r<|>1, 0x08200490;\nadd.s32 %r2, %r1, 1;", "`%r1`: `.b32` register")
    check_hover("mov.b32 %r1, 0x0820<|>0490;", "integer constant")


@pytest.mark.parametrize("operand", ["[%r<|>2]", "%p<|>1"])
def test_other_operands_are_what_they_are(operand: str) -> None:
    source = kernel().replace("[%r2]" if "r" in operand else "%p1", operand)
    check_not_said(source, "descriptor of")


def test_the_instruction_says_in_short_what_its_descriptors_say() -> None:
    source = kernel().replace("tcgen05.mma.cta", "tcgen05.m<|>ma.cta")
    check_hover(source, "%rd1, 128B, SBO 1024\n", "%r1, bf16→f32 M128 N128\n", "reads %rd2, .u64, descriptor of B")
