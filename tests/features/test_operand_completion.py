"""Completion of operands: a cursor ``<|>``, what is offered there in order, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.analysis.cursor.unfinished import unfinished_at
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.operands import operands

from .cursor import opened

BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))


def offered(source: str) -> list[Item]:
    """What is offered, in the order in which editors show it."""
    checker, offset, _ = opened(source)
    place = unfinished_at(checker.module, offset)
    assert place is not None
    found = sorted(operands(checker.semantics, place), key=lambda item: (bool(item.needs), item.rank))
    for item in found:
        check_item(item, offset)
    return found


def check_item(item: Item, offset: int) -> None:
    assert item.typed.start <= offset <= item.typed.end
    assert 0 < len(item.label) <= 30
    assert len(item.detail) <= 30, item.detail


def texts(source: str) -> list[str]:
    return [item.insert or item.label for item in offered(source)]


def check_operands(source: str, *, first: str = "", some: str = "", none: str = "", only: str | None = None) -> None:
    """``first`` are the first offers in this order, ``some`` and ``none`` are (not) among them, ``only`` are all.

    Words are separated by blanks.
    """
    found = texts(source)
    assert len(found) == len(set(found)), found
    if only is not None:
        assert found == only.split()
    assert found[: len(first.split())] == first.split(), found
    assert not set(some.split()) - set(found), found
    assert not set(none.split()) & set(found), found


def check_vectors(source: str, *wanted: str) -> None:
    """The first offers, which hold blanks."""
    assert texts(source)[: len(wanted)] == list(wanted)


# ---- registers


def test_registers_used_last_come_first() -> None:
    check_operands("add.s32 %r5, %r6, 1;\nmul.lo.s32 %r7, %r5, 2;\nadd.s32 %r8, <|>", first="%r7 %r5 %r6")


def test_a_result_is_mostly_a_new_register() -> None:
    check_operands("add.s32 %r5, %r6, 1;\nadd.s32 <|>", first="%r7 %r5 %r6")


def test_registers_above_many_of_another_type_are_offered() -> None:
    """After a hundred loads all recent registers are pointers: the last ones of 32 bits are further above."""
    loads = "".join(f"mov.b16 %h{number}, 1;\n" for number in range(100))
    check_operands(
        f".reg .b16 %h<200>;\nadd.s32 %r5, %r6, 1;\n{loads}add.s32 %r8, <|>", some="%r8 %r5 %r6", none="%r1 %r7"
    )


def test_of_a_group_not_all_are_offered() -> None:
    assert len(texts("add.s32 %r5, %r6, 1;\nadd.s32 %r8, <|>")) < 8


def test_the_type_decides() -> None:
    above = "mov.b32 %r1, 1;\nmov.f32 %f1, 0f00000000;\nmov.b64 %rd1, 2;\nmov.f64 %fd1, 0d0000000000000000;\n"
    check_operands(f"{above}add.s32 %r2, <|>", some="%r1", none="%f1 %rd1 %fd1 %p0")
    check_operands(f"{above}add.f32 %f2, <|>", first="%f1", some="%r1", none="%rd1 %fd1")
    check_operands(f"{above}add.f64 %fd2, <|>", first="%fd1", some="%rd1", none="%r1 %f1")


def test_registers_without_a_type_pass_where_ptxas_lets_them() -> None:
    above = "{ .reg .u32 mine; .reg .b32 raw; .reg .f32 other;\n"
    check_operands(f"{above}add.u32 mine, <|>", some="mine raw", none="other")


def test_a_type_of_its_own_comes_before_one_that_merely_passes() -> None:
    found = texts("{ .reg .b64 wide; .reg .b32 exact;\nmov.b64 wide, 1;\nld.global.b32 <|>")
    assert found.index("exact") < found.index("wide")


def test_inner_declarations_hide_outer_ones() -> None:
    check_operands("{ .reg .b32 x; { .reg .f32 x;\nadd.s32 %r1, <|>", none="x")
    check_operands("{ .reg .b32 x; { .reg .f32 y; }\nadd.s32 %r1, <|>", some="x", none="y")


def test_what_is_declared_below_is_not_there_yet() -> None:
    check_operands("add.s32 %r1, <|>;\n.reg .b32 later;", none="later")


def test_names_of_other_functions_are_not_there() -> None:
    check_operands(
        """
