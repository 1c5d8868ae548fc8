"""Hovers of memory accesses say what the access as written does, promises and requires."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said, hovered


def check_says(source: str, *expected: str) -> None:
    """Lead and hazards of the hover at the cursor hold every text, before anything is shortened for an editor."""
    head = _head(source)
    for piece in expected:
        assert piece in head, head


def check_leaves_out(source: str, *unwanted: str) -> None:
    """Lead and hazards of the hover at the cursor hold none of these texts."""
    head = _head(source)
    for piece in unwanted:
        assert piece not in head, head


def _head(source: str) -> str:
    info = hovered(source)
    assert info is not None
    return " ".join(" ".join([*info.lead, *(hazard.text for hazard in info.hazards)]).split())


def test_compare_and_swap_alone_has_a_second_value() -> None:
    check_says("a<|>tom.global.cas.b32 %r1, [%rd1], %r2, %r3;", "*a = (d == b) ? c : d")
    check_leaves_out("a<|>tom.global.add.u32 %r1, [%rd1], %r2;", "cas", "`c`", "? c")
    check_hover("a<|>tom.global.cas.b32 %r1, [%rd1], %r2, %r3;", "the value to compare with", "the value to store")


@pytest.mark.parametrize(
    ("statement", "formula"),
    [
        ("a<|>tom.global.inc.u32 %r1, [%rd1], %r2;", "*a = (d >= b) ? 0 : d + 1"),
        ("a<|>tom.global.dec.u32 %r1, [%rd1], %r2;", "*a = (d == 0 || d > b) ? b : d - 1"),
        ("r<|>ed.global.inc.u32 [%rd1], %r2;", "*a = (*a >= b) ? 0 : *a + 1"),
        ("r<|>ed.global.dec.u32 [%rd1], %r2;", "*a = (*a == 0 || *a > b) ? b : *a - 1"),
    ],
)
def test_counters_wrap_at_their_operand(statement: str, formula: str) -> None:
    check_says(statement, formula)


@pytest.mark.parametrize(
    "statement",
    [
        "//- sm_90 ptx 8.1\nr<|>ed.global.add.v2.f32 [%rd1], {%f1, %f2};",
        "//- sm_90 ptx 8.1\na<|>tom.global.add.v2.f32 {%f3, %f4}, [%rd1], {%f1, %f2};",
        "//- sm_90 ptx 8.1\nr<|>ed.global.add.noftz.f16x2 [%rd1], %r1;",
    ],
)
def test_a_vector_is_atomic_element_by_element(statement: str) -> None:
    check_says(statement, "each element is atomic, the whole is not")
    check_leaves_out(statement, "as one atomic operation")


def test_a_scalar_is_one_atomic_operation() -> None:
    check_says("r<|>ed.global.add.f32 [%rd1], %f1;", "as one atomic operation")
    check_leaves_out("r<|>ed.global.add.f32 [%rd1], %f1;", "element by element")


@pytest.mark.parametrize("opcode", ["atom.{}add.u32 %r1, [%rd1], 1", "red.{}add.u32 [%rd1], 1"])
def test_atomicity_at_system_scope_has_limits_in_host_memory(opcode: str) -> None:
    first, rest = opcode[0], opcode[1:]
    check_says(f"{first}<|>{rest.format('sys.')};", "host memory")
    check_leaves_out(f"{first}<|>{rest.format('gpu.')};", "host memory")


def test_the_default_order_is_not_that_of_an_acquire() -> None:
    check_says("a<|>tom.global.add.u32 %r1, [%rd1], 1;", "relaxed: it orders no other access", "the scope is `.gpu`")
    check_leaves_out("a<|>tom.acquire.sys.global.add.u32 %r1, [%rd1], 1;", "it orders no other", "the scope is `.gpu`")


def test_a_fence_after_a_reduction_is_no_acquire() -> None:
    check_says("r<|>ed.global.add.u32 [%rd1], 1;", "`red` forms no acquire pattern")


def test_a_reduction_without_an_mbarrier_is_complete_at_the_end_of_the_cta() -> None:
    into_global = "//- sm_100 ptx 8.7\nr<|>ed.async.release.gpu.global.add.u32 [%rd1], %r1;"
    check_says(into_global, "complete at the end of the CTA")
    check_leaves_out(into_global, "mbar", "another CTA of the cluster")
    bytes_of = "shared::cluster.mbarrier::complete_tx::bytes"
    into_shared = f"//- sm_90 ptx 8.1\nr<|>ed.async.relaxed.cluster.{bytes_of}.add.u32 [%r1], %r2, [%r3];"
    check_says(into_shared, "tracked by bytes on the mbarrier", "or in the CTA of this thread")
    check_leaves_out(into_shared, "end of the CTA")


@pytest.mark.parametrize("order", ["relaxed", "acquire"])
def test_an_ordered_load_says_its_own_order(order: str) -> None:
    check_leaves_out(f"l<|>d.{order}.gpu.global.u32 %r1, [%rd1];", "weak")
    check_says("l<|>d.global.u32 %r1, [%rd1];", "weak: for data that no other thread writes")
    check_leaves_out("l<|>d.const.u32 %r1, [%rd1];", "weak")


def test_each_order_is_explained_alone() -> None:
    check_hover("ld.rel<|>axed.gpu.u32 %r1, [%rd1];", "orders no other access")
    check_not_said("ld.rel<|>axed.gpu.u32 %r1, [%rd1];", "release")
    check_hover("st.rel<|>ease.gpu.u32 [%rd1], %r1;", "makes earlier writes of this thread visible")
    check_not_said("st.rel<|>ease.gpu.u32 [%rd1], %r1;", "orders no other")


def test_only_an_access_without_a_state_space_is_generic() -> None:
    check_says("l<|>d.u32 %r1, [%rd1];", "generic address")
    check_leaves_out("l<|>d.global.u32 %r1, [%rd1];", "generic")
    check_leaves_out("s<|>t.shared.u32 [%r2], %r1;", "is a generic address")


def test_parameters_of_the_other_sort_are_undefined() -> None:
    check_says("l<|>d.param::func.u32 %r1, [%rd1];", "`a` is not the address of a function parameter")
    check_leaves_out("l<|>d.global.u32 %r1, [%rd1];", "parameter")


def test_a_volatile_access_is_not_for_device_registers() -> None:
    statement = "ld.vol<|>atile.global.u32 %r1, [%rd1];"
    check_hover(statement, "accesses can be merged, repeated or reordered", "`.mmio` for device registers")


def test_a_policy_is_undefined_outside_global_memory_and_its_ranges() -> None:
    by_address = "c<|>reatepolicy.range.L2::evict_last.b64 %rd1, [%rd2], 16, 32;"
    check_says(by_address, "depends on the address", "`a` is not in global memory", "greater than `total-size`")
    check_leaves_out(by_address, "fraction")
    by_chance = "c<|>reatepolicy.fractional.L2::evict_last.b64 %rd1, 0.5;"
    check_says(by_chance, "`fraction` of the accesses", "0.0 (excluded) to 1.0")
    check_leaves_out(by_chance, "total-size", "`a`")


def test_a_prefetch_of_a_tensor_map_has_its_own_words() -> None:
    check_says("//- sm_90 ptx 8.0\np<|>refetch.tensormap [%rd1];", "the tensor-map at `a`")
    check_leaves_out("p<|>refetch.global.L2 [%rd1];", "tensor-map")


def test_a_fabric_copy_to_all_members() -> None:
    put = "fabric.try_put.async{}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.b128"
    operands = "[%r1, %rd1], [%r2], 256, [%r3];"
    one, every = (f"//- sm_100 ptx 9.3\nf<|>{put.format(how)[1:]} {operands}" for how in ("", ".multimem"))
    check_says(one, "in the endpoint `dstLeId`")
    check_says(every, "in each member of `dstLeId`")
    check_leaves_out(one, "member", "counter overlaps")


def test_a_wait_of_the_fabric_does_not_say_whose_operations() -> None:
    check_leaves_out("//- sm_100 ptx 9.3\nf<|>abric.wait.sync_restrict::reads;", "this thread", "groups")


@pytest.mark.parametrize(
    ("statement", "space"),
    [
        ("cp.async.ca.shared.global [%r1], <|>[%rd1], 4;", "address in `.global`"),
        ("cp.async.ca.shared.global <|>[%r1], [%rd1], 4;", "address in `.shared`"),
        ("cp.async.bulk.global.shared::cta.bulk_group [%rd1], <|>[%r2], 16;", "address in `.shared`"),
        ("cp.async.bulk.prefetch.tensor.1d.L2.global <|>[%rd1, {%r2}];", "generic address"),
        ("ld.global.f32 %f1, <|>[%rd1];", "address in `.global`"),
    ],
)
def test_the_space_of_an_address_is_that_of_its_operand(statement: str, space: str) -> None:
    check_hover(statement, space)


def test_operands_have_their_values_in_the_table() -> None:
    """A reader needs the addresses and coordinates of a copy together, not from a hover of each register."""
    check_hover(
        """//- sm_90 ptx 8.0 module
