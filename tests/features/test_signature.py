"""Signature help: a cursor ``<|>``, the label of the signature that is shown, and the part of it that is active."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.signature import Signature, SignatureHelp, signature_help
from ptx_lsp.features.signature.signature_info import WIDTH

from .cursor import opened

BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))


def asked(source: str, chosen: str = "") -> SignatureHelp | None:
    checker, offset, _ = opened(source)
    found = signature_help(checker.module, offset, chosen)
    if found is not None:
        assert 0 <= found.active < len(found.signatures)
        for one in found.signatures:
            check_record(one)
    return found


def check_record(signature: Signature) -> None:
    """Parameters are parts of the label in its order; the label is not too long; a line of words is one."""
    assert len(signature.label) <= WIDTH, signature.label
    ends = [0, *(parameter.end for parameter in signature.parameters)]
    for parameter, end in zip(signature.parameters, ends, strict=False):
        assert end <= parameter.start < parameter.end <= len(signature.label)
    assert signature.active is None or 0 <= signature.active < len(signature.parameters)


def check_signature(source: str, label: str, active: str | None) -> Signature:
    """The signature that is shown first, and what of it is being written."""
    found = asked(source)
    assert found is not None
    first = found.signatures[found.active]
    assert first.label == label
    assert active_part(first) == active
    return first


def active_part(signature: Signature) -> str | None:
    if signature.active is None:
        return None
    parameter = signature.parameters[signature.active]
    return signature.label[parameter.start : parameter.end]


def check_nothing(source: str) -> None:
    assert asked(source) is None


# ---- the active operand


def test_the_first_operand_comes_behind_the_opcode_and_a_blank() -> None:
    check_signature("add.s32 <|>", "add.s32 d: .s32, a: .s32, b: .s32", "d: .s32")
    check_nothing("add.s32<|>")


def test_a_comma_leads_to_the_next() -> None:
    check_signature("add.s32 %r1,<|>", "add.s32 d: .s32, a: .s32, b: .s32", "a: .s32")
    check_signature("add.s32 %r1, %r<|>2, %r3;", "add.s32 d: .s32, a: .s32, b: .s32", "a: .s32")
    check_signature("@%p1 add.s32 %r1, %r2, <|>", "add.s32 d: .s32, a: .s32, b: .s32", "b: .s32")


def test_behind_the_last_operand_none_is_active() -> None:
    check_signature("add.s32 %r1, %r2, %r3, <|>", "add.s32 d: .s32, a: .s32, b: .s32", None)
    check_nothing("add.s32 %r1, %r2, %r3;<|>")


def test_a_brace_that_was_just_opened_is_a_vector() -> None:
    for behind in ("", "}", "};", "}, [%rd1];", "\nret;", "}\nret;"):
        check_signature(f"ld.global.v4.f32 {{<|>{behind}", "ld.global.v4.f32 d: {4 × .f32}, [a]", "d: {4 × .f32}")


def test_commas_in_brackets_stay_in_their_operand() -> None:
    label = "mma… d: {4 × .f32}, a: {4 × .f16x2}, b: {2 × .f16x2}, c: {4 × .f32}"
    opcode = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    check_signature(f"{opcode} {{%f1, %f2, <|>", label, "d: {4 × .f32}")
    check_signature(f"{opcode} {{%f1, %f2, %f3, %f4}}, {{%r1, <|>", label, "a: {4 × .f16x2}")
    check_signature(f"{opcode} {{%f1, %f2, %f3, %f4}}, {{%r1, %r2, %r3, %r4}}, <|>", label, "b: {2 × .f16x2}")


def test_vectors_in_addresses() -> None:
    check_signature(
        """
