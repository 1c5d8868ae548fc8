"""Inlay hints: the source shows each between ``«`` and ``»`` where it must stand, with its blanks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.inlay_hints import Hint, inlay_hints
from ptx_lsp.features.inlay_hints.hint import LONGEST, HintPosition
from ptx_lsp.preferences import InlayHints
from ptx_lsp.text import Span

from ..annotated import read
from .cursor import opened

_SHOWN = re.compile("«[^»]*»")
_BROKEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))
NOTHING = InlayHints("never", *[False] * (len(InlayHints._fields) - 1))


def hints(text: str, wanted: InlayHints | None = None, span: Span | None = None) -> list[Hint]:
    """The hints of a text, or of a part of it."""
    return inlay_hints(Checker(text).semantics, span or Span(0, len(text)), wanted).hints


def shown(text: str, found: list[Hint]) -> str:
    """The text as an editor shows it."""
    for hint in reversed(found):
        before, behind = hint.placement is HintPosition.AFTER, hint.placement is HintPosition.BEFORE
        words = f"«{' ' * before}{hint.label}{' ' * behind}»"
        text = text[: hint.offset] + words + text[hint.offset :]
    return text


def check_hints(source: str, wanted: InlayHints | None = None) -> None:
    """The hints that the source shows are there, and no others."""
    snippet = read(source)
    text = _SHOWN.sub("", snippet.text)
    assert shown(text, hints(text, wanted)) == snippet.text


def tooltip(source: str) -> str:
    """The tooltip of the one hint at the cursor."""
    checker, offset, _ = opened(source)
    (hint,) = inlay_hints(checker.semantics, Span(offset, offset), InlayHints("all")).hints
    return hint.tooltip()


# ---------------------------------------------------------------------- literals


def test_a_floating_point_constant() -> None:
    check_hints("mov.f32 %f1, 0f3F800000« = 1.0»;")
    check_hints("mov.f64 %fd1, 0d3FB999999999999A« = 0.1»;")


def test_the_decimal_is_the_shortest_of_its_precision() -> None:
    check_hints("add.f32 %f1, %f2, 0f3DCCCCCD« = 0.1»;")


def test_what_is_no_number() -> None:
    check_hints("fma.rn.f32 %f1, %f2, 0fFF800000« = -infinity», 0f7FFFFFFF« = NaN»;")


def test_a_constant_of_mathematics_has_its_name() -> None:
    check_hints("mul.f32 %f1, %f2, 0f3FB8AA3B« = 1.442695 ≈ log2 e»;")
    check_hints("mul.f64 %fd1, %fd2, 0d400921FB54442D18« = 3.141592653589793 ≈ π»;")
    check_hints("mul.f64 %fd1, %fd2, 0dBFE62E42FEFA39EF« ≈ -ln 2»;")


def test_constants_in_a_vector_and_in_a_call() -> None:
    check_hints("mov.b64 %rd1, {0f3F800000« = 1.0», 0f40000000« = 2.0»};")


def test_first_values_of_variables() -> None:
    check_hints("//- module sm_80 ptx 7.0\n.global .f32 x[2] = {0f3F800000« = 1.0», 0f3F000000« = 0.5»};")


def test_what_is_written_in_decimal_needs_no_hint() -> None:
    check_hints("mov.f32 %f1, 1.0;")


def test_comments_and_strings_hold_no_constants() -> None:
    check_hints("mov.f32 %f1, /* 0f3F800000 */ 0f00000000« = 0.0»; // 0f3F800000")
    check_hints('.pragma "0f3F800000";')


# ---------------------------------------------------------------------- masks


def test_a_mask_in_hexadecimal() -> None:
    check_hints("and.b32 %r1, %r2, 16711680« = 0xFF0000»;")
    check_hints("and.b32 %r1, %r2, -2147483648« = 0x80000000»;")
    check_hints("or.b64 %rd1, %rd2, -16« = 0xFFFFFFFFFFFFFFF0»;")
    check_hints("lop3.b32 %r1, %r2, 252645135« = 0xF0F0F0F», %r3, 0xCA« = a ? b : c»;")


def test_small_numbers_and_hexadecimal_ones_are_plain() -> None:
    check_hints("and.b32 %r1, %r2, 7;")
    check_hints("xor.b32 %r1, %r2, -1;")
    check_hints("and.b32 %r1, %r2, 0xFF00;")


def test_numbers_that_count_are_no_masks() -> None:
    check_hints("shl.b32 %r1, %r2, 16;")
    check_hints("add.s32 %r1, %r2, 65535;")
    check_hints("mov.b32 %r1, 65535;")


# ---------------------------------------------------------------------- selectors of prmt


@pytest.mark.parametrize(
    ("operands", "bytes_"),
    [
        ("%r2, %r3, 0x5410", "b1 b0 a1 a0"),
        ("%r2, 0, 0x4440", "0 0 0 a0"),
        ("%r2, %r3, 291", "a0 a1 a2 a3"),
        ("%r2, %r3, 0x8888", "s(a0) s(a0) s(a0) s(a0)"),
        ("%r2, %r3, (1 << 4)", "a0 a0 a1 a0"),
    ],
)
def test_the_bytes_of_a_selector(operands: str, bytes_: str) -> None:
    assert len(f"= {bytes_}") <= LONGEST
    check_hints(f"prmt.b32 %r1, {operands}« = {bytes_}»;", NOTHING._replace(byte_picks=True))


def test_the_bytes_of_a_mode() -> None:
    check_hints("prmt.b32.f4e %r1, %r2, %r3, 1« = b0 a3 a2 a1»;")
    check_hints("prmt.b32.f4e %r1, %r2, %r3, %r4;")
    check_hints("prmt.b32 %r1, %r2, %r3, %r4;")
    check_hints("prmt.b32 %r1, %r2, 0x5410;")


def test_the_tooltip_of_a_selector() -> None:
    text = tooltip("prmt.b32 %r1, %r2, %r3, 0x5410<|>;")
    assert text.splitlines()[0] == "low halves of a and b"
    assert "`a` is `%r2`, `b` is `%r3`" in text
    assert "sign bit" in tooltip("prmt.b32 %r1, %r2, %r3, 0x9910<|>;")


# ---------------------------------------------------------------------- tables of lop3


@pytest.mark.parametrize(
    ("table", "function"),
    [
        ("0x96", "a ^ b ^ c"),
        ("0x6A", "(a & b) ^ c"),
        ("0xEA", "(a & b) | c"),
        ("0xCA", "a ? b : c"),
        ("0x8E", "majority of ~a, b, c"),
        ("0x30", "a & ~b"),
        ("240", "a"),
        ("(0xf0 & 0xcc) ^ 0xaa", "(a & b) ^ c"),
    ],
)
def test_the_function_of_a_table(table: str, function: str) -> None:
    check_hints(f"lop3.b32 %r1, %r2, %r3, %r4, {table}« = {function}»;")


def test_a_table_with_a_predicate_behind_it() -> None:
    check_hints("lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0xFE« = a | b | c», %p2;")


def test_a_function_that_takes_many_words_is_not_said() -> None:
    check_hints("lop3.b32 %r1, %r2, %r3, %r4, 0x16;")
    check_hints("lop3.b32 %r1, %r2, %r3, %r4, 0x1FF;")


# ---------------------------------------------------------------------- descriptors


def test_what_descriptors_say() -> None:
    check_hints("""
