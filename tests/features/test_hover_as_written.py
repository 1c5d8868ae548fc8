"""The hover of an instruction is about the statement as it is written, and its first lines say what matters."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.features.hover.parts.render import PROSE_WIDTH, VISIBLE_LINES, markdown

from .hovering import check_hover, check_not_said, hovered

FOUR = "{%f1, %f2, %f3, %f4}"
WGMMA = "w<|>gmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;"
TMA = "c<|>p.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];"
COMMON = [
    "l<|>d.global.u32 %r1, [%rd1];",
    "l<|>d.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];",
    "s<|>t.global.f32 [%rd1+4], %f1;",
    "m<|>ov.u32 %r1, %r2;",
    "m<|>ov.u32 %r1, %tid.x;",
    "a<|>dd.s32 %r1, %r2, 1;",
    "m<|>ad.lo.s32 %r1, %r2, %r3, %r4;",
    "f<|>ma.rn.f32 %f1, %f2, %f3, %f4;",
    "s<|>etp.lt.s32 %p1, %r1, %r2;",
    "L: @%p1 b<|>ra L;",
    "c<|>vt.rn.f16.f32 %h1, %f1;",
    "//- sm_80 ptx 7.0\nc<|>vt.rn.bf16x2.f32 %r1, %f1, %f2;",
    f"m<|>ma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {FOUR}, {{%r1, %r2, %r3, %r4}}, {{%r5, %r6}}, {FOUR};",
    "b<|>ar.sync 0;",
]


@pytest.mark.parametrize("source", COMMON)
def test_the_hovers_of_common_instructions_are_visible_without_scrolling(source: str) -> None:
    info = hovered(source)
    assert info is not None
    text = re.sub(r"\]\(http[^)]*\)", "]", markdown(info))
    fenced = [line for fence in re.findall(r"```\w+\n(.*?)\n```", text, re.DOTALL) for line in fence.split("\n")]
    prose = re.sub(r"```.*?```|`|\*\*", "", text, flags=re.DOTALL)
    lines = [" ".join(line.split()) for line in re.split(r"  \n|\n\n", prose) if line.strip()]
    assert len(fenced) + sum(-(-len(line) // PROSE_WIDTH) for line in lines) <= VISIBLE_LINES, text


def test_nothing_that_goes_wrong_is_left_out() -> None:
    check_hover(f"//- sm_90a ptx 8.0\n{WGMMA}", "**Pitfall:**", "**Completion:**", "**Ordering:**", "**Threads:**")
    check_hover(f"//- sm_90 ptx 8.6\n{TMA}", "**Pitfall:**", "**Completion:**", "**Threads:**")
    check_hover("l<|>d.global.nc.u32 %r1, [%rd1];", "**Pitfall:**")


def test_a_constant_of_two_values_names_them() -> None:
    check_hover(f"//- sm_90a ptx 8.0\n{WGMMA}", "constant -1 or 1")


def test_the_lead_is_that_of_the_direction() -> None:
    check_hover(f"//- sm_90 ptx 8.6\n{TMA}", "load a tile into shared memory")
    store = "c<|>p.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r2, %r3}], [%r1];"
    check_hover(f"//- sm_90 ptx 8.6\n{store}", "store a tile from shared memory to a tensor")


def test_the_lead_names_no_operand_that_is_not_written() -> None:
    check_not_said("at<|>om.global.add.u32 %r1, [%rd1], %r2;", ".cas", "`c`")
    check_not_said("s<|>etp.lt.s32 %p1, %r1, %r2;", "`q`", "bool", "NaN")
    check_hover("s<|>etp.lt.and.s32 %p1|%p2, %r1, %r2, %p3;", "`p = (a cmp b) bool c`", "`q = !(a cmp b) bool c`")
    check_not_said("a<|>dd.s32 %r1, %r2, 1;", "sub")


def test_a_packed_conversion_says_which_source_is_the_upper_half() -> None:
    source = "//- sm_80 ptx 7.0\nc<|>vt.rn.bf16x2.f32 %r1, %f1, %f2;"
    check_hover(source, "`d = {bf16(a), bf16(b)}`, with `a` in the upper half")


def test_a_pitfall_of_names_is_not_one_of_registers() -> None:
    check_not_said("m<|>ov.u32 %r1, %r2;", "Pitfall")
    check_hover(
        "{ .shared .b32 tile[4]; m<|>ov.u32 %r1, tile; }", "**Pitfall:** a variable's name", "gives its address"
    )


def test_a_pitfall_of_floats_is_not_one_of_integers() -> None:
    check_not_said("s<|>etp.ne.s32 %p1, %r1, %r2;", "Pitfall")
    check_hover("s<|>etp.ne.f32 %p1, %f1, %f2;", "**Pitfall:**", "NaN")
    check_not_said("m<|>in.s32 %r1, %r2, %r3;", "Pitfall")


def test_what_fills_a_place_stands_for_its_name() -> None:
    check_hover("at<|>om.global.add.u32 %r1, [%rd1], %r2;", "operand of .add")
    check_not_said("v<|>add.u32.u32.u32.sat %r1, %r2, %r3;", ".dtype")


def test_selectors_are_shown_with_their_operands() -> None:
    check_hover("v<|>add.u32.u32.u32 %r1.b0, %r2.b1, %r3, %r4;", "vadd.u32.u32.u32  d.b0, a.b1, b, c;")


def test_types_and_state_spaces_have_no_row_of_their_own() -> None:
    check_not_said("m<|>ov.b32 %r1, %r2;", "\n.b32")
    check_not_said("l<|>d.global.u32 %r1, [%rd1];", "\n.global", "\n.u32")


@pytest.mark.parametrize(
    ("source", "said", "unsaid"),
    [
        ("ld.relaxed.s<|>ys.global.u32 %r1, [%rd1];", "scope", "device register"),
        ("ld.acquire.s<|>ys.global.u32 %r1, [%rd1];", "scope", "device register"),
        ("pref<|>etch.global.L1 [%rd1];", ".L1", "after prefetchu"),
        ("mad.h<|>i.s32 %r1, %r2, %r3, %r4;", "high half", "clamp"),
        ("vshl.u<|>32.u32.u32.clamp %r1, %r2, %r3;", "result", "type of the count"),
        ("//- sm_80 ptx 7.0\ncvt.r<|>na.tf32.f32 %r1, %f1;", "away from zero", "even"),
        ("//- sm_90a ptx 8.0\nsetmaxnreg.d<|>ec.sync.aligned.u32 24;", "registers", "subtracts 1"),
        ("setp.l<|>o.u32 %p1, %r1, %r2;", "lower", "product"),
    ],
)
def test_a_word_has_the_meaning_that_it_has_in_the_form(source: str, said: str, unsaid: str) -> None:
    check_hover(source, said)
    check_not_said(source, unsaid)


def test_the_type_of_a_surface_is_that_of_the_register_or_of_the_variable() -> None:
    header = "//- sm_80 ptx 7.0\n"
    check_hover(f"{header}su<|>ld.b.2d.b32.trap %r4, [%rd1, {{%r3, %r2}}];", "a      %rd1, .u64")
    check_hover(f"{header}{{ .global .surfref s; su<|>ld.b.1d.b32.trap %r2, [s, {{%r1}}]; }}", "s, .surfref")
    check_hover(f"{header}tx<|>q.width.b32 %r1, [%rd1];", "[%rd1], .u64")


def test_the_form_shown_is_the_one_that_has_the_words() -> None:
    statement = "//- sm_80 ptx 7.0\ncvt.p<|>ack.sat.u8.s32 %r1, %r2, %r3;"
    check_hover(statement, "cvt.pack.sat.u8.s32.b32  d, a, b, c;", "requires `.b32` here", "clamped to `.u8`")
    check_not_said(statement, ".u16", "d[31:16]")