.extern .shared .align 128 .b8 tile[];
.visible .entry kernel(.param .align 64 .b8 kernel_param_0[128], .param .u32 kernel_param_1)
{
.reg .b32 %r<9>; .reg .b64 %rd<9>;
mov.b64 %rd1, kernel_param_0;
cvta.param.u64 %rd2, %rd1;
ld.param.u32 %r1, [kernel_param_1];
mov.u32 %r2, %ctaid.x;
mad.lo.s32 %r3, %r2, 128, %r1;
mov.b32 %r4, tile;
add.s32 %r5, %r4, 1024;
cp<|>.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd2, {%r1, %r3}], [%r4];
ret;
}
""",
        "[%r5] = tile + 1024",
        "%rd2 = generic(param_0)",
        "{%r1, %r3} = (param_1, param_1 + 128 * ctaid.x)",
        "[%r4] = tile",
    )


def test_an_address_in_another_cta_has_that_of_its_counterpart() -> None:
    check_hover(
        """//- sm_90 ptx 8.0 module
.extern .shared .align 128 .b8 tile[];
.visible .entry kernel(.param .u32 kernel_param_0)
{
.reg .b32 %r<9>;
ld.param.u32 %r1, [kernel_param_0];
mov.b32 %r2, tile;
add.s32 %r3, %r2, 8;
mapa.shared::cluster.u32 %r4, %r3, %r1;
mbar<|>rier.arrive.shared::cluster.b64 _, [%r4+16];
ret;
}
""",
        "[%r4+16] = tile + 24 of CTA param_0",
    )


SUM = """//- sm_90 ptx 8.0 module
.visible .entry kernel(.param .u64 kernel_param_0)
{
.reg .b32 %r<9>; .reg .b64 %rd<19>; .reg .f32 %f<4>;
ld.param.u64 %rd1, [kernel_param_0];
ld.global.u64 %rd2, [%rd1];
ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];
ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd2+16];
mul.wide.u32 %rd3, %r1, 4; mul.wide.u32 %rd4, %r2, 12;
add.s64 %rd6, %rd2, %rd3; add.s64 %rd6, %rd6, %rd4;
SHORTmul.wide.u32 %rd7, %r3, 20; mul.wide.u32 %rd8, %r4, 36; mul.wide.u32 %rd9, %r5, 52;
add.s64 %rd6, %rd6, %rd7; add.s64 %rd6, %rd6, %rd8; add.s64 %rd6, %rd6, %rd9;
mul.wide.u32 %rd7, %r6, 76; mul.wide.u32 %rd8, %r7, 92;
add.s64 %rd6, %rd6, %rd7; add.s64 %rd6, %rd6, %rd8;
LONGret;
}
"""


def test_an_address_that_is_a_sum_over_a_loaded_pointer() -> None:
    """A long one is shown by the pointer and the offset."""
    load = "l<|>d.global.f32 %f1, [%rd6+44];\n"
    check_hover(SUM.replace("LONG", "").replace("SHORT", load), "[%rd6+44] = %rd2 + 12 * %r2 + 4 * %r1 + 44")
    check_hover(SUM.replace("SHORT", "").replace("LONG", load), "[%rd6+44] = %rd2 + 44 + …")
    check_not_said(SUM.replace("SHORT", "").replace("LONG", "l<|>d.global.f32 %f1, [%rd2+8];\n"), "[%rd2+8] =")


def test_a_long_address_has_no_namespaces() -> None:
    """The offset says more than they do."""
    name = "_ZN7deep_ep6legacy9intranode11smem_bufferE"
    check_hover(
        f"""//- sm_90 ptx 8.0 module
.extern .shared .align 128 .b8 {name}[];
.visible .entry kernel(.param .u32 kernel_param_0)
{{
.reg .b32 %r<9>;
ld.param.u32 %r1, [kernel_param_0];
mov.b32 %r2, {name};
mad.lo.s32 %r3, %r1, 4096, %r2;
l<|>d.shared.u32 %r4, [%r3+128];
ret;
}}
""",
        "[%r3+128] = smem_buffer + 4096 * param_0 + 128",
    )