//- sm_100a ptx 8.6
mov.b32 %r1, 0x08200490;
mov.b64 %rd1, 0x4000404000010000;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1« = 128B, SBO 1024», %rd2, %r1« = bf16→f32 M128 N128», %p1;
""")


def test_what_a_descriptor_says_as_far_as_it_is_known() -> None:
    check_hints("""
//- sm_90a ptx 8.0
mov.b32 %r1, %laneid;
mov.b64 %rd1, {%r1, 0x40000040};
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1« = 128B, SBO 1024», %rd2, 1, 1, 1, 0, 0;
""")


def test_descriptors_are_distinguished_by_where_their_matrices_begin() -> None:
    check_hints("""
//- sm_90a ptx 8.0
.shared .align 128 .b8 tiles[65536];
mov.b32 %r1, tiles;
mov.u32 %r9, %ctaid.x;
shl.b32 %r2, %r9, 10;
add.s32 %r3, %r1, %r2;
add.s32 %r4, %r3, 4096;
bfe.u32 %r5, %r4, 4, 14;
mov.b64 %rd1, {%r5, 0x40000040};
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1« = @tiles+4096… 128B», %rd2, 1, 1, 1, 0, 0;
""")


def test_of_an_unknown_descriptor_nothing_is_said() -> None:
    check_hints("""
