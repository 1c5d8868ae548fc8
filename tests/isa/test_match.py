"""Statements that fit, and what is said about those that do not."""

from __future__ import annotations

from itertools import product

import pytest
from called import calls

from ptx_lsp.isa.catalogue import catalogue
from tests.isa.statements import match_text, read


def check_fits(text, syntax="", module="sm_90 8.6"):
    """A statement fits, in a module of this target and version; ``syntax`` begins the form."""
    found = match_text(text, *module.split())
    assert found is not None
    assert found.mismatches == ()
    assert found.form.syntax.startswith(syntax)
    return found


def check_wrong(text, *expected, module="sm_90 8.6"):
    """Exactly these mistakes, each as ``PROBLEM qualifier-or-operand: what would be right``."""
    found = match_text(text, *module.split())
    assert found is not None
    opcode, _ = read(text)
    told = []
    for one in found.mismatches:
        place = opcode[one.qualifier] if one.qualifier >= 0 else ".".join(map(str, one.operand))
        beside = f"not with {opcode[one.other]}" if one.other > 0 else ""
        right = one.need.describe() if one.need else " ".join(one.wanted) or beside
        told.append(f"{one.problem.name} {place}: {right}".replace(" :", ":").rstrip(": "))
    assert told == list(expected)
    return found


def test_the_match_tells_the_role_of_each_operand():
    found = check_fits("setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3", "setp.cmp")
    assert found.roles == ("p", "a", "b", "c")
    assert found.writes == (True, False, False, False)


def test_the_match_tells_the_place_of_each_qualifier():
    found = check_fits("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16]")
    assert [found.form.slots[place].name for place in found.places] == ["ld", ".ss", ".vec", ".type"]


@pytest.mark.parametrize(
    "text",
    [
        "add.s32 %r1, %u2, -4",
        "add.f32 %f1, %f2, 2.0",
        "mov.u32 %r1, %tid.x",
        "mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid",
        "mov.u64 %rd1, global",
        "mov.u64 %rd1, function",
        "mov.b64 {%r1, _}, %rd1",
        "ld.param.u64 %rd1, [param+8]",
        "ld.shared.f32 %f1, [shared]",
        "st.global.u8 [%rd1], %r1",
        "bra.uni label",
        "call (%r1), function, (%r2, %r3)",
        "call (_), function",
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [texture, {%f5, %f6}]",
        "cvt.rn.f16x2.f32 %r1, %f1, %f2",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1,%f2,%f3,%f4}",
    ],
)
def test_right_statements(text):
    check_fits(text)


@pytest.mark.parametrize(
    "text",
    [
        "ld.f32.global %f1, [%rd1]",  # qualifiers of different classes in any order
        "add.s32 %r1, unknown, 1",  # a name without declaration is reported elsewhere
        "add.s32 %r1, function, 1",  # ptxas takes the name of a function for any value
        "st.v2.b32 [%rd1], {%r1, 5}",  # a constant beside a register
    ],
)
def test_what_ptxas_lets_pass(text):
    check_fits(text)


def test_what_ptxas_ignores_is_noted():
    assert [note.problem.name for note in check_fits("bar.sync.sync 0").notes] == ["DOUBLED"]
    assert [note.problem.name for note in check_fits("add.rank.s32 %r1, %r2, %r3").notes] == ["MEANINGLESS"]


@pytest.mark.parametrize("rounding", [".rn", ".rz", ".rm", ".rp"])
def test_rounding_of_double_precision_products_has_a_meaning(rounding):
    found = check_fits(
        f"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64{rounding} {{%fd1, %fd2}}, {{%fd3}}, {{%fd4}}, {{%fd5, %fd6}}"
    )
    assert found.notes == ()
    assert found.form.slots[found.places[-1]].name == ".rnd"


@pytest.mark.parametrize(
    "text",
    [
        "ld.global.L1::32B.b32 %r1, [%rd1]",
        "ld.relaxed.gpu.L1::32B.v2.b32 {%r1, %r2}, [%rd1]",
        "cp.async.ca.shared.global.L1::32B [shared], [%rd1], 16",
        "prefetch.L2.L1::32B.valid_addr [%rd1]",
        "prefetch.tensormap.L1::32B.valid_addr [%rd1]",
    ],
)
def test_prefetches_of_ptxas_have_a_meaning(text):
    """Each changes the machine code, so none is a word to delete."""
    assert {note.problem.name for note in check_fits(text, module="sm_90 9.4").notes} == {"SOME_RELEASES"}


