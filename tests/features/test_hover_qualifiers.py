"""Hovers of qualifiers explain the form that matched: the same word means other things in other forms and pages."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said, hovered


@pytest.mark.parametrize("opcode", ["ld.relaxed.sys.global.u32", "ld.acquire.sys.u32"])
def test_an_ordered_load_is_not_one_of_a_device_register(opcode: str) -> None:
    check_not_said(f"l<|>{opcode[1:]} %r1, [%rd1];", "device register")
    check_hover(f"{opcode.replace('sys', 's<|>ys')} %r1, [%rd1];", "the threads with which the load can synchronize")


@pytest.mark.parametrize("opcode", ["st.relaxed.sys.u32", "st.release.sys.global.u32"])
def test_an_ordered_store_is_not_one_to_a_device_register(opcode: str) -> None:
    check_not_said(f"s<|>{opcode[1:]} [%rd1], %r1;", "device register")
    check_hover(f"{opcode.replace('sys', 's<|>ys')} [%rd1], %r1;", "the threads with which the store can synchronize")


def test_an_access_to_a_device_register() -> None:
    check_hover("ld.mm<|>io.relaxed.sys.u32 %r1, [%rd1];", "memory mapped to device registers")
    check_hover("ld.mmio.relaxed.s<|>ys.u32 %r1, [%rd1];", "the only scope")


def test_a_rounding_modifier_of_one_form() -> None:
    check_hover("cvt.rn<|>a.tf32.f32 %r1, %f1;", "to nearest with ties away from zero")
    check_hover("c<|>vt.rna.tf32.f32 %r1, %f1;", ".rna to nearest with ties away from zero")
    check_hover("cvt.r<|>n.f32.f64 %f1, %fd1;", "`.rn` to nearest with ties to even")
    check_not_said("c<|>vt.rn.f16.f32 %h1, %f1;", "away from zero")


def test_a_narrow_type_is_that_of_the_operand_that_has_it() -> None:
    check_hover("cvt.rn.f16x2.e4m3<|>x2 %r1, %h1;", "type of `a`")
    check_hover("cvt.rn.satfinite.e4m3<|>x2.f32 %h1, %f1, %f2;", "type of `d`")


def test_a_word_with_a_meaning_of_its_own_on_the_page() -> None:
    check_hover("//- sm_90a ptx 8.0\ns<|>etmaxnreg.dec.sync.aligned.u32 40;", "releases registers to the pool")
    check_not_said("//- sm_90a ptx 8.0\nsetmaxnreg.d<|>ec.sync.aligned.u32 40;", "subtracts")
    check_hover("//- sm_90 ptx 8.0\nb<|>ar.red.or.pred %p1, 0, %p2;", "p becomes true if the predicate of at least one")


def test_a_word_with_several_meanings() -> None:
    check_hover("s<|>etp.lo.u32 %p1, %r1, %r2;", ".lo lower, unsigned")
    check_not_said("setp.l<|>o.u32 %p1, %r1, %r2;", "product")
    check_hover("mul.l<|>o.u32 %r1, %r2, %r3;", "the low half of the product")
    check_not_said("//- sm_90 ptx 8.0\natom.global.c<|>ta.add.u32 %r1, [%rd1], 1;", "`bar`")


def test_a_word_of_one_name_of_the_page() -> None:
    check_hover("prefetchu.L<|>1 [%rd1];", "uniform cache")
    check_hover("prefetch.global.L<|>1 [%rd1];", "level 1 cache")
    check_not_said("p<|>refetch.L1 [%rd1];", "uniform")


def test_words_that_one_form_has_together() -> None:
    check_hover("mad.hi.s<|>at.s32 %r1, %r2, %r3, %r4;", "clamps the sum to `-2^31 .. 2^31 - 1`")
    check_not_said("mad.h<|>i.s32 %r1, %r2, %r3, %r4;", "clamps", ".sat")
    check_not_said("mad.rn.s<|>at.f32 %f1, %f2, %f3, %f4;", "2^31")


def test_a_type_that_stands_in_several_places() -> None:
    check_hover("vshl.u3<|>2.s32.u32.clamp %r1, %r2, %r3;", "signedness of the result")
    check_hover("vshl.s32.s32.u3<|>2.clamp %r1, %r2, %r3;", "type of the count")


def test_a_pitfall_of_some_types_and_words() -> None:
    pitfall = "C's `!=`"
    check_hover("s<|>etp.ne.f32 %p1, %f1, %f2;", pitfall)
    check_not_said("s<|>etp.ne.s32 %p1, %r1, %r2;", pitfall)
    check_not_said("s<|>etp.lt.f32 %p1, %f1, %f2;", pitfall)


def test_a_pitfall_of_one_name_of_the_page() -> None:
    check_hover("{ .global .surfref s; s<|>ust.b.1d.b32.trap [s, {%r1}], %r2; }", "*byte* offset")
    check_not_said("{ .global .surfref s; s<|>ust.p.1d.b32.trap [s, {%r1}], %r2; }", "*byte* offset")


def test_the_order_that_a_copy_needs() -> None:
    into = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1], [%rd2], 16, [%rd3];"
    out = "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], 16;"
    assert _orders(f"//- sm_90 ptx 8.6\nc<|>{into[1:]}")
    assert _orders(f"//- sm_90 ptx 8.6\nc<|>{out[1:]}")


def _orders(source: str) -> bool:
    """Whether a hover mentions the order of accesses."""
    info = hovered(source)
    assert info is not None
    return any(one.text.startswith("**Ordering:**") for one in info.hazards)


def test_saturation_of_floats_is_not_that_of_integers() -> None:
    floats = "{%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}"
    wmma = "wmma.mma.sync.aligned.row.col"
    source = f"//- sm_70 ptx 6.3\n{wmma}.m16n16k16.f16.f16.satf<|>inite {floats}, {{%r0, %r1, %r2, %r3}};"
    check_hover(source, "infinities become the largest finite value of their sign")
    check_not_said(source, "integer sum")
    check_hover(
        f"//- sm_75 ptx 7.0\n{wmma}.m8n8k32.s32.s4.s4.s32.satf<|>inite {{%r0, %r1}}, {{%r2}}, {{%r3}}, {{%r4, %r5}};",
        "an integer sum is clamped",
    )


@pytest.mark.parametrize(
    ("opcode", "sparsity"),
    [
        (".m16n8k16.row.col.f32.tf32.tf32.f32", "1:2"),
        (".m16n8k32.row.col.f32.f16.f16.f32", "2:4"),
        (".m16n8k128.row.col.s32.s4.s4.s32", "4:8"),
    ],
)
def test_the_sparsity_is_that_of_the_type(opcode: str, sparsity: str) -> None:
    c = "%f0, %f1, %f2, %f3" if ".f32" in opcode else "%r9, %r10, %r11, %r12"
    source = f"m<|>ma.sp.sync.aligned{opcode} {{{c}}}, {{%r0, %r1, %r2, %r3}}, {{%r4, %r5, %r6, %r7}}, {{{c}}}, %r8, 0;"
    check_hover(f"//- sm_80 ptx 8.0\n{source}", f"A is {sparsity} sparse")
    check_not_said(
        f"//- sm_80 ptx 8.0\n{source}", *(f"A is {other} sparse" for other in {"1:2", "2:4", "4:8"} - {sparsity})
    )


def test_shared_memory_is_read_until_the_wait() -> None:
    check_hover(
        "//- sm_90a ptx 8.0\nw<|>gmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r0, %r1, %r2, %r3}, %rd1, %rd2, 1;",
        "do not write A and B in shared memory",
    )


def test_a_selector_of_a_scalar_video_instruction_is_a_part() -> None:
    statement = "vadd.u32.u32.u32.sat %r1.h1, %r2.b0, %r3, %r4;"
    check_hover(f"v<|>{statement[1:]}", "vadd.u32.u32.u32.sat  d.h1, a.b0, b, c;", "one part replaced")
    check_not_said(f"v<|>{statement[1:]}", ".sat.b0", "second operand")


def test_the_count_of_a_shift_has_a_type_of_its_own() -> None:
    check_hover("vshl.s32.s32.u3<|>2.clamp %r1, %r2, %r3;", "type of the count")
    check_not_said("vshl.u3<|>2.s32.u32.clamp %r1, %r2, %r3;", "type of the count")


def test_the_pitfall_of_byte_coordinates_fits_into_the_hover() -> None:
    for opcode in ("suld.b.1d.b32.trap %r2, [s, {%r1}]", "sured.b.add.1d.u32.trap [s, {%r1}], %r2"):
        name, _, rest = opcode.partition(".")
        check_hover(f"{{ .global .surfref s; {name[:2]}<|>{name[2:]}.{rest}; }}", "*byte* offset", "access size")


@pytest.mark.parametrize(
    ("source", "offered", "not_offered"),
    [
        ("setp.l<|>t.s32 %p1, %r1, %r2;", "alternatives: `.eq` `.ne` `.le` `.gt` `.ge`", "`.lo`"),
        ("setp.l<|>t.s32 %p1, %r1, %r2;", "`.ge`", "`.equ`"),
        (
            "//- sm_90 ptx 8.0\nstmatrix.sync.aligned.m8n8.x<|>4.shared.b16 [%r1], {%r2, %r3, %r4, %r5};",
            "alternatives: `.x1` `.x2`",
            "`.x8`",
        ),
        (
            "//- sm_90 ptx 8.0\nstmatrix.sync.aligned.m8n8.x<|>1.shared.b16 [%r1], %r2;",
            "alternatives: `.x2` `.x4`",
            "`.x8`",
        ),
        ("//- sm_80 ptx 7.0\nsuld.b.2<|>d.b32.trap %r4, [%rd1, {%r3, %r2}];", "alternatives: `.1d`", "`.a2d` `.4d`"),
        ("//- sm_80 ptx 7.0\nld.global.ca.f3<|>2 %f1, [%rd1];", "`.b8`", "`.b128`"),
    ],
)
def test_alternatives_are_words_of_the_manual_that_are_legal_in_the_statement(
    source: str, offered: str, not_offered: str
) -> None:
    check_hover(source, offered)
    check_not_said(source, not_offered)
