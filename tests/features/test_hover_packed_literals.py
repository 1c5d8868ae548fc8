"""Hover on constants and selectors whose bits have a meaning in their operand, and on registers with such values."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said

BULK = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
COPY = "[%r1], [%rd1, {%r2, %r3}], [%r4]"
WGMMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2,"
SCALED = (
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%f0, %f1, %f2, %f3}, "
    "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7}, %r8,"
)
SPARSE = "{%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2, %r3}, {%f4, %f5, %f6, %f7}, %r4,"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("fns.b32 %r1, %r2, 0, -<|>1;", "Offset of fns `-1`** offset -1"),
        ("shfl.sync.bfly.b32 %r1, %r2, 1, 0x1<|>81f, -1;", "clamp 31, segment mask 24"),
        ("shfl.sync.bfly.b32 %r1, %r2, 1, 0x1f, 0xff0<|>f;", "lanes 0-3, 8-15"),
        ("vote.sync.any.pred %p1, %p2, -<|>1;", "all 32 lanes"),
        ("mbarrier.test_wait.parity.shared.b64 %p1, [%r1], <|>1;", "the end of an odd phase"),
        (f"{WGMMA} 1, -<|>1, 1, 0, 0;", "Sign of a matrix of wgmma.mma_async `-1`** negated"),
        (f"{WGMMA} 1, 1, 1, 0, <|>1;", "in shared memory `1`** M- or N-major"),
        (f"{WGMMA} <|>0, 1, 1, 0, 1;", "`0`** D = A × B"),
        (f"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {SPARSE} <|>2;", "metadata from lane 2 of each four"),
        (f"{BULK}.multicast::cluster {COPY}, <|>5;", "CTAs 0, 2"),
    ],
)
def test_constants_in_place(statement: str, expected: str) -> None:
    check_hover(f"//- sm_90a ptx 8.6\n{statement}", expected)


def test_a_selector_of_scale_factors() -> None:
    header = "//- sm_120a ptx 8.7\n"
    check_hover(f"{header}{SCALED} {{<|>2, 1}}, %r9, {{0, 3}};", "bytes 2 and 3")
    check_hover(f"{header}{SCALED} {{2, <|>1}}, %r9, {{0, 3}};", "lanes 2 and 3 of each four")
    check_hover(f"{header}{SCALED} {{2, 1}}, %r9, {{0, <|>3}};", "lane 3 of each four")


def test_fields_of_tensor_maps() -> None:
    header = "//- sm_90a ptx 8.6\n"
    field = "tensormap.replace.tile.{}.global.b1024.b32 [%rd1], {};"
    check_hover(header + field.format("swizzle_mode", "<|>3"), "of a tensor-map `3`** swizzle mode of 128 bytes")
    check_hover(header + field.format("elemtype", "<|>6"), "elemtype .f16")
    check_hover(header + field.format("rank", "<|>2"), "rank 3")
    check_hover(header + field.format("box_dim", "0, <|>512"), "✗ encodes box dim = 512; box dim must be 1 to 256")
    check_hover(header + field.format("box_dim", "<|>0, 512"), "integer constant")


def test_constants_of_tensor_core_instructions() -> None:
    header = "//- sm_100a ptx 8.6\n"
    mma = "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2,"
    check_hover(f"{header}{mma} %p1, <|>3;", "D · 2^-3")
    check_hover(f"{header}{mma} {{1, 2, <|>3, %r3}}, %p1;", "not written: lanes 0, 1", "here: element 2 of")


def test_an_im2col_offset_has_few_bits_in_many_dimensions() -> None:
    copy = BULK.replace("2d", "4d").replace("global.", "global.im2col.")
    statement = f"{copy} [%r1], [%rd1, {{%r2, %r3, %r5, %r6}}], [%r4], {{<|>300, 2}};"
    check_hover(f"//- sm_90a ptx 8.6\n{statement}", "an im2col offset of .4d is at most 255")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("vadd4.u32.u32.u32 %r1.b3<|>10, %r2.b3210, %r3.b7654, %r4;", "bytes 0, 1, 3"),
        ("vadd4.u32.u32.u32 %r1, %r2.b7<|>210, %r3, %r4;", "`.b7210`** b.b3 a.b2 a.b1 a.b0"),
        ("vset2.u32.u32.gt %r1, %r2, %r3.h<|>03, %r4;", "`.h03`** a.h0 b.h1"),
        ("vadd.u32.u32.u32 %r1, %r2.b<|>2, %r3;", "`.b2` byte 2"),
        ("vadd.u32.u32.u32 %r1.h<|>1, %r2, %r3, %r4;", "the rest of `d` is copied from `c`"),
    ],
)
def test_selectors_of_video_instructions(written: str, expected: str) -> None:
    check_hover(f"//- sm_80 ptx 8.0\n{written}", expected)


POLICY = """//- sm_90a ptx 8.6
mov.b64 %rd5, {policy};
ld.global.L2::cache_hint.b32 %r1, [%rd1], {register};
"""


def test_a_cache_policy() -> None:
    summary = "evict_first for 16 of 16 accesses, else evict_unchanged"
    evict_first = ("Cache policy `0x12f0000000000000`", summary, "The manual calls it opaque.")
    check_hover(POLICY.format(policy="0x12F0000000000000", register="%rd<|>5"), *evict_first, "`%rd5` is set in line")
    at_the_literal = POLICY.format(policy="1364590<|>687093260288", register="%rd5")
    check_hover(at_the_literal, "used as `cache-policy` of `ld` in line", *evict_first)
    check_hover(POLICY.format(policy="%rd<|>6", register="%rd5"), "`%rd6`: `.b64` register")


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("fractional.L2::evict_first.b64 %rd5", "evict_first for 16 of 16 accesses"),
        ("fractional.L2::evict_last.L2::evict_first.b64 %rd5, 0.3", "evict_last for 5 of 16 accesses, else evict_f"),
        ("fractional.L2::evict_unchanged.b64 %rd5, 0.5", "evict_unchanged for 8 of 16 accesses"),
        ("fractional.L2::evict_last.b64 %rd5, %f1", "evict_last for ? of 16 accesses"),
        ("range.L2::evict_normal.b64 %rd5, [%rd2], 65536, %r2", "evict_normal for ? blocks of ?, else evict_unchanged"),
    ],
)
def test_a_policy_that_createpolicy_makes(made: str, expected: str) -> None:
    source = POLICY.replace("mov.b64 %rd5, {policy}", f"createpolicy.{made}")
    check_hover(source.format(register="%rd<|>5"), expected)
    at_the_result = source.replace("%rd5", "%rd<|>5", 1).format(register="%rd5")
    check_hover(at_the_result, "used as `cache-policy` of `ld`", expected)


def test_a_policy_of_the_api_is_not_known() -> None:
    source = POLICY.replace("mov.b64 %rd5, {policy}", "createpolicy.cvt.L2.b64 %rd5, %rd6")
    check_hover(source.format(register="%rd<|>5"), "`%rd5`: `.b64` register")


def test_a_mask_of_ctas_in_a_register() -> None:
    source = f"//- sm_90a ptx 8.6\n.reg .b16 %h<2>;\nmov.b16 %h1, 5;\n{BULK}.multicast::cluster {COPY}, %h<|>1;"
    check_hover(source, "`0x00000005`** CTAs 0, 2", "`%h1` is set in line")


@pytest.mark.parametrize(
    "statement", ["add.u32 %r1, %r2, <|>8;", "ld.global.b32 %r1, [%rd1+<|>8];", "mov.b32 %r1, <|>8;"]
)
def test_plain_numbers_are_numbers(statement: str) -> None:
    check_not_said(statement, "lane", "mask of", "policy")


def test_what_does_not_fit_is_a_number() -> None:
    check_hover("lop3.b32 %r1, %r2, %r3, %r4, 25<|>6;", "integer constant")


@pytest.mark.parametrize("opcode", ["cp.async.bulk", "multimem.cp.async.bulk"])
def test_the_byte_mask_of_a_bulk_store(opcode: str) -> None:
    out = "global.shared::cta.bulk_group.cp_mask"
    check_hover(f"//- sm_100 ptx 9.1\n{opcode}.{out} [%rd1], [%r1], 16, 0x00<|>ff;", "of each 16 bytes")