def test_a_word_without_meaning_needs_the_target_of_its_type():
    assert [note.problem.name for note in check_fits("movmatrix.sync.aligned.m8n8.trans.b16.bf16 %r1, %r2").notes] == [
        "MEANINGLESS"
    ]
    found = match_text("movmatrix.sync.aligned.m8n8.trans.b16.bf16 %r1, %r2", "sm_75", "9.0")
    assert found is not None
    assert not found.fits


def test_an_unknown_qualifier_lists_what_can_stand_there():
    (mismatch,) = match_text("ld.globl.u32 %r1, [%rd1]").mismatches
    assert mismatch.problem.name == "UNKNOWN_QUALIFIER"
    assert ".global" in mismatch.wanted


def test_types_that_suit_the_operands_come_first():
    (mismatch,) = match_text("add %rd1, %rd2, 1").mismatches
    assert mismatch.problem.name == "MISSING_QUALIFIER"
    assert mismatch.wanted[:2] == (".u64", ".s64")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mul.s32 %r1, %r2, %r3", "MISSING_QUALIFIER: .lo .hi .wide"),
        ("ld.relaxed.global.u32 %r1, [%rd1]", "MISSING_QUALIFIER: .cta .gpu .sys .cluster"),
        ("cvt.f16.f32 %h1, %f1", "MISSING_QUALIFIER: .rn .rz .rm .rp"),
        ("add.rn.rz.f32 %f1, %f2, %f3", "CONFLICT .rz: not with .rn"),
        ("add.sat.f64 %fd1, %fd2, %fd3", "CONFLICT .sat: .rn .rz .rm .rp"),
        (
            "ld.volatile.const.u32 %r1, [%rd1]",
            "CONFLICT .const: .global .shared .shared::cta .shared::cluster .local",
        ),
        ("ld.global.global.u32 %r1, [%rd1]", "DUPLICATE_QUALIFIER .global: not with .global"),
        ("mul.s32.lo %r1, %r2, %r3", "ORDER .lo: mul.lo"),
        ("cvt.rn.s32.f16 %r1, %h1", "CONFLICT .rn: .rni .rzi .rmi .rpi"),
    ],
)
def test_wrong_qualifiers(text, expected):
    check_wrong(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add.s32 %r1, %r2", "OPERAND_COUNT: 3"),
        ("add.s32 %r1, %r2, %r3, %r4", "OPERAND_COUNT 3: 3"),
        ("add.s32 5, %r2, %r3", "OPERAND_KIND 0: register"),
        ("mov.u32 _, 1", "OPERAND_KIND 0: register"),
        ("add.s32 %r1, %r2, %f1", "OPERAND_TYPE 2: .s32"),
        ("add.f32 %f1, %f2, 1", "OPERAND_KIND 2: register float"),
        ("ld.global.u32 %r1, %rd1", "OPERAND_KIND 1: address"),
        ("ld.global.u32 %r1, [%f1]", "OPERAND_TYPE 1.0: .b64 .b32"),
        ("ld.global.u32 %r1, [shared]", "OPERAND_KIND 1.0: .global register"),
        ("ld.global.v4.u32 {%r1, %r2, %r3}, [%rd1]", "VECTOR_LENGTH 0: 4"),
        ("ld.global.v2.u32 {%r1, %p1}, [%rd1]", None),
        ("setp.lt.s32 %r1, %r2, %r3", "OPERAND_TYPE 0: .pred"),
        ("bar.sync 17", "OPERAND_VALUE 0: 0..15"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 5", "OPERAND_VALUE 2: 4 8 16"),
    ],
)
def test_wrong_operands(text, expected):
    if expected is None:
        check_fits(text)
    else:
        check_wrong(text, expected)


@pytest.mark.parametrize(
    ("text", "module", "expected"),
    [
        ("add.f32x2 %rd1, %rd2, %rd3", "sm_90 8.6", ["NEWER_TARGET .f32x2: sm_100 or newer"]),
        ("add.f32x2 %rd1, %rd2, %rd3", "sm_100 8.5", ["NEWER_VERSION .f32x2: PTX 8.6"]),
        (
            "ld.global.v8.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, [%rd1]",
            "sm_90 8.6",
            ["NEWER_TARGET .v8: sm_100 or newer", "NEWER_VERSION .v8: PTX 8.8"],
        ),
        ("wgmma.fence.sync.aligned", "sm_90 8.6", ["NEWER_TARGET: sm_90a"]),
        (
            "tcgen05.mma.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r3, %p1",
            "sm_100f 8.8",
            ["NEWER_TARGET .kind::i8: sm_100a or sm_101a"],
        ),
        ("shfl.idx.b32 %r1, %r2, 0, 31", "sm_70 6.4", ["REMOVED: PTX 6.3 or older or a target before sm_70"]),
    ],
)
def test_too_new_or_gone(text, module, expected):
    check_wrong(text, *expected, module=module)