//- sm_100a ptx 8.6
tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
""")


def test_cache_policies_and_masks_of_ctas() -> None:
    check_hints("""
//- sm_100a ptx 8.6
mov.b64 %rd5, 0x12F0000000000000;
createpolicy.fractional.L2::evict_last.b64 %rd6, 0.5;
createpolicy.range.L2::evict_last.b64 %rd7, [%rd1], 65536, 65536;
ld.global.L2::cache_hint.b32 %r1, [%rd1], %rd5« = evict_first 16/16»;
ld.global.L2::cache_hint.b32 %r1, [%rd1], %rd6« = evict_last 8/16»;
ld.global.L2::cache_hint.b32 %r1, [%rd1], %rd7« = evict_last range»;
ld.global.L2::cache_hint.b32 %r1, [%rd1], %rd8;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r2], 3« = CTAs 0, 1»;
""")


# ---------------------------------------------------------------------- branches


def test_branches_forward_and_back() -> None:
    check_hints("""
LOOP:
add.s32 %r1, %r1, 1;
@%p1 bra DONE« ↓ 2 lines»;
bra.uni LOOP« ↑ 3 lines»;
DONE:
ret;
""")


def test_one_line_is_one_line() -> None:
    check_hints("AGAIN:\n@%p1 bra AGAIN« ↑ 1 line»;")


def test_a_branch_within_its_line() -> None:
    check_hints("AGAIN: @%p1 bra AGAIN;")


def test_a_long_way() -> None:
    lines = "\n" * 1234
    check_hints(f"bra FAR« ↓ 1,235 lines»;{lines}\nFAR: ret;")


def test_the_label_of_the_innermost_block() -> None:
    check_hints("""
{
bra L« ↓ 1 line»;
L: ret;
}
L:
bra L« ↑ 1 line»;
""")


def test_nothing_is_said_of_labels_that_are_not_there() -> None:
    check_hints("bra NOWHERE;")


# ---------------------------------------------------------------------- parameters of kernels


def test_offsets_of_kernel_parameters() -> None:
    check_hints("""
//- module sm_80 ptx 7.0
.entry f(.param .u64 f_0, .param .u8 f_1, .param .align 16 .b8 f_2[20], .param .f32 f_3)
{
.reg .b64 %rd<4>; .reg .b32 %r<4>;
ld.param.u64 %rd1, [f_0]« +0»;
ld.param.u8 %r1, [f_1]« +8»;
ld.param.u32 %r2, [f_2+4]« +20»;
ld.param.f32 %r3, [f_3]« +36»;
mov.b64 %rd2, f_2« +16»;
ret;
}
""")


def test_a_negative_offset() -> None:
    check_hints("""
//- module sm_80 ptx 7.0
.entry f(.param .u64 a, .param .u64 b)
{
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [b+-8]« +0»;
ret;
}
""")


def test_functions_have_no_parameter_space() -> None:
    check_hints("""