//- sm_90 ptx 8.0 module
.entry a() { .reg .b32 mine; mov.b32 mine, 1; ret; }
.entry b() { .reg .b32 yours; mov.b32 yours, <|>
""",
        some="yours",
        none="mine",
    )


def test_the_whole_word_is_replaced() -> None:
    (item,) = (item for item in offered("mov.b32 %r7, 1;\nadd.s32 %r1, %r<|>55, %r3;") if item.label == "%r7")
    assert item.typed.end - item.typed.start == len("%r55")


def test_the_first_character_of_a_register_is_one_of_its_name() -> None:
    for source in ("add.s32 %r1, %<|>", "add.s32 %<|>", "add.s32 %r1, %<|>, %r3;", "ld.global.v2.b32 {%<|>}, [%rd1];"):
        found = [item for item in offered(f"mov.b32 %r7, 1;\n{source}") if item.label == "%r7"]
        assert [item.typed.end - item.typed.start for item in found] == [1]


def test_a_sign_goes_only_before_what_can_have_one() -> None:
    check_operands("mov.pred %p1, 1;\nsetp.eq.and.s32 %p2, %r1, %r2, !<|>", some="%p1")
    check_operands("add.s32 %r1, %r2, -<|>", only="")


def test_unknown_instructions_still_get_registers() -> None:
    check_operands("mov.b32 %r7, 1;\nfoo.bar <|>", some="%r7")


def test_what_is_wrong_elsewhere_does_not_empty_the_list() -> None:
    check_operands("mov.b32 %r7, 1;\nadd.s32 %f1, <|>, %r3;", some="%r7")


# ---- guards and predicates


def test_guards_further_above() -> None:
    """All conditions of the last few hundred statements, the nearest first."""
    above = "setp.eq.s32 %p3, %r1, 0;\n@!%p2 bra X;\n" + "add.s32 %r1, %r1, 1;\n" * 80
    check_operands(f"{above}setp.eq.s32 %p1, %r1, 0;\n@<|>\nX:", only="%p1 %p2 %p3")


def test_left_over_variables_of_generated_code_come_last() -> None:
    text = """// Generated by NVIDIA NVVM Compiler
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b8 unused[4];
.global .align 4 .b8 used[4];
.visible .entry k()
{
.reg .b32 %r<4>; .reg .b64 %rd<4>;
mov.u64 %rd1, used;
mov.u32 %r1, 0;
st.global.b32 [<|>], %r1;
ret;
}
"""

    def found(text: str) -> list[str]:
        offset = text.index("<|>")
        checker = Checker(text.replace("<|>", ""))
        place = unfinished_at(checker.module, offset)
        assert place is not None
        return [item.label for item in sorted(operands(checker.semantics, place), key=lambda item: item.rank)]

    generated = found(text)
    assert generated.index("used") < generated.index("unused") == len(generated) - 1, generated
    by_hand = found(text.replace("Generated", "Written"))
    assert by_hand.index("unused") < by_hand.index("used")


def test_guards_are_predicates() -> None:
    above = "setp.eq.s32 %p3, %r1, 0;\n"
    check_operands(f"{above}@<|>", only="%p3")
    check_operands(f"{above}@!<|> bra X;\nX:", only="%p3")
    check_operands(f"{above}@%<|>p1 add.s32 %r1, %r2, %r3;", some="%p3", none="%r1")


def test_predicates_where_one_is_chosen_by() -> None:
    check_operands("setp.eq.s32 %p3, %r1, 0;\nselp.b32 %r1, %r2, %r3, <|>", first="%p3", none="%r1")


def test_results_in_pairs() -> None:
    check_operands("mov.pred %p1, 1;\nsetp.eq.s32 <|>", some="%p2|%p1 _")
    check_operands("setp.eq.s32 %p1|<|>, %r1, %r2;", first="%p2", some="_", none="%r1 %p2|%p1")
    check_operands("//- sm_90 ptx 8.0\nsetp.eq.s32 %p1, %r1, %r2;\nelect.sync <|>", first="%r3|%p2", none="%p1 %r3")


# ---- addresses


def test_addresses_bring_their_brackets() -> None:
    check_operands("mov.b64 %rd7, 1;\nld.global.f32 %f1, <|>", first="[%rd7]", none="%rd7 %f1")
    check_operands("mov.b64 %rd7, 1;\nld.global.f32 %f1, [<|>", first="%rd7", none="[%rd7] %f1")


def test_addresses_in_shared_memory_are_usually_in_registers_of_32_bits() -> None:
    above = ".shared .b32 near;\nmov.b64 %rd7, 1;\nmov.b32 %r5, 1;\nmov.b64 %rd8, 1;\n"
    found = texts(f"{above}st.shared.b32 [<|>")
    assert found.index("%r5") < found.index("%rd8") < found.index("%rd7")
    check_operands(f"{above}st.global.b32 [<|>", first="%rd8 %rd7")


def test_variables_of_the_right_space() -> None:
    above = ".shared .b32 near; .local .b32 own;\n"
    check_operands(f"{above}ld.shared.b32 %r1, [<|>", some="near", none="own parameter")
    check_operands(f"{above}ld.local.b32 %r1, [<|>", some="own", none="near")
    check_operands(f"{above}ld.b32 %r1, [<|>", some="own near")


def test_parameters_of_a_kernel() -> None:
    kernel = "//- sm_90 ptx 8.0 module\n.entry k(.param .u64 p, .param .u32 n) { .reg .b64 %rd<4>;\n.shared .b32 s;\n"
    check_operands(f"{kernel}ld.param.u64 %rd1, [<|>", first="p n", none="s")
    check_operands(f"{kernel}ld.param.u64 %rd1, <|>", some="[p] [n]", none="[s]")


def test_parameters_of_functions_are_read_and_results_written() -> None:
    function = "//- sm_90 ptx 8.0 module\n.func (.param .b32 r) f(.param .b32 p) { .reg .b32 %r<4>;\n"
    check_operands(f"{function}ld.param.b32 %r1, [<|>", some="p", none="r")
    check_operands(f"{function}st.param.b32 [<|>", some="r", none="p")


def test_behind_a_plus_nothing_silly() -> None:
    check_operands("ld.global.f32 %f1, [%rd1+<|>];", only="")


def test_tensor_coordinates_have_the_right_number() -> None:
    (item, *_) = offered(
        """
//- sm_90 ptx 8.0
mov.b64 %rd7, 1;
mov.b32 %r7, 1;
mov.b32 %r6, 1;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%rd7], <|>
"""
    )
    assert (item.insert or item.label) == "[%rd7, {%r6, %r7}]"
    assert item.snippet == "[${1:%rd7}, {${2:%r6}, ${3:%r7}\\}]"


# ---- vectors


def test_vectors_of_the_right_length() -> None:
    check_vectors("mov.f32 %f3, 0f00000000;\nld.global.v4.f32 <|>", "{%f4, %f5, %f6, %f7}")
    check_vectors("mov.f32 %f3, 0f00000000;\nld.global.v2.f32 <|>", "{%f4, %f5}")


def test_a_vector_has_places_to_fill_in() -> None:
    item = offered("mov.f32 %f3, 0f00000000;\nld.global.v2.f32 <|>")[0]
    assert item.snippet == "{${1:%f4}, ${2:%f5}\\}"


def test_a_vector_that_stands_above_is_offered_again() -> None:
    check_vectors(
        "ld.global.v4.f32 {%f9, %f8, %f7, %f6}, [%rd1];\nst.global.v4.f32 [%rd1], <|>", "{%f9, %f8, %f7, %f6}"
    )


def test_elements_do_not_repeat_in_results() -> None:
    found = texts("mov.f32 %f3, 0f00000000;\nld.global.v2.f32 {%f3, <|>")
    assert "%f3" not in found
    assert found[0] == "%f4"


def test_an_element_follows_the_one_before_it() -> None:
    check_operands("ld.global.v4.f32 {%f20, %f21, <|>, %f23}, [%rd1];", first="%f22")


def test_elements_fit_together() -> None:
    check_operands("mov.f32 %f3, 0f00000000;\nmov.b64 %rd1, {%r1, <|>", some="%r1", none="%rd1 %h1")


# ---- labels, functions, calls


def test_labels_the_nearest_first() -> None:
    check_operands("FAR:\nadd.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 1;\nNEAR:\nbra <|>;", only="NEAR FAR")
    check_operands("bra <|>;\nBELOW:", only="BELOW")


def test_labels_of_inner_blocks_are_out_of_sight() -> None:
    check_operands("{ INNER: }\nOUTER:\nbra <|>;", only="OUTER")


def test_tables_for_indexed_branches() -> None:
    check_operands("A:\nB:\nTABLE: .branchtargets A, B;\nbrx.idx %r1, <|>;", only="TABLE")
    check_operands("A:\nB:\nTABLE: .branchtargets A, B;\nbra <|>;", some="A B", none="TABLE")


CALLS = """
//- sm_90 ptx 8.0 module
.func (.param .b32 r) twice(.param .b32 x, .param .b64 y) { ret; }
.func quiet() { ret; }
.entry k() { .param .b32 a; .param .b64 b; .reg .b32 %r<4>; .reg .b64 %rd<4>;
PROTO: .callprototype (.param .b32 _) _ (.param .b64 _);
"""


def test_functions_come_with_their_parameters() -> None:
    found = {item.label: item for item in offered(f"{CALLS}call <|>;") if item.kind is ItemKind.FUNCTION}
    assert set(found) == {"twice", "quiet"}
    assert found["twice"].insert == "(a), twice, (a, b)"
    assert found["twice"].snippet == "(${1:r}), twice, (${2:x}, ${3:y})"
    assert found["twice"].match == "twice"


def test_a_call_that_is_written_names_the_function() -> None:
    above = f"{CALLS}.param .b32 c;\n"
    check_operands(f"{above}call (a), <|>, (a, b);", only="twice")
    check_operands(f"{above}call (b), <|>, (a, b);", none="twice")
    check_operands(f"{above}call (a), <|>, (a, c);", none="twice")
    check_vectors(f"{above}call (a), <|>;", "twice, (a, b)")


def test_a_call_over_several_lines() -> None:
    check_operands(f"{CALLS}call.uni (a),\n<|>,\n(\na,\nb\n);", only="twice")
    check_vectors(f"{CALLS}call.uni\n<|>,\n(\na,\nb\n);", "(a), twice")


def test_only_the_name_where_the_rest_is_written() -> None:
    check_operands(f"{CALLS}call (a), <|>, (a, b);", some="twice", none="quiet")


def test_what_can_be_passed() -> None:
    check_operands(f"{CALLS}call (<|>), twice, (a, b);", first="a", none="b")
    check_operands(f"{CALLS}call (a), twice, (a, <|>);", some="b", none="a")
    check_vectors(f"{CALLS}call (a), twice, <|>;", "(a, b)")


def test_prototypes_of_indirect_calls() -> None:
    check_operands(f"{CALLS}call (a), %rd1, (b), <|>;", only="PROTO")


# ---- special registers, constants


def test_special_registers_by_type() -> None:
    check_operands("mov.u32 %r1, <|>", some="%tid.x %laneid %clock", none="%clock64 %tid")
    check_operands("mov.u64 %rd1, <|>", some="%clock64 %globaltimer", none="%tid.x")
    check_operands("add.u32 %r1, %r2, <|>", none="%laneid %tid.x")


def test_special_registers_of_newer_modules_come_last_and_say_so() -> None:
    found = offered("//- sm_80 ptx 7.0\nmov.u32 %r1, <|>")
    assert {item.needs for item in found if item.label == "%clusterid.x"} == {"PTX 7.8 and sm_90 or newer"}
    assert found[-1].needs
    newer = offered("//- sm_90 ptx 8.6\nmov.u32 %r1, <|>")
    assert not any(item.needs for item in newer if item.label.startswith("%cluster"))


def test_components() -> None:
    check_operands("mov.u32 %r1, %tid.<|>", only=".x .y .z .w")
    check_operands("vadd.s32.u32.s32 %r1, %r2.<|>, %r3, %r4;", some=".b0 .h1", none=".x")
    check_operands("add.s32 %r1, %r2.<|>", only="")


def test_legal_values() -> None:
    check_operands("cp.async.ca.shared.global [%rd1], [%rd2], <|>", some="4 8 16", none="0 32")
    check_operands("cp.async.cg.shared.global [%rd1], [%rd2], <|>", some="16", none="4 8")
    check_operands("bar.sync <|>", some="0 15", none="16")


def test_the_number_of_a_barrier_comes_before_registers() -> None:
    assert [item.label for item in offered("add.s32 %r1, %r2, 1;\nbar.sync <|>")][:2] == ["0", "1"]
    used = "bar.sync 3, 64;\nbar.sync 3, 64;\nbar.sync 1, 32;\nadd.s32 %r1, %r2, 1;\nbar.sync <|>"
    assert [item.label for item in offered(used)][:3] == ["3", "1", "0"]


def test_values_that_the_page_names() -> None:
    check_operands("shfl.sync.bfly.b32 %r1, %r2, 1, 31, <|>", some="-1")


def test_the_size_of_a_warp_where_an_integer_may_stand() -> None:
    check_operands("add.s32 %r1, %r2, <|>", some="WARP_SZ")
    check_operands("add.f32 %f1, %f2, <|>", none="WARP_SZ")
    check_operands("add.s32 <|>", none="WARP_SZ")


def test_what_can_be_thrown_away() -> None:
    check_operands("atom.global.add.u32 <|>", some="_")
    check_operands("add.s32 <|>", none="_")
    check_operands("ld.global.v2.f32 {<|>", some="_")


# ---- other places


def test_a_half_written_statement_does_not_swallow_the_next() -> None:
    check_operands("mov.b32 %r7, 1;\nadd.s32 %r1, <|>\nmul.lo.s32 %r2, %r3, %r4;", first="%r7")


def test_nothing_outside_of_operands() -> None:
    for source in ("<|>", "add<|>", "add.s32<|>", ".reg <|>", "add.s32 %r1, %r2, %r3;<|>"):
        assert offered(source) == []


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_no_text_is_too_broken(path: Path) -> None:
    checker = Checker(path.read_text(encoding="utf-8"))
    for offset in range(0, checker.document.length + 1, 13):
        place = unfinished_at(checker.module, offset)
        for item in operands(checker.semantics, place) if place is not None else ():
            check_item(item, offset)


def test_barriers_that_others_name_come_first() -> None:
    source = """//- sm_90a ptx 8.4
.shared .b64 state, mapa, full, empty;
.reg .pred p;
mbarrier.init.shared.b64 [full], 1;
mbarrier.init.shared.b64 [empty], 1;
mbarrier.arrive.shared.b64 _, [empty];
mbarrier.arrive.shared.b64 _, [full];
mbarrier.try_wait.parity.shared.b64 p, <|>
"""
    found = [item.label for item in offered(source) if item.label.startswith("[")]
    assert set(found[:2]) == {"[full]", "[empty]"}, found


def test_a_barrier_that_another_instruction_names_once_comes_before_registers() -> None:
    source = """//- sm_90a ptx 8.4
.shared .b64 other, full;
.reg .pred p;
.reg .b64 %rd<9>;
mbarrier.init.shared.b64 [full], 1;
add.s64 %rd1, %rd2, %rd3;
mbarrier.try_wait.parity.shared.b64 p, <|>
"""
    found = [item.label for item in offered(source) if item.label.startswith("[")]
    assert found[0] == "[full]", found


PRODUCTS = """//- sm_100a ptx 8.6
tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;
tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd3, %rd4, %r2, %p1;
"""


def test_an_operand_with_two_forms_begins_with_that_of_the_instruction_before() -> None:
    start = "tcgen05.mma.cta_group::1.kind::f16 [%r1], <|>;"
    check_operands(PRODUCTS + start, first="%rd3 %rd4 %rd1 %rd2", some="[%r1]")
    check_operands(PRODUCTS.replace("group::1", "group::2") + start, first="%rd3 %rd4 %rd1 %rd2", some="[%r1]")
    check_operands(PRODUCTS.replace("%rd1,", "[%r3],").replace("%rd3,", "[%r3],") + start, first="[%r1] [%r3]")


def test_labels_of_debug_information_come_last() -> None:
    check_operands("$L__BB0_1:\nadd.s32 %r1, %r1, 1;\n$L__tmp4:\nbra <|>;", only="$L__BB0_1 $L__tmp4")
