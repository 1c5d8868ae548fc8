"""Hovers: a cursor in PTX and what must be said, line by line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.definition import definition
from ptx_lsp.features.hover import hover
from ptx_lsp.features.hover.parts.render import markdown, plain

from .hovering import check_hover, check_not_said


def test_an_instruction_shows_the_form_that_matched_with_its_types() -> None:
    check_hover(
        "m<|>ul.wide.s32 %rd1, %r2, 5;",
        "```ptx\nmul.wide.s32  d, a, b;\n```",
        "writes %rd1, .s64",
        "reads %r2, .s32",
        "PTX 1.0 · [PTX ISA: ",
    )


def test_operands_of_a_matrix_instruction_have_the_types_of_its_table() -> None:
    check_hover(
        "m<|>ma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};",
        "a          4 × .f16x2",
        "b          2 × .f16x2",
        "PTX 7.0, sm_80 or newer",
    )


def test_rounding_of_a_matrix_product_is_explained() -> None:
    product = "{%fd1,%fd2}, {%fd3}, {%fd4}, {%fd1,%fd2};"
    check_hover(
        f"m<|>ma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64.rm {product}",
        "rounds down",
        "PTX 7.0, sm_80 or newer",
    )
    check_hover(
        f"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64.r<|>z {product}",
        "rounds toward zero",
        "rounding of each `.f64` multiply-add",
    )


def test_the_multiples_of_n_of_an_integer_product() -> None:
    check_hover(
        "//- sm_90a ptx 8.0\nwgmma.mma_async.sync.aligned.m64n<|>8k32.s32.s8.s8 {%r0, %r1, %r2, %r3}, %rd1, %rd2, 1;",
        "N is 8, 24, or a multiple of 16 up to 256",
    )


def test_the_gate_is_that_of_the_operands_too() -> None:
    fetch = "t<|>ex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]"
    check_hover(f"{fetch};", "PTX 3.1, sm_20 or newer")
    check_hover(f"{fetch}, {{%r1, %r2}};", "PTX 4.3, sm_30 or newer")


def test_the_gate_is_that_of_the_very_spelling() -> None:
    check_hover("w<|>gmma.fence.sync.aligned;", "PTX 8.0, sm_90a only")
    check_hover("s<|>hfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;", "PTX 5.1, sm_30 or newer")


def test_a_shut_gate_says_what_is_needed_and_what_is_there() -> None:
    check_hover(
        "//- sm_90 ptx 8.6\na<|>dd.f32x2 %rd1, %rd2, %rd3;",
        "✗ `.f32x2` requires sm_100 or newer; this module: PTX 8.6, sm_90",
    )


def test_an_instruction_that_does_not_fit_shows_the_nearest_form_and_why() -> None:
    reason = "✗ `%f2` is `.f32` (line 5); `add.s32` expects `.s32` here"
    check_hover("a<|>dd.s32 %r1, %f2, 5;", "add.s32  d, a, b;", reason)
    check_hover("a<|>dd.s32 %r1, %r2;", "add.s32  d, a, b;", "✗ `add.s32` expects 3 operands, not 2")


def test_optional_operands_show_only_where_they_are_written() -> None:
    check_hover("s<|>hfl.sync.idx.b32 %r1, %r2, 1, 31, -1;", "shfl.sync.idx.b32  d, a, b, c, membermask;")
    check_hover("s<|>hfl.sync.idx.b32 %r1|%p1, %r2, 1, 31, -1;", "shfl.sync.idx.b32  d|p, a, b, c, membermask;")


def test_an_unknown_instruction() -> None:
    check_hover("bo<|>gus.s32 %r1;", "`bogus.s32`: not an instruction of PTX")


def test_a_qualifier_by_the_words_of_its_page() -> None:
    check_hover("add.sa<|>t.s32 %r1, %r2, %r3;", "**`.sat` of `add`**", "clamp")


def test_a_qualifier_that_does_not_belong_names_what_does() -> None:
    check_hover("add.bo<|>gus.s32 %r1, %r2, %r3;", "✗ `add` has no qualifier `.bogus` here; expected `.sat`")


def test_a_type_says_what_else_could_stand_there() -> None:
    check_hover("add.s<|>32 %r1, %r2, %r3;", "**`.s32` of `add`**", "alternatives: `.u16` `.u32`")


def test_a_register_shows_its_declaration_and_its_uses() -> None:
    check_hover(
        "{ .reg .b32 mine;\nmov.b32 mi<|>ne, 1;\nadd.s32 %r1, mine, mine; // mine\n}",
        "```ptx\n.reg .b32 mine;\n```",
        "`mine`: `.b32` register, declared in line 6; written once (line 7), read twice (line 8)",
    )


def test_a_numbered_register_shows_its_group() -> None:
    check_hover("mov.b64 %rd<|>7, 1;", ".reg .b64 %rd<64>;", "written once (line 6), never read")


def test_a_label() -> None:
    check_hover("LOOP: bra LO<|>OP;", "```ptx\nLOOP:\n```", "`LOOP`: label in line 6; jumped to once, from line 6")


def test_a_parameter_shows_its_part_of_the_head() -> None:
    check_hover(
        "//- sm_90 ptx 8.0 module\n"
        ".entry k(.param .u32 n, .param .u64 .ptr .global .align 16 data<|>, .param .u32 m) { ret; }",
        "```ptx\n.param .u64 .ptr .global .align 16 data\n```",
        "parameter, declared in line 5",
    )


def test_a_variable_shows_its_declaration_without_its_contents() -> None:
    check_hover(
        "//- sm_90 ptx 8.0 module\n.global .align 4 .b32 ta<|>ble[3] = {1, 2, 3};",
        ".global .align 4 .b32 table[3] = …;",
        "variable in `.global` memory",
    )


def test_a_function() -> None:
    check_hover(
        "//- sm_90 ptx 8.0 module\n.func (.param .b32 r) helper(.param .b32 a);\n.entry k() { call hel<|>per; ret; }",
        ".func (.param .b32 r) helper(.param .b32 a);",
        "function declared in line 5, defined elsewhere",
    )


def test_an_undeclared_name_says_so() -> None:
    check_hover("add.s32 %r1, %r2, mis<|>sing;", "`missing` is not declared here")


def test_a_special_register() -> None:
    check_hover("mov.v4.u32 {%r1, %r2, %r3, %r4}, %ti<|>d;", "**`%tid` special register, `.v4 .u32`**", "position")
    check_hover("mov.u32 %r1, %lan<|>eid;", "**`%laneid` special register, `.u32`**", "lane of the thread", "0 to 31")


def test_a_component_of_a_special_register_has_an_axis_and_a_range() -> None:
    x = "position of the thread in its CTA, along x: 0 .. `%ntid.x` - 1"
    check_hover("mov.u32 %r1, %ti<|>d.x;", "**`%tid.x` special register, `.u32`**", x)
    check_hover("mov.u32 %r1, %tid.<|>x;", "**`%tid.x` special register, `.u32`**", x)
    check_hover("mov.u32 %r1, %ntid.<|>z;", "size of the CTA in threads, along z: 1 .. 64")
    check_hover("mov.u32 %r1, %tid.<|>w;", "unused, always 0")
    check_hover("mo<|>v.u32 %r1, %ntid.x;", "reads %ntid.x, .u32, size of the CTA in threads, along x: 1 .. 1024")


def test_a_target_says_on_what_its_code_runs() -> None:
    head = ".version 9.0\n.target sm_100"
    check_hover(f"//- module\n{head}<|>a\n", "not forward-compatible", "runs on sm_100 devices only")
    check_hover(f"//- module\n{head}<|>f\n", "forward-compatible within its family only")
    check_not_said(f"//- module\n{head[:-1]}<|>0\n", "forward-compatible")


def test_a_special_register_of_a_later_target_is_marked() -> None:
    source = "//- sm_80 ptx 7.0\nmov.u32 %r1, %cluster_ctar<|>ank;"
    check_hover(source, "✗ PTX 7.8, sm_90 or newer; this module: PTX 7.0")


def test_a_component_of_a_vector() -> None:
    check_hover("{ .reg .v4 .f32 v; mov.f32 %f1, v.<|>x; }", "`.x`: one element of a vector")


def test_what_lacks_version_and_target_says_both_at_once() -> None:
    opcode, four = "m<|>ma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "{%f1,%f2,%f3,%f4}"
    check_hover(
        f"//- sm_50 ptx 5.0\n{opcode} {four}, {{%r1,%r2,%r3,%r4}}, {{%r5,%r6}}, {four};",
        "✗ `.m16n8k16` requires PTX 7.0 and sm_80 or newer; this module: PTX 5.0, sm_50",
    )


def test_what_is_gone_says_how_to_write_it_today() -> None:
    source = "//- sm_80 ptx 8.0\nsh<|>fl.idx.b32 %r1, %r2, 0, 31;"
    check_hover(source, "✗ `shfl` was removed, it requires", "write `shfl.sync`")


def test_numbers() -> None:
    check_hover("mov.b32 %r1, 0xFF<|>;", "decimal      255", "binary       1111 1111")
    check_hover("mov.f32 %f1, 0f3F80<|>0000;", "value  1.0")


def test_words_of_declarations() -> None:
    check_hover("{ .re<|>g .b32 x; }", "`.reg`")
    check_hover("{ .reg .f16<|>x2 x; }", "**`.f16x2` type**", "in `.b32` registers")
    check_hover("{ .sha<|>red .b32 x; }", "shared memory")
    check_hover(
        "//- sm_90 ptx 8.0 module\n.entry k() .maxntid<|> 32 { ret; }",
        "maximum number of threads per CTA",
        "allowed in: entry",
    )


def test_the_header() -> None:
    head = "//- module\n.version 8.0\n.target sm_90\n"
    check_hover(head.replace("8.0", "8.<|>0"), "**PTX 8.0**", "CUDA 12.0")
    check_hover(head.replace("sm_90", "sm_9<|>0"), "**`sm_90` target**", "Hopper")

    check_hover(head.replace("8.0", "8.<|>0"), "driver r525", "`sm_90a`")
    check_hover(head.replace("sm_90", "compute_9<|>0"), "**`sm_90` target**")
    check_hover(head.replace("sm_90", "sm_90, texmode_<|>independent"), "target option", "`.samplerref`", "PTX 1.5")


def test_a_directive_shows_its_grammar() -> None:
    check_hover("//- module\n.entry k() .reqn<|>tid 32 { ret; }", "```ptx\n.reqntid nx{, ny{, nz}}\n```", "PTX 2.1")
    check_hover("//- module\n.global .attribute(.man<|>aged) .u32 x;", "```ptx\n.attribute(.managed)\n```")
    check_hover("//- sm_90 ptx 8.0\nld.global.u32 %r1, [%rd1].uni<|>fied;", "the variable has the same address")


def test_a_string_has_the_meaning_that_its_directive_gives_it() -> None:
    check_hover('.pragma "noun<|>roll";', "pragma**", '.pragma "nounroll";', "loops are not unrolled")
    check_hover('//- sm_90 ptx 8.0\n.pragma "nounroll", "frequency<|> 10";', "✗ PTX 9.0; this module: PTX 8.0")
    check_hover('.pragma "un<|>roll";', "unknown string")
    check_hover('//- sm_90 ptx 9.2 module\n.entry k() .language "Fort<|>ran" { ret; }', "number 9")


def test_predefined_constants() -> None:
    check_hover("mov.u32 %r1, WARP_<|>SZ;", "**`WARP_SZ` constant**", "lanes of a warp", "`.s64`, 32")


def test_fields_of_textures() -> None:
    texture = "//- module\n.global .texref width = { width = 16, filter_mode = linear, channel_order = 0x10b5 };"
    check_hover(texture.replace("{ wid", "{ wi<|>d"), "**`width` field**", "elements in a row")
    check_hover(texture.replace("filter", "fil<|>ter"), "values: `nearest` or `linear`", "`.samplerref` (`texmode_ind")
    check_hover(texture.replace("linear", "line<|>ar"), "**`linear` value**", "of `filter_mode`")
    check_hover(texture.replace("0x10b5", "0x10<|>b5"), "`CL_RGBA` of OpenCL")
    check_hover(texture.replace("16", "1<|>6"), "integer constant")
    check_hover(texture.replace("width =", "wi<|>dth =", 1), "variable in `.global` memory")


def test_comments_blanks_and_marks_say_nothing() -> None:
    check_hover("// a com<|>ment")
    check_hover("add.s32 %r1,  <|>  %r2, %r3;")
    check_hover("add.s32 %r1, %r2, %r3 <|>;")


BROKEN = Path(__file__).parents[1] / "diagnostics"
HOSTILE = ["", "{", "}", ";", '"', ".", "%", "/*", "[", "(", "<", "@", "\x00", "😀"]


@pytest.mark.parametrize("seed", range(4))
def test_no_text_makes_a_hover_fail(seed: int, examples) -> None:
    draw = random.Random(seed)
    text = (examples / "mistakes.ptx").read_text()
    for _ in range(60):
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice(HOSTILE) + text[at + draw.randrange(4) :]
    checker = Checker(text)
    for offset in range(0, len(text) + 1, 3):
        info = hover(checker.semantics, offset)
        definition(checker.semantics, offset)
        if info is not None:
            assert 0 <= info.span.start <= info.span.end <= len(text)
            assert markdown(info)
            assert plain(info)


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.ptx")), ids=lambda path: path.stem)
def test_no_broken_file_makes_a_hover_fail(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    semantics = Checker(text).semantics
    seen = set()
    for offset in range(0, len(text) + 1, 23):
        info = hover(semantics, offset)
        if info is not None and info.span not in seen:
            seen.add(info.span)
            assert markdown(info, "file:///a.ptx")
            assert plain(info)


def test_what_only_some_releases_take_is_said_instead_of_since_when() -> None:
    check_hover("//- sm_90 ptx 8.0\nfence.acq<|>uire.gpu;", "`.acquire` of `fence`")
    check_hover("//- sm_90 ptx 8.0\nfen<|>ce.acquire.gpu;", "accepted only by ptxas before CUDA 13.1")
    check_hover("//- sm_80 ptx 7.0\nmo<|>v.b32 %r1, {%f2};", "accepted only by ptxas, contrary to the manual")


def test_a_guard_is_told_first_and_in_its_own_words() -> None:
    check_hover("@!%p1 a<|>dd.s32 %r1, %r2, 5;", "@!%p1  executed where %p1 is false\nd ")
    check_hover("<|>@%p1 add.s32 %r1, %r2, 5;", "guard: threads for which `%p1` is true", ".reg .pred %p<16>;")


def test_what_is_written_decides_which_kind_of_an_operand_is_shown() -> None:
    check_hover(
        "ba<|>r.sync %r1, 128;", "reads %r1, .u32, number of the barrier", "reads 128, constant multiples of 32"
    )
    check_not_said("ba<|>r.sync %r1, 128;", "constant 0..15")


def test_the_value_of_an_expression_stands_beside_it() -> None:
    check_hover("lo<|>p3.b32 %r1, %r2, %r3, %r4, (0xf0 & 0xcc) ^ 0xaa;", "(0xf0 & 0xcc) ^ 0xaa = 0x6a")


def test_a_special_register_that_is_read_is_told_in_its_own_words() -> None:
    check_hover("mo<|>v.u32 %r1, %tid.x;", "reads %tid.x, .u32, position of the thread in its CTA")


def test_the_table_of_lop3_as_a_formula() -> None:
    check_hover("lo<|>p3.b32 %r1, %r2, %r3, %r4, 0x96;", "reads 0x96, which is %r2 ^ %r3 ^ %r4")
    check_hover("lo<|>p3.b32 %r1, %r2, %r3, %r4, 0xCA;", "which is %r2 ? %r3 : %r4")


def test_a_call_shows_the_head_of_what_is_called() -> None:
    head = ".func (.reg .b32 r) twice(.reg .b32 a)"
    source = f"//- module\n{head} {{ ret; }}\n.entry k() {{ .reg .b32 %r<3>; ca<|>ll (%r1), twice, (%r2); ret; }}"
    check_hover(source, f"call  (ret), func, (params);\n{head}\n```", "func    twice, line 2")


def test_qualifiers_of_which_the_same_is_said_share_a_line() -> None:
    tensor = "c<|>p.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], 16;"
    check_hover(f"//- sm_90 ptx 8.6\n{tensor}", ".global .shared::cta  from this CTA")


def test_what_has_no_room_is_named() -> None:
    check_hover(
        "//- sm_100a ptx 8.8\ntcgen05.m<|>ma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X.collector::a::fill "
        "[%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;",
        "\nalso  ",
    )


def test_how_much_is_accessed_and_where_it_must_lie() -> None:
    check_hover("l<|>d.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];", "[%rd1], 16 bytes")
    check_hover("//- sm_80 ptx 7.0\ncp.as<|>ync.cg.shared.global [%r1], [%rd1], 16;", "a multiple of 16")


def test_a_pitfall_that_ptxas_refuses_is_said_only_of_what_does_not_fit() -> None:
    check_not_said("ad<|>d.s32 %r1, %r2, 5;", "Pitfall")
    check_hover("ad<|>d.s32 %r1, %f2, 5;", "**Pitfall:** operands of different widths")


def test_a_jump_says_how_far_it_goes() -> None:
    check_hover("L: add.s32 %r1, %r1, 1;\nb<|>ra L;", "L, line 6: 1 line back, a loop")
    check_hover("b<|>ra L;\nadd.s32 %r1, %r1, 1;\nL:", "L, line 8: 2 lines ahead")


def test_a_deprecated_spelling_says_what_to_write() -> None:
    source = "//- sm_60 ptx 6.0\nshfl.idx.b32 %r1, %r2, 0, 31;"
    check_hover(source.replace("shfl", "sh<|>fl"), "! `shfl.idx.b32` is deprecated; write `shfl.sync`")
    check_not_said("sh<|>fl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "deprecated")


def test_a_spelling_of_some_targets_names_them_all() -> None:
    check_hover("//- sm_103a ptx 8.8\ntcgen<|>05.fence::before_thread_sync;", "PTX 8.8, the sm_100f family")
    scaled = "tcgen<|>05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X"
    operands = "[%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;"
    expected = "PTX 8.6 on sm_100a, sm_101a; PTX 8.8 on sm_103a"
    check_hover(f"//- sm_103a ptx 8.8\n{scaled} {operands}", expected)
    check_hover(f"//- sm_107a ptx 9.4\n{scaled} {operands}", f"{expected}; PTX 9.0 on sm_110a; PTX 9.4 on sm_107a")


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("sm_100a ptx 8.6", "PTX 8.6, sm_100a, sm_101a only"),
        ("sm_100a ptx 8.8", "PTX 8.6 on sm_100a, PTX 8.8 on the sm_100f family"),
        ("sm_100f ptx 8.8", "PTX 8.8, the sm_100f family"),
        ("sm_103a ptx 9.4", "PTX 8.8, the sm_100f family"),
        ("sm_110a ptx 9.4", "PTX 8.6 on sm_101a, PTX 8.8 on the sm_101f family"),
    ],
)
def test_a_version_stands_beside_targets_that_had_the_spelling_then(module: str, expected: str) -> None:
    check_hover(f"//- {module}\ntcgen<|>05.fence::before_thread_sync;", expected)


def test_an_older_target_can_get_a_spelling_later_than_a_newer_one() -> None:
    converted = "cv<|>t.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"
    check_hover(f"//- sm_90 ptx 7.8\n{converted}", "PTX 7.8, sm_90 or newer")
    check_hover(f"//- sm_90 ptx 8.1\n{converted}", "PTX 7.8 on sm_90 or newer, PTX 8.1 on sm_89 or newer")
    check_hover(f"//- sm_89 ptx 8.1\n{converted}", "PTX 8.1, sm_89 or newer")


def test_a_renamed_target_is_named_as_its_version_names_it() -> None:
    converted = "cv<|>t.rn.satfinite.scaled::n2::ue8m0.bf16x2.s2f6x2 %r1, %h2, %h3;"
    check_not_said(f"//- sm_110a ptx 9.1\n{converted}", "sm_101a")
    check_hover(f"//- sm_110a ptx 9.1\n{converted}", "sm_110a")


def test_an_address_by_its_brackets() -> None:
    access = "4 bytes are accessed; it must be a multiple of 4"
    check_hover("ld.global.u32 %r1, <|>[%rd1+16];", "```ptx\n[%rd1+16]\n```", "address in `.global`", access)
    check_hover("ld.u32 %r1, <|>[%rd1];", "generic address")
    table = "{ .shared .align 4 .b8 t[16];\nld.shared.u32 %r1, [t+8]<|>;}"
    check_hover(table, "bytes 8 to 11 of the 16 bytes of `t` (line 6)")
    check_hover(table.replace("8]", "16]"), "✗ outside: bytes 16 to 19 of the 16 bytes of `t`")
    check_hover("add.s32 %r1, %r2<|> , %r3;", "`%r2`")


def test_a_part_of_the_name_that_stands_further_behind() -> None:
    check_hover("match.sync.a<|>ny.b32 %r1, %r2, -1;", "`.any` of `match.any`")