//- module sm_80 ptx 7.0
.func f(.param .u64 a)
{
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [a];
ret;
}
""")


# ---------------------------------------------------------------------- calls

ADD = """
//- module sm_80 ptx 7.0
.func (.reg .f32 sum) add(.reg .f32 x, .reg .f32 y)
{
add.f32 sum, x, y;
ret;
}
.func caller()
{
.reg .f32 %f<4>, x;
"""


def test_names_of_parameters() -> None:
    check_hints(ADD + "call («sum: »%f1), add, («x: »%f2, «y: »0f3F800000« = 1.0»);\nret;\n}")


def test_a_name_that_stands_there_is_not_said_again() -> None:
    check_hints(ADD + "call («sum: »%f1), add, (x, «y: »x);\nret;\n}")


def test_a_result_that_nobody_wants() -> None:
    check_hints(ADD + "call (_), add, («x: »%f1, «y: »%f2);\nret;\n}")


def test_too_many_arguments() -> None:
    check_hints(ADD + "call («sum: »%f1), add, («x: »%f2, «y: »%f3, %f1);\nret;\n}")


def test_numbered_names_are_left_out() -> None:
    check_hints("""
//- module sm_80 ptx 7.0
.extern .func (.param .b32 func_retval0) vprintf(.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.func caller()
{
.reg .b64 %rd<4>;
.param .b32 r;
.param .b64 a;
.param .b64 b;
call (r), vprintf, (a, b);
ret;
}
""")


def test_the_names_of_the_body_count() -> None:
    check_hints("""
//- module sm_80 ptx 7.0
.func f(.reg .b32 a);
.func caller()
{
.reg .b32 %r<4>;
call f, («count: »%r1);
ret;
}
.func f(.reg .b32 count) { ret; }
""")


def test_an_indirect_call_whose_targets_agree() -> None:
    check_hints("""
//- module sm_80 ptx 7.0
.func f(.reg .b32 a) { ret; }
.func g(.reg .b32 a) { ret; }
.func h(.reg .b32 b) { ret; }
.func caller()
{
.reg .b64 %rd<4>;
.reg .b32 %r<4>;
alike: .calltargets f, g;
unlike: .calltargets f, h;
call %rd1, («a: »%r1), alike;
call %rd1, (%r1), unlike;
ret;
}
""")


def test_long_names_are_cut() -> None:
    check_hints("""
//- module sm_80 ptx 7.0
.func f(.reg .b32 the_number_of_elements_in_a_row) { ret; }
.func caller()
{
.reg .b32 %r<4>;
call f, («the_number_of_elements_i… »%r1);
ret;
}
""")


# ---------------------------------------------------------------------- types of registers


def test_the_type_of_a_register_where_it_is_first_written() -> None:
    check_hints("""
.reg .f32 total;
mov.b32 total«: .f32», 0;
mov.b32 total, 1;
""")


def test_what_the_opcode_says_is_not_said_again() -> None:
    check_hints(".reg .f32 total;\nmov.f32 total, %f1;")


def test_a_register_that_is_read_has_no_hint() -> None:
    check_hints(".reg .f32 total;\nadd.s32 %r1, total, 1;")


def test_integers_of_the_same_width_are_alike() -> None:
    check_hints(".reg .b32 x; .reg .s32 y;\nmov.u32 x, 0;\nmov.b32 y, 0;")
    check_hints(".reg .b32 x;\ncvt.rn.f16x2.f32 x, %f1, %f2;")
    check_hints(".reg .b32 x;\nld.global.u8 x«: .b32», [%rd1];")


def test_a_predicate_stands_where_nothing_else_can() -> None:
    check_hints(".reg .pred done;\nsetp.eq.s32 done, %r1, 0;")


def test_the_first_of_a_group_speaks_for_all() -> None:
    check_hints(".reg .f32 a<2>;\nmov.b32 a0«: .f32», 0;\nmov.b32 a1, 0;")


def test_each_block_has_its_own() -> None:
    check_hints("""
{ .reg .f32 t;
mov.b32 t«: .f32», 0;
}
{ .reg .b16 t;
ld.global.u8 t«: .b16», [%rd1];
}
""")


def test_all_results_of_an_instruction() -> None:
    check_hints("""
.reg .b32 low;
.reg .f32 high;
mov.b64 {low«: .b32», high«: .f32»}, %rd1;
""")


def test_vectors() -> None:
    check_hints(".reg .v2 .f32 pair;\nmov.v2.f32 pair, {%f1, %f2};")
    check_hints(".reg .v2 .f32 pair;\nmov.v2.b32 pair«: .v2 .f32», {%r1, %r2};")


def test_numbered_registers_have_hints_for_who_asks_for_all() -> None:
    check_hints("mov.u32 %r1, 0;\nmov.u32 %r1, 1;")
    check_hints("mov.u32 %r1«: .b32», 0;\nmov.u32 %r1, 1;", InlayHints("all"))


def test_a_write_in_an_earlier_chunk() -> None:
    """A chunk holds some hundred statements."""
    fill = "add.s32 %r2, %r2, 1;\n" * 900
    check_hints(f".reg .f32 total;\nmov.b32 total«: .f32», 0;\n{fill}mov.b32 total, 1;")
    check_hints(f".reg .f32 total;\n{fill}mov.b32 total«: .f32», 0;")


def test_what_would_take_too_long_waits() -> None:
    fill = "add.s32 %r2, %r2, 1;\n" * 6000
    text = read(f".reg .f32 total;\n{fill}mov.b32 total, 0;").text
    checker = Checker(text)
    at = text.index("mov.b32 total")
    first = inlay_hints(checker.semantics, Span(at, at + 20))
    assert (first.hints, first.is_incomplete) == ([], True)
    for _ in checker.follow():
        pass
    second = inlay_hints(checker.semantics, Span(at, at + 20))
    assert ([hint.label for hint in second.hints], second.is_incomplete) == ([": .f32"], False)


# ---------------------------------------------------------------------- settings, ranges, tooltips

EVERYTHING = (
    ADD
    + """L:
.reg .b32 named;
mov.b32 named, 0f3F800000;
and.b32 named, named, 255;
lop3.b32 named, named, named, named, 0xC0;
prmt.b32 named, named, named, 0x5410;
call (%f1), add, (%f2, %f3);
bra L;
}
.entry k(.param .u32 p)
{
.reg .b32 %r1;
ld.param.u32 %r1, [p];
ret;
}
"""
)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("register_types", []),
        ("parameter_names", ["sum:", "x:", "y:"]),
        ("literals", ["= 1.0"]),
        ("masks", ["= 0xFF"]),
        ("logic_tables", ["= a & b"]),
        ("byte_picks", ["= b1 b0 a1 a0"]),
        ("branches", ["↑ 7 lines"]),
        ("parameter_offsets", ["+0"]),
    ],
)
def test_each_kind_has_its_setting(name: str, labels: list[str]) -> None:
    on = "all" if name == "register_types" else True
    wanted = InlayHints(**{one: on if one == name else getattr(NOTHING, one) for one in InlayHints._fields})
    text = read(EVERYTHING).text
    found = hints(text, wanted)
    assert {hint.kind for hint in found} == {name} or not labels
    assert [hint.label for hint in found] == labels or name == "register_types"
    assert not hints(text, NOTHING)


def test_only_what_is_in_sight() -> None:
    text = read("mov.f32 %f1, 0f3F800000;\nmov.f32 %f1, 0f40000000;\nmov.f32 %f1, 0f3F000000;").text
    start = text.index("mov.f32 %f1, 0f4")
    assert [hint.label for hint in hints(text, span=Span(start, start + 24))] == ["= 2.0"]
    assert not hints(text, span=Span(start, start + 5))
    assert not hints(text, span=Span(len(text) + 5, len(text) + 9))
    assert not hints("")


def test_hints_of_a_long_text_follow_its_edits() -> None:
    """Editors that ask for all of it after every change get what a new text would give."""
    lines = [f"mul.f32 %f1, %f2, 0f3F80{at:04X};\n@%p1 bra END;\nadd.s32 %r1, %r1, 1;\n" for at in range(500)]
    checker = Checker(read(EVERYTHING + "".join([".func f(.reg .f32 p) {", *lines, "END: ret;\n}\n"])).text)
    changes = {
        "0f3F800100": "0f3F000000",
        "END: ret": "\n\nEND: ret",
        ".reg .f32 x, .reg .f32 y": ".reg .f32 z, .reg .f32 y",
        "sm_80": "sm_90",
        "add.s32 %r1": "",
        ".reg .b32 named": "",
    }
    for word, instead in changes.items():
        text = checker.document.text
        before = inlay_hints(checker.semantics, Span(0, len(text))).hints
        assert shown(text, before) == shown(text, hints(text))
        assert before[200].tooltip() == hints(text)[200].tooltip()
        at = text.index(word)
        checker.edit(Span(at, at + len(word)), instead)


def test_hints_at_one_place_have_tooltips_of_their_own() -> None:
    """Also in the middle of a long text, whose hints are kept."""
    long = "add.s32 %r1, %r1, 1;\n" * 600
    accumulators = ", ".join(f"%f{number}" for number in range(32))
    source = read(f"""
//- sm_90a ptx 8.0
{long}mov.b64 %rd1, 0x4000004000010000;
mov.b64 %rd2, 0x4000004000010400;
wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{{accumulators}}}, %rd1, %rd2, 1, 1, 1, 0, 0;
{long}""")
    first, second = [one for one in hints(source.text) if "desc" in one.label]
    assert first.offset == second.offset
    assert "`a-desc`" in first.tooltip()
    assert "`b-desc`" in second.tooltip()


def test_labels_are_short() -> None:
    for hint in hints(read(EVERYTHING).text, InlayHints("all")):
        assert 0 < len(hint.label) <= LONGEST


def test_tooltips() -> None:
    assert tooltip("mov.f32 %f1, 0f3F800000<|>;") == ("`.f32` 1.0\nsign 0, exponent 127 (2^0), fraction `0x0`")
    assert "the nearest number to π" in tooltip("mov.f32 %f1, 0f40490FDB<|>;")
    assert tooltip("and.b32 %r1, %r2, 65295<|>;") == "`65295`: 12 of 32 bits set: 8-15, 0-3"
    assert tooltip("mov.u32 %r1<|>, 0;") == "`%r1`: a `.b32` register, declared as one of `%r<64>` in line 5"
    assert tooltip("ld.param.u32 %r1, [parameter]<|>;").startswith("`parameter`: bytes 0-7 of the 8 bytes")


def test_the_tooltip_of_a_branch_says_whether_it_closes_a_loop() -> None:
    loop = "bra INTO;\nLOOP:\nadd.s32 %r1, %r1, 1;\nINTO:\n@%p1 bra LOOP<|>;"
    assert tooltip(loop) == "back to `LOOP` in line 7"
    assert tooltip(loop.replace("bra INTO;", "//")) == "back to `LOOP` in line 7\nthe end of a loop that begins there"


@pytest.mark.parametrize("path", _BROKEN, ids=lambda path: path.stem)
def test_broken_files(path: Path) -> None:
    """Whatever the text and the part of it, there is an answer, and every hint lies in that part."""
    text = path.read_text("utf-8")
    semantics = Checker(text).semantics
    for start in range(0, len(text), 13):
        span = Span(start, start + 40)
        for hint in inlay_hints(semantics, span, InlayHints("all")).hints:
            assert span.start <= hint.offset <= span.end
            assert hint.tooltip()
