"""Hovers of constants: read in the type of what they are written for."""

from __future__ import annotations

from .hovering import check_hover, check_not_said


def test_the_sign_belongs_to_the_constant() -> None:
    check_hover("add.s32 %r1, %r2, -<|>5;", "`-5` integer constant, read as `.s32`", "decimal      -5", "0xfffffffb")
    check_hover("add.s64 %rd1, %rd2, -<|>1;", "0xffffffffffffffff")


def test_a_signed_type_shows_the_signed_value() -> None:
    check_hover("add.s32 %r1, %r2, 0xFFFF<|>FFFE;", "as .s32      -2")
    check_not_said("add.u32 %r1, %r2, 0xFFFF<|>FFFE;", "as .s32")


def test_an_untyped_constant_may_be_a_float() -> None:
    check_hover("mov.b32 %r1, 0x3F80<|>0000;", "as .f32      1.0")
    check_hover("mov.b64 %rd1, 0x3FF8<|>000000000000;", "as .f64      1.5")
    check_hover("mov.b32 %r1, 0x3C00<|>BC00;", "as .f16x2    {-1.0, 1.0}")
    check_not_said("add.u32 %r1, %r2, 0x3F80<|>0000;", "as .f32")
    check_not_said("mov.b32 %r1, 10<|>24;", "as .f32", "as .f16x2")


def test_powers_and_masks() -> None:
    check_hover("add.u32 %r1, %r2, 10<|>24;", "power of 2   2^10")
    check_hover("add.u32 %r1, %r2, 3<|>1;", "mask         the lowest 5 bits")
    check_not_said("add.u32 %r1, %r2, 3<|>0;", "power", "mask")


def test_floats_show_the_bits_of_their_type() -> None:
    check_hover("add.f32 %f1, %f2, 0f3F80<|>0000;", "value  1.0")
    check_not_said("add.f32 %f1, %f2, 0f3F80<|>0000;", ".f64", ".f32")
    check_hover("add.f32 %f1, %f2, 1<|>.0;", ".f32  0f3F800000")
    check_hover("mov.f64 %fd1, 1<|>.5;", ".f64  0d3FF8000000000000")


def test_a_part_of_an_expression_shows_the_whole_too() -> None:
    check_hover("mov.b32 %r1, (1 <|><< 4) + 2;")
    check_hover("mov.b32 %r1, (1 << <|>4) + 2;", "decimal      4", "expression   18 (0x12)")


def test_the_operand_says_what_the_constant_is_for() -> None:
    check_hover("prmt.b32 %r1, %r2, %r3, 0x32<|>10;", "here: `c` of `prmt`: the selector")


def test_first_values_have_the_type_of_the_variable() -> None:
    check_hover("//- module\n.global .s32 x[2] = {1, -<|>1};", "read as `.s32`", "0xffffffff")
    check_hover("//- module\n.global .b32 x<|>[2] = {1, 2};", "variable in")
    check_hover("//- module\n.global .b32 x[<|>16];", "integer constant")


def test_an_offset_in_an_address() -> None:
    check_hover("ld.global.u32 %r1, [%rd1+1<|>6];", "decimal      16")
    check_hover("ld.global.u32 %r1, [%rd1+-1<|>6];", "decimal      -16")


def test_a_constant_of_absurd_length_is_no_number() -> None:
    check_hover(f"mov.b32 %r1, <|>{'9' * 5000};")
