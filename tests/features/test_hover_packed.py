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
        "**Instruction descriptor of tcgen05.mma `0x08200490`**",
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
    check_hover(kernel(idesc="0x08<|>200490"), "used as `idesc` of `tcgen05` in line", "M128 N128")
    check_hover(kernel(a="46117565<|>88374556672"), "used as `a-desc` of `tcgen05` in line")


def test_at_the_register_that_it_is_written_to() -> None:
    check_hover(kernel().replace("mov.b32 %r1", "mov.b32 %<|>r1"), "used as `idesc` of `tcgen05` in line")


def test_a_literal_in_place() -> None:
    check_hover(kernel(operands="%rd1, %rd2, 0x0820<|>0490"), "**Instruction descriptor of tcgen05.mma `0x08200490`**")


def test_what_is_wrong_is_told() -> None:
    check_hover(
        kernel(idesc="0x10200490", operands="%rd1, %rd2, %<|>r1"),
        "✗ encodes M = 256; M is 64 or 128 with .cta_group::1",
    )
    check_hover(kernel(a="0x6000404000010000", operands="%<|>rd1, %rd2, %r1"), "✗ swizzle (bits 61-63) is 3; allowed:")


def test_fields_of_the_family_of_sm_107f() -> None:
    source = """//- {target}
mov.b32 %r1, 0x10c00488;
tcgen05.mma.cta_group::2.kind::mxf4.block_scale.block32 [%r2], %rd1, %rd2, %<|>r1, [%r3], [%r4], %p1;
"""
    check_hover(
        source.format(target="sm_107a ptx 9.4"),
        "e2m1 × e2m1 → f32, M256 N256 K128, scales ue8m0, ids 0 0, dense",
        "31, 3  K                   2  128",
        "12  metadata version",
    )
    older = source.format(target="sm_100a ptx 8.8")
    check_hover(older, "M256 N256 K64, ", "✗ reserved bit 3 must be 0")
    check_not_said(older, "metadata version")


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
        "`0x400000400001????`",
        "0-13 start address tile + 1024·%r5",
        "`%r5` is set in line",
    )


def test_of_a_long_sum_the_variable_and_the_constant_are_in_the_table() -> None:
    source = """//- sm_90a ptx 8.0
.shared .align 1024 .b8 a_tile_with_a_long_name[65536];
mov.u32 %r1, a_tile_with_a_long_name;
mov.u32 %r5, %tid.x;
shl.b32 %r6, %r5, 10;
mov.u32 %r7, %ctaid.x;
shl.b32 %r8, %r7, 13;
add.s32 %r2, %r1, %r6;
add.s32 %r9, %r2, %r8;
add.s32 %r10, %r9, 256;
shr.u32 %r3, %r10, 4;
and.b32 %r4, %r3, 16383;
cvt.u64.u32 %rd3, %r4;
or.b64 %rd1, %rd3, 4611686293305360384;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;
"""
    check_hover(
        source.replace("%rd1, %rd2", "%<|>rd1, %rd2"),
        "0-13 start address a_tile_with_a_long_name + 256 + …",
        "start address: `a_tile_with_a_long_name + 256 + 1024·%r5 + 8192·%r7`",
    )
    check_hover(source.replace("wgmma", "wg<|>mma"), "%rd1, at a_tile_with_a_long_name + 256 + …, 128B")


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


def check_source(made: str, source: str, *expected: str) -> None:
    """What is said of ``%rd1`` of a product, made of ``%r5`` and ``%r6``."""
    check_hover(
        f"""//- sm_90a ptx 8.0
.shared .align 4 .b32 slot;
{source}
{made}
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f0, %f1, %f2, %f3}}, %<|>rd1, %rd2, 1, 1, 1, 0, 0;
""",
        *expected,
    )


STRIDE = "and.b32 %r6, %r5, 16383; mov.b32 %r7, 65536; mov.b64 %rd1, {%r7, %r6};"


def test_where_a_field_comes_from() -> None:
    check_source(STRIDE, "ld.shared.b32 %r5, [slot];", "stride dimension: `ld.shared` in line")
    check_source(STRIDE, "mov.u32 %r5, %tid.x;", "stride dimension: `%tid.x`")
    check_source(STRIDE, "mul.hi.u32 %r5, %r8, %r9;", "stride dimension: `mul` in line")
    check_source(STRIDE, "ld.shared.b32 %r8, [slot]; add.s32 %r5, %r8, %r10;", "stride dimension: `ld.shared` in line")


def test_a_field_of_two_things() -> None:
    check_source(
        STRIDE,
        "ld.shared.b32 %r8, [slot]; mov.u32 %r9, %ctaid.x; xor.b32 %r5, %r8, %r9;",
        "stride dimension: `ld.shared` in line",
        "`%ctaid.x`",
    )


def test_bits_that_are_moved_stay_whose_they_are() -> None:
    moved = "and.b32 %r8, %r5, 1; shl.b32 %r6, %r8, 30; mov.b32 %r7, 65536; mov.b64 %rd1, {%r7, %r6};"
    check_source(moved, "ld.shared.b32 %r5, [slot];", "swizzle: `ld.shared` in line")


KERNEL = """
.version 8.6
.target sm_100a
.address_size 64
.visible .entry gemm(.param .align 4 .b8 gemm_param_0[16])
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .reg .pred %p<2>;
    ld.param.u32 %r1, [gemm_param_0+12];
    tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %<|>r1, %p1;
    ret;
}
"""


def test_all_of_it_is_a_parameter() -> None:
    check_hover(KERNEL, "all fields: parameter `gemm_param_0+12`", "`%r1` is set in line")


def test_a_long_name_of_a_parameter_is_its_end() -> None:
    check_hover(KERNEL.replace("gemm", "_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversal"), "`…_param_0+12`")
