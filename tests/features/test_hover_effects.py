"""Hovers on constants: what they do to the other operands, and the floats that they are."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("and.b32 %r1, %r2, 163<|>83;", "keeps bits 0–13 of `%r2`: `%r2` modulo 16384"),
        ("and.b32 %r1, %r2, 652<|>80;", "keeps bits 8–15 of `%r2`"),
        ("and.b32 %r1, %r2, -1<|>6;", "clears bits 0–3: `%r2` rounded down to a multiple of 16"),
        ("or.b32 %r1, %r2, 0x80<|>00;", "sets bit 15 of `%r2`"),
        ("xor.b32 %r1, %r2, -<|>1;", "inverts all bits of `%r2`"),
        ("shl.b32 %r1, %r2, <|>4;", "`%r2` × 16"),
        ("shr.u32 %r1, %r2, <|>4;", "`%r2` ÷ 16, rounded down"),
        ("shr.s32 %r1, %r2, 3<|>1;", "sign of `%r2` in every bit: 0 or -1"),
        ("shl.b32 %r1, %r2, 3<|>2;", "always 0: all 32 bits are shifted out"),
        ("shf.l.wrap.b32 %r1, %r2, %r2, <|>7;", "rotates `%r2` left by 7, which is right by 25"),
        ("bfe.u32 %r1, %r2, 4, 1<|>4;", "bits 4–17 of `%r2`, zero-extended"),
        ("bfe.u32 %r1, %r2, <|>4, 14;", "bits 4–17 of `%r2`, zero-extended"),
        ("bfi.b32 %r1, %r2, %r3, <|>8, 4;", "bits 8–11 of `%r1` are the low 4 bits of `%r2`"),
        ("bfi.b64 %rd1, %rd2, %rd3, <|>32, 32;", "bits 32–63 of `%rd1` are the low 32 bits of `%rd2`"),
        ("bfi.b32 %r1, %r2, %r3, <|>31, 4;", "bit 31 of `%r1` is the low bit of `%r2`"),
        ("bfi.b32 %r1, %r2, %r3, %r4, <|>4;", "`%r3` with the low 4 bits of `%r2` inserted"),
        ("mul.wide.u32 %rd1, %r2, <|>8;", "`%r2` × 8, a shift by 3"),
        ("mad.lo.s32 %r1, %r2, 3<|>2, %r3;", "`%r2` × 32, a shift by 5"),
        ("and.b64 %rd1, %rd2, (1 << <|>4) - 1;", "keeps bits 0–3 of `%rd2`"),
        ("lop3.b32 %r1, %r2, %r3, %r4, 0x6<|>A;", "`(%r2 & %r3) ^ %r4` of every bit"),
        ("lop3.b32 %r1, %r2, %r3, %r2, 0x9<|>6;", "`%r3` of every bit"),
        ("a<|>nd.b32 %r1, %r2, 65280;", "b  reads 65280, .b32: keeps bits 8–15 of %r2"),
        ("sh<|>r.s32 %r1, %r2, 4;", "b  reads 4, .u32: %r2 ÷ 16, rounded down"),
        ("lo<|>p3.b32 %r1, %r2, %r3, %r2, 0xEA;", "immLut  reads 0xEA, which is %r2"),
    ],
)
def test_what_a_constant_does(statement: str, says: str) -> None:
    check_hover(statement, says)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("shfl.sync.down.b32 %r1, %r2, 1, 3<|>1, -1;", "the whole warp"),
        ("shfl.sync.up.b32 %r1, %r2, 1, <|>0, -1;", "the whole warp"),
        ("shfl.sync.bfly.b32 %r1, %r2, 1, 0x10<|>1f, -1;", "segments of 16 lanes"),
        ("shfl.sync.down.b32 %r1, %r2, 1, 31, -<|>1;", "all 32 lanes"),
        ("bar.warp.sync 655<|>35;", "lanes 0-15"),
        ("sh<|>fl.sync.down.b32 %r1, %r2, 1, 31, -1;", "reads -1, .u32: all lanes"),
    ],
)
def test_whole_values_have_names(statement: str, says: str) -> None:
    check_hover(f"//- sm_80 ptx 7.0\n{statement}", says)


def test_a_negative_constant_is_not_a_negated_operand() -> None:
    check_not_said("and.b32 %r1, %r2, -1<|>6;", "negated", "of any class")


def test_an_effect_stands_before_the_other_ways_to_write_the_number() -> None:
    check_hover(
        "and.b32 %r1, %r2, 163<|>84;",
        "read as `.b32`**\n\nkeeps bit 14 of `%r2`\n\n```text\ndecimal      16384",
        "binary       0100 0000 0000 0000",
    )
    check_not_said("shl.b32 %r1, %r2, <|>3;", "the lowest", "power of 2")


def test_nothing_is_said_where_nothing_is_to_be_said() -> None:
    check_not_said("add.s32 %r1, %r2, 1<|>6;", "×", "÷", "keeps")
    check_not_said("and.b32 %r1, %r2<|>, 16;", "keeps")
    check_hover("mul.lo.s32 %r1, %r2, 1<|>2;", "decimal      12")


@pytest.mark.parametrize(
    "statement",
    [
        "and.b32 %r1, 1<|>6;",
        "and.b32 1<|>6;",
        "and.b32 %r1, %r2, 1<|>6",
        "shl.b32 %r1, %r2, %r3, 1<|>6;",
        "bfe.u32 %r1, %r2, 1<|>6;",
        "bfi.b32 %r1, 1<|>6;",
        "lop3.b32 %r1, %r2, 0x1<|>6;",
        "shf.l.b32 %r1, %r2, 1<|>6;",
        "mul.wide.u32 %r1, 1<|>6, 3, 4, 5;",
        "and %r1, %r2, 1<|>6;",
        "and.f32 %r1, %r2, 1<|>6;",
        "shr.s32 %r1, -1<|>6, 4;",
        "lop3.b32 %r1, %r2, %r3, %r4, 99<|>99;",
        "lop3.b32 %r1, %r2, %r3, %r4, -<|>1;",
        "bmsk.clamp.b32 %r1, 1<|>6;",
    ],
)
def test_broken_instructions_keep_their_numbers(statement: str) -> None:
    check_hover(statement, "decimal")


# ---------------------------------------------------------------------- floats


def test_bits_are_read_as_the_instruction_that_uses_them_does() -> None:
    half = "//- sm_80 ptx 7.0\nmov.b32 %r1, 10066<|>48320;\nfma.rn.f16x2 %r2, %r1, %r3, %r4;"
    check_hover(half, "as .f16x2    {1.0, 1.0}, as line 8 reads it")
    check_not_said(half, "as .f32")
    check_hover(
        "//- sm_90 ptx 7.8\nmov.b32 %r1, 0x3F80<|>3F80;\nadd.rn.bf16x2 %r2, %r1, %r3;", "as .bf16x2   {1.0, 1.0}"
    )
    check_hover(half.replace("10066<|>48320", "153<|>60"), "as .f16x2    {1.0, 0.0}, as line 8 reads it")
    check_hover("//- sm_80 ptx 7.0\nmov.b32 %r1, 0x3F80<|>0000;\nadd.f32 %f2, %r1, %f3;", "as .f32      1.0")


def test_without_such_a_use_what_is_plausible_is_shown() -> None:
    check_hover("mov.b32 %r1, 0x3F80<|>0000;\nadd.s32 %r2, %r1, 1;", "as .f32      1.0\n")
    check_not_said("mov.b32 %r1, 153<|>60;\nadd.s32 %r2, %r1, 1;", "as .f16x2")


def test_floats_are_told_exactly() -> None:
    check_hover("add.f32 %f1, %f2, 0<|>.1;", ".f32  0f3DCCCCCD, exactly 0.100000001490116119384765625")
    check_hover("add.f32 %f1, %f2, 0f3DCC<|>CCCD;", "value  0.1", "exactly 0.100000001490116119384765625")
    check_hover("add.f64 %fd1, %fd2, 0<|>.1;", "0d3FB999999999999A, exactly 0.10000000000000000555111512312…")
    check_hover("add.f32 %f1, %f2, 0f0000<|>0001;", "value  1e-45", "about 1.4012984643248171e-45")
    check_not_said("add.f32 %f1, %f2, 1<|>.5;", "exactly", "about")
    check_hover("add.f32 %f1, %f2, 0f7FC0<|>0000;", "value  NaN")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("mov.u32 %r1, -1;\nsh<|>fl.sync.down.b32 %r2, %r3, 1, 31, %r1;", "reads %r1 = -1, .u32: all lanes"),
        ("mov.u32 %r1, 31;\nsh<|>fl.sync.down.b32 %r2, %r3, 1, %r1, -1;", "reads %r1 = 31, .b32: the whole warp"),
        ("mov.u32 %r1, 65280;\na<|>nd.b32 %r2, %r3, %r1;", "reads %r1 = 65280, .b32: keeps bits 8–15 of %r3"),
        ("mov.u32 %r1, 0x7f000000;\na<|>dd.s32 %r2, %r3, %r1;", "reads %r1 = 0x7f000000, .s32"),
        (".shared .b32 tile[4];\nmov.u32 %r1, tile;\na<|>dd.s32 %r2, %r1, %r3;", "a  reads %r1 = tile, .s32"),
    ],
)
def test_what_a_register_holds(source: str, says: str) -> None:
    check_hover(f"//- sm_80 ptx 7.0\n{source}", says)


def test_a_register_with_several_values() -> None:
    source = "mov.u32 %r1, 1;\n@%p1 bra L;\nmov.u32 %r1, 2;\nL:\na<|>dd.s32 %r2, %r3, %r1;"
    check_not_said(f"//- sm_80 ptx 7.0\n{source}", "%r1 =")