//- sm_90 ptx 8.0
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%rd1], [%rd2, {%r1, <|>
""",
        "cp.async.bulk.tensor… [dstMem], [tensorMap, tensorCoords], [mbar]",
        "[tensorMap, tensorCoords]",
    )


def test_a_statement_without_semicolon_ends_at_its_line() -> None:
    check_signature("add.s32 %r1, <|>\nmul.lo.s32 %r2, %r3, %r4;", "add.s32 d: .s32, a: .s32, b: .s32", "a: .s32")


# ---- which form


def test_types_come_from_what_is_written() -> None:
    check_signature("cvt.rn.f16.f32 <|>", "cvt.rn.f16.f32 d: .f16, a: .f32", "d: .f16")
    check_signature("mul.wide.u32 <|>", "mul.wide.u32 d: .u64, a: .u32, b: .u32", "d: .u64")


def test_lengths_come_from_the_shape() -> None:
    opcode = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
    label = "mma… d: {4 × .f32}, a: {4 × .tf32}, b: {2 × .tf32}, c: {4 × .f32}"
    check_signature(f"{opcode} <|>", label, "d: {4 × .f32}")


def test_places_that_are_still_open_keep_their_names() -> None:
    found = asked("ld.global <|>")
    assert found is not None
    assert [one.label for one in found.signatures][:3] == [
        "ld.global.type d: .type, [a]",
        "ld.volatile.global.type d: .type, [a]",
        "ld.sem.scope.global.type d: .type, [a]",
    ]


def test_the_form_that_fits_the_operands_so_far_comes_first() -> None:
    pack = "mov.b64 d: .b64, parts: {2 × .b32} or {4 × .b16}"
    check_signature("mov.b64 %rd1, {<|>", pack, "parts: {2 × .b32} or {4 × .b16}")
    check_signature("mov.b64 {%r1, %r2}, <|>", "mov.b64 d: {2 × .b32} or {4 × .b16}, a: .b64", "a: .b64")
    found = asked("mov.b64 %rd1, {<|>")
    assert found is not None
    assert [one.fits for one in found.signatures] == [True, False, False]


def test_an_address_where_one_form_wants_one() -> None:
    found = asked("//- sm_100a ptx 8.6\ntcgen05.mma.cta_group::1.kind::f16 [%r1], [%r2], <|>")
    assert found is not None
    assert "[a-tmem]" in found.signatures[0].label
    assert active_part(found.signatures[0]) == "b-desc"


def test_the_operands_far_from_the_active_one_give_way() -> None:
    found = asked("//- sm_100a ptx 8.6\ntcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r1, <|>")
    assert found is not None
    assert active_part(found.signatures[0]) == "disable-output-lane"
    assert "…, " in found.signatures[0].label


def test_optional_operands_stand_in_braces() -> None:
    label = "cp.async… [dst], [src], cp-size: 4|8|16{, src-size: .u32}"
    check_signature("cp.async.ca.shared.global [%rd1], [%rd2], <|>", label, "cp-size: 4|8|16")
    check_signature("cp.async.ca.shared.global [%rd1], [%rd2], 4, <|>", label, "src-size: .u32")


def test_the_word_at_the_cursor_tells_the_form() -> None:
    start = "cp.async.ca.shared.global [%rd1], [%rd2], 4,"
    size = "cp.async… [dst], [src], cp-size: 4|8|16{, src-size: .u32}"
    found = check_signature(f"{start} %r1<|>;", size, "src-size: .u32")
    assert "optional" in found.parameters[3].words
    ignore = "cp.async… [dst], [src], cp-size: 4|8|16, ignore-src: .pred"
    check_signature(f"{start} %p1<|>;", ignore, "ignore-src: .pred")


def test_a_second_result_is_part_of_the_first() -> None:
    check_signature("setp.eq.s32 %p1|<|>", "setp.eq.s32 p{|q}: .pred, a: .s32, b: .s32", "p{|q}: .pred")


def test_what_only_newer_modules_have_says_so() -> None:
    found = check_signature("//- sm_80 ptx 7.0\nelect.sync <|>", "elect.sync d|p: .u32, membermask: .u32", "d|p: .u32")
    assert "requires" in found.words
    assert "sm_90" in found.words


def test_what_the_user_looks_at_stays_while_it_fits() -> None:
    source = "cp.async.ca.shared.global [%rd1], [%rd2], 4, <|>"
    other = "cp.async… [dst], [src], cp-size: 4|8|16, ignore-src: .pred"
    found = asked(source, other)
    assert found is not None
    assert found.signatures[found.active].label == other
    again = asked(source, "something else")
    assert again is not None
    assert again.active == 0


def test_words_of_the_page() -> None:
    found = check_signature("ld.global.f32 %f1, [<|>", "ld.global.f32 d: .f32, [a]", "[a]")
    assert found.words == "load from memory into registers"
    assert found.parameters[0].words.startswith("writes .f32 or wider")
    assert found.parameters[1].words.startswith("address, .global\n\nthe address")


# ---- calls

CALLED = """
//- sm_90 ptx 8.0 module
.func (.param .b32 r) twice(.param .b32 x, .param .align 8 .b8 y[16]) { ret; }
.entry k() { .param .b32 a; .reg .b64 %rd<3>;
PROTO: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 q);
"""
TWICE = "call (r: .b32), twice, (x: .b32, y: .align 8 .b8[16])"


def test_the_parameters_of_the_function_that_is_called() -> None:
    check_signature(f"{CALLED} call (a), twice, (<|>", TWICE, "x: .b32")
    check_signature(f"{CALLED} call.uni (a), twice, (a, <|>);", TWICE, "y: .align 8 .b8[16]")
    check_signature(f"{CALLED} call (a), twice, (a, a, <|>);", TWICE, None)


def test_the_results_too() -> None:
    check_signature(f"{CALLED} call (<|>), twice, (a, a);", TWICE, "r: .b32")


def test_an_indirect_call_through_a_prototype() -> None:
    label = "call (ret0: .b32), %rd1, (param0: .b32, q: .b64), PROTO"
    check_signature(f"{CALLED} call (a), %rd1, (a, <|>), PROTO;", label, "q: .b64")


def test_a_call_of_what_is_not_declared_shows_how_calls_are_written() -> None:
    check_signature("call <|>", "call (ret), func{, (params)}", "(ret)")


# ---- other places


def test_directives_show_how_they_are_written() -> None:
    check_signature(".reg <|>", ".reg {vector} type name{<n>}{, ...};", None)
    check_signature(".reg .b32 <|>", ".reg {vector} type name{<n>}{, ...};", None)


def test_nothing_where_nothing_is_known() -> None:
    check_nothing("foo.bar <|>")
    check_nothing("// add.s32 <|>")
    check_nothing("@<|>")
    check_nothing("<|>")
    check_nothing("LABEL: <|>")


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_no_text_is_too_broken(path: Path) -> None:
    checker = Checker(path.read_text(encoding="utf-8"))
    for offset in range(0, checker.document.length + 8, 13):
        found = signature_help(checker.module, offset)
        for one in found.signatures if found is not None else ():
            check_record(one)
