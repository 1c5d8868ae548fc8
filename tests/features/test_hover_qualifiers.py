"""Hovers of qualifiers explain the form that matched: the same word means other things in other forms and pages."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said, hovered


@pytest.mark.parametrize("opcode", ["ld.relaxed.sys.global.u32", "ld.acquire.sys.u32"])
def test_an_ordered_load_is_not_one_of_a_device_register(opcode: str) -> None:
    check_not_said(f"l<|>{opcode[1:]} %r1, [%rd1];", "device register")
    check_hover(f"{opcode.replace('sys', 's<|>ys')} %r1, [%rd1];", "whom `.sem` counts for")


@pytest.mark.parametrize("opcode", ["st.relaxed.sys.u32", "st.release.sys.global.u32"])
def test_an_ordered_store_is_not_one_to_a_device_register(opcode: str) -> None:
    check_not_said(f"s<|>{opcode[1:]} [%rd1], %r1;", "device register")
    check_hover(f"{opcode.replace('sys', 's<|>ys')} [%rd1], %r1;", "whom `.sem` counts for")


def test_an_access_to_a_device_register() -> None:
    check_hover("ld.mm<|>io.relaxed.sys.u32 %r1, [%rd1];", "read of a device register")
    check_hover("ld.mmio.relaxed.s<|>ys.u32 %r1, [%rd1];", "the scope of `.mmio`")


def test_a_rounding_modifier_of_one_form() -> None:
    check_hover("cvt.rn<|>a.tf32.f32 %r1, %f1;", "nearest, where a tie goes away from zero")
    check_hover("c<|>vt.rna.tf32.f32 %r1, %f1;", ".rna nearest, where a tie goes away from zero")
    check_hover("cvt.r<|>n.f32.f64 %f1, %fd1;", "`.rn` nearest even")
    check_not_said("c<|>vt.rn.f16.f32 %h1, %f1;", "away from zero")


def test_a_narrow_type_is_that_of_the_operand_that_has_it() -> None:
    check_hover("cvt.rn.f16x2.e4m3<|>x2 %r1, %h1;", "type of `a`")
    check_hover("cvt.rn.satfinite.e4m3<|>x2.f32 %h1, %f1, %f2;", "type of `d`")


def test_a_word_with_a_meaning_of_its_own_on_the_page() -> None:
    check_hover("//- sm_90a ptx 8.0\ns<|>etmaxnreg.dec.sync.aligned.u32 40;", ".dec gives registers back")
    check_not_said("//- sm_90a ptx 8.0\nsetmaxnreg.d<|>ec.sync.aligned.u32 40;", "subtracts")
    check_hover("//- sm_90 ptx 8.0\nb<|>ar.red.or.pred %p1, 0, %p2;", "whether at least one is")


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
    pitfall = "can be NaN"
    check_hover("s<|>etp.ne.f32 %p1, %f1, %f2;", pitfall)
    check_not_said("s<|>etp.ne.s32 %p1, %r1, %r2;", pitfall)
    check_not_said("s<|>etp.lt.f32 %p1, %f1, %f2;", pitfall)


def test_a_pitfall_of_one_name_of_the_page() -> None:
    check_hover("{ .global .surfref s; s<|>ust.b.1d.b32.trap [s, {%r1}], %r2; }", "counts *bytes*")
    check_not_said("{ .global .surfref s; s<|>ust.p.1d.b32.trap [s, {%r1}], %r2; }", "counts *bytes*")


def test_the_order_that_one_direction_of_a_copy_needs() -> None:
    into = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1], [%rd2], 16, [%rd3];"
    out = "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], 16;"
    assert not _orders(f"//- sm_90 ptx 8.6\nc<|>{into[1:]}")
    assert _orders(f"//- sm_90 ptx 8.6\nc<|>{out[1:]}")


def _orders(source: str) -> bool:
    """Whether a hover speaks of the order of accesses; a long one is cut where it is shown."""
    info = hovered(source)
    assert info is not None
    return any(paragraph.startswith("**Ordering:**") for paragraph in info.lead)
