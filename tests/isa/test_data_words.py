"""Facts of the manual that the pages of conversions, moves, textures, surfaces and video state, by spelling."""

from __future__ import annotations

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.page_condition import Spelling


def page_of(opcode: str) -> InstructionPage:
    """The page of an opcode."""
    name, *qualifiers = opcode.split(".")
    page = catalogue().instruction((name, *(f".{one}" for one in qualifiers)))
    assert page is not None, opcode
    return page


def spelling(opcode: str, *parts: str) -> Spelling:
    """An opcode as written, with the places and operands that it fills."""
    return Spelling(opcode, frozenset({*(f".{one}" for one in opcode.split(".")[1:]), *parts}))


def lead_of(opcode: str, *parts: str) -> str:
    """The lead that is shown for a spelling."""
    return " ".join(page_of(opcode).words.lead_of(spelling(opcode, *parts)))


def label_of(label: str, opcode: str, *parts: str) -> str:
    """The labelled paragraphs of one name that are shown for a spelling."""
    labels = page_of(opcode).words.labels_of(spelling(opcode, *parts))
    return " ".join(one.text for one in labels if one.name == label)


def bullet_of(name: str, opcode: str, *parts: str) -> str:
    """The bullet of a part that is shown for a spelling."""
    return page_of(opcode).words.meaning(name, spelling(opcode, *parts))


def check_below(opcode: str, *pieces: str) -> None:
    """The text below the rule of a page holds these."""
    below = " ".join(page_of(opcode).words.below.split())
    for piece in pieces:
        assert piece in below, below


def test_two_values_are_packed_with_the_first_source_above() -> None:
    assert "`d[31:16] = bf16(a)`, `d[15:0] = bf16(b)`" in lead_of("cvt.rn.bf16x2.f32", "a", "b")
    assert "`a` above `b`" in lead_of("cvt.rn.f16x2.f32", "a", "b")
    assert "`a`, `b`, `e`, `f`" in lead_of("cvt.rs.satfinite.e4m3x4.f32", "a", "b", "e", "f")
    assert "both elements" in lead_of("cvt.rn.f16x2.e4m3x2", ".asmall", "a")
    assert "packs" not in lead_of("cvt.rn.f32.s32", "a")


@pytest.mark.parametrize(
    ("opcode", "places", "says"),
    [
        ("cvt.rn.satfinite.e4m3x2.f32", (".small", "b"), "NaN stays NaN"),
        ("cvt.rn.satfinite.f16.f32", (".dhalf",), "NaN stays NaN"),
        ("cvt.rn.satfinite.e2m1x2.f32", (".small", "b"), "NaN to the largest positive value"),
        ("cvt.rs.satfinite.e3m2x4.f32", (".small4", "b"), "NaN to the largest positive value"),
        ("cvt.rn.satfinite.s2f6x2.f32", ("b",), "NaN to the largest positive value"),
    ],
)
def test_what_a_nan_becomes_depends_on_the_format(opcode: str, places: tuple[str, ...], says: str) -> None:
    assert says in bullet_of(".satfinite", opcode, *places)


def test_saturation_depends_on_the_result() -> None:
    assert "redundant" in bullet_of(".sat", "cvt.rzi.sat.u8.f32", ".dint", ".afloat")
    assert "range of the type" in bullet_of(".sat", "cvt.sat.u8.s32", ".dint", ".aint")
    assert "NaN to `+0.0`" in bullet_of(".sat", "cvt.sat.f32.f32", ".dfloat", ".afloat")
    assert "canonical NaN" in bullet_of(".relu", "cvt.rn.relu.f16.f32")


def test_random_bits_of_stochastic_rounding() -> None:
    check_below("cvt", "`28:16` for `a`, `12:0` for `b`", "`31:24` and `15:8` for `a` and `b`, `23:16` and `7:0`")


def test_kernel_parameters_are_in_the_global_window() -> None:
    assert "kernel parameters are too" in lead_of("isspacep.global")
    assert "executing CTA" in lead_of("isspacep.shared")
    assert "executing CTA" not in lead_of("isspacep.shared::cluster")


def test_addresses_that_cannot_be_converted() -> None:
    assert "not in the window" in label_of("Undefined", "cvta.to.global.u64")
    assert "kernel parameter" in label_of("Undefined", "cvta.param.u64")
    assert label_of("Undefined", "cvta.global.u64") == ""


def test_a_mode_of_prmt_has_no_digits() -> None:
    assert "sign bit" in lead_of("prmt.b32")
    assert "sign bit" not in lead_of("prmt.b32.f4e", ".mode")
    assert label_of("Pitfall", "prmt.b32.f4e", ".mode") == ""
    assert "not used" in bullet_of("b", "prmt.b32.rc8", ".mode")
    assert "bytes 4 to 7" in bullet_of("b", "prmt.b32.f4e", ".mode")


@pytest.mark.parametrize(
    "opcode",
    [
        "suld.b.1d.b32.trap",
        "sust.p.1d.b32.trap",
        "sured.b.add.1d.u32.trap",
        "tex.1d.v4.f32.f32",
        "tld4.r.2d.v4.f32.f32",
    ],
)
def test_a_misaligned_access_is_undefined(opcode: str) -> None:
    assert "not a multiple of the access size" in label_of("Undefined", opcode)
    check_below(opcode, "aligned to 16 bytes", "round the address down or raise a fault")


def test_components_that_a_formatted_store_leaves_out() -> None:
    assert "unpredictable" in label_of("Pitfall", "sust.p.1d.b32.trap")
    assert "unpredictable" not in label_of("Pitfall", "sust.b.1d.b32.trap")


def test_the_level_of_a_mipmap() -> None:
    assert "level 0" in lead_of("tex.2d.v4.f32.f32")
    assert "level `lod`" in lead_of("tex.level.2d.v4.f32.f32")
    assert "derivatives" in lead_of("tex.grad.2d.v4.f32.f32")


def test_video_instructions_explain_what_is_written() -> None:
    assert "`c`" not in lead_of("vadd.u32.u32.u32", "a", "b")
    assert "smaller of that result and `c`" in lead_of("vmax.s32.s32.s32.min", ".op2", "c")
    assert "left" not in lead_of("vshr.u32.u32.u32.wrap")
    assert "+ 1" in lead_of("vmad.u32.u32.u32.po")
    assert "+ 1" not in lead_of("vmad.u32.u32.u32")
    assert "above 32" in bullet_of(".mode", "vshl.u32.u32.u32.clamp", ".mode")
    assert "added to `c`" in lead_of("vadd4.u32.u32.u32.add", ".add")
    assert "bit mask" not in label_of("Pitfall", "vset4.u32.u32.eq.add", ".add")