def test_independent_mistakes_are_all_told():
    check_wrong(
        "add.sat.u32 %r1, %f2, 1",
        "NEWER_TARGET .sat: the sm_120f or sm_107f families",
        "NEWER_VERSION .sat: PTX 9.2",
        "OPERAND_TYPE 1: .u32",
    )


def test_an_opcode_without_a_page():
    assert match_text("frobnicate.s32 %r1") is None
    assert catalogue().status(("frobnicate",)) == "unknown"
    assert catalogue().status(("add", ".s32")) == "page"
    assert "add" in catalogue().nearest("ad")
    assert "cp.async" in catalogue().nearest("cp.asynk")


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("sqrt.f32 %f1, %f2", "MISSING_QUALIFIER: .approx .rn .rz .rm .rp"),
        ("cp.async.buk.commit_group", "UNKNOWN_QUALIFIER .buk: .bulk"),
        ("cnot.pred %p1, %p2", "UNKNOWN_QUALIFIER .pred: .b16 .b32 .b64"),
        ("cvt.rn.bf16.f32 %h1, %f2", "NEWER_TARGET .bf16: sm_80 or newer"),
    ],
)
def test_the_telling_part_is_blamed(text, mistake):
    check_wrong(text, mistake, module="sm_75 8.6")


@pytest.mark.parametrize("text", ["ld.u64 %rd1, [param]", "st.u64 [param], %rd1"])
def test_parameters_have_no_generic_address(text):
    found = match_text(text, "sm_90", "8.6")
    assert [one.problem.name for one in found.mismatches] == ["OPERAND_KIND"]


def test_counts_are_cut_to_32_bits_by_ptxas_only_within_their_range():
    check_fits("barrier.sync 0, 4294967264")


def test_some_parts_of_a_name_may_stand_further_behind():
    found = check_fits("match.sync.any.b32 %r1, %r2, -1", "match.any.sync.type")
    assert [found.form.slots[place].name for place in found.places] == ["match", ".sync", ".any", ".type"]
    check_wrong("match.sync.any.b16 %r1, %r2, -1", "UNKNOWN_QUALIFIER .b16: .b32 .b64")


@pytest.mark.parametrize("result", ["{%p1}", "{%p1, %p2}"])
def test_predicates_alone_are_no_vector_of_halves(result):
    found = match_text(f"cvt.rn.bf16x2.f32 {result}, %f1, %f2", "sm_80", "9.0")
    assert [one.problem.name for one in found.mismatches] == ["OPERAND_KIND"]


def test_the_nearest_forms_of_many_opcodes_with_the_same_words_are_found_in_few_steps():
    roundings, changes, types = ".rn .rz .rni .rna".split(), ".ftz .sat .relu".split(), ".u8 .f16 .f32 .bf16".split()
    texts = [f"cvt{''.join(words)} %r1, %f1" for words in product(roundings, changes, types, types)]
    match_text(texts[0], "sm_90", "8.6")
    assert calls(lambda: [match_text(text, "sm_90", "8.6") for text in texts]) < 8_000 * len(texts)


def test_what_is_wrong_with_a_very_long_opcode_is_found_of_a_part_of_its_words():
    check_wrong(f"add{'.s32' * 40} %r1, %r2, %r3", *["DUPLICATE_QUALIFIER .s32: not with .s32"] * 4)
    check_fits(f"add{'.sat' * 40}.s32 %r1, %r2, %r3")
    check_wrong(f"add{'.sat' * 40}.q32 %r1, %r2, %r3", "UNKNOWN_QUALIFIER .q32: .s32 .u32 .u16x2 .s16x2 .u8x4 .s8x4")


def test_of_an_opcode_of_very_many_words_nothing_is_missing_that_may_follow():
    strange = "".join(f".x{number}" for number in range(40))
    found = match_text(f"add{strange}.s32 %r1, %r2, %r3", "sm_90", "8.6")
    assert found is not None
    assert {one.problem.name for one in found.mismatches} == {"UNKNOWN_QUALIFIER"}
    assert len(found.places) == 42
