"""Hovers of declared names: who writes, reads, jumps and calls, how large things are."""

from __future__ import annotations

from ptx_lsp.features.hover.parts.render import markdown

from .hovering import check_hover, check_not_said, hovered

MODULE = "//- sm_90 ptx 8.0 module\n"


def test_a_register_with_one_definition_shows_it() -> None:
    source = "shl.b32 %r2, %r3, 4;\nadd.s32 %r4, %r<|>2, 5;"
    code = "```ptx\n.reg .b32 %r<64>;\nshl.b32 %r2, %r3, 4;\n```"
    check_hover(source, code, "written once (line 6), read once (line 7)")


def test_at_the_definition_itself_it_is_not_repeated() -> None:
    check_not_said("shl.b32 %r<|>2, %r3, 4;", "shl.b32 %r2, %r3, 4;\n```")


def test_of_two_definitions_those_are_shown_that_reach_the_cursor() -> None:
    source = "mov.b32 %r1, 1;\nmov.b32 %r1, 2;\nmov.b32 %r2, %r<|>1;"
    check_hover(source, "written twice (lines 6 and 7)", "```ptx\n.reg .b32 %r<64>;\nmov.b32 %r1, 2;\n```")
    source = "mov.b32 %r1, 1;\nagain: mov.b32 %r2, %r<|>1;\nxor.b32 %r1, %r1, 1;\nbra again;"
    check_hover(source, "```ptx\n.reg .b32 %r<64>;\nmov.b32 %r1, 1;\nxor.b32 %r1, %r1, 1;\n```")


def test_what_adds_to_itself_is_written_and_read() -> None:
    check_hover("add.s32 %r<|>1, %r1, 1;", "written once (line 6), read once (line 6)")


def test_a_register_that_nobody_uses() -> None:
    check_hover("{ .reg .b32 lo<|>ne; }", "not used")
    check_hover("mov.b32 %r2, %r<|>1;", "never written, read once")


def test_many_uses_are_not_counted_to_the_end() -> None:
    check_hover("mov.b32 %r<|>1, 0;\n" + "add.s32 %r2, %r1, 5;\n" * 300, "used at least 200 times")


def test_what_a_comment_says_does_not_count() -> None:
    check_hover("mov.b32 %r<|>1, 0; // %r1 /* %r1 */", "never read")


def test_a_name_that_is_declared_again_inside_is_another() -> None:
    source = "{ .reg .b32 x;\nmov.b32 x, 1;\n{ .reg .b32 x;\nmov.b32 <|>x, 2; } }"
    check_hover(source, "declared in line 8; written once (line 9)")


def test_a_group_at_its_declaration() -> None:
    source = "{ .reg .b32 %q<|><12>;\nmov.b32 %q1, %q2; }"
    check_hover(source, "12 `.b32` registers, declared in line 6: `%q0` to `%q11`; 2 of them used")


def test_the_known_value() -> None:
    check_hover("mov.b32 %r1, 42;\nadd.s32 %r2, %r<|>1, 1;", "value here: 42 (`0x2a`)")
    check_hover("mov.b32 %r1, 42;\nadd.s32 %r<|>2, %r1, 1;", "value here: 43 (`0x2b`)")


def test_known_bits() -> None:
    check_hover("shl.b32 %r1, %r2, 4;\nmov.b32 %r3, %r<|>1;", "value here: a multiple of 16")
    check_hover("and.b32 %r1, %r2, 31;\nmov.b32 %r3, %r<|>1;", "value here: 0..31")


def test_no_value_is_claimed_where_two_ways_meet() -> None:
    source = "mov.b32 %r1, 1;\n@%p1 bra L;\nmov.b32 %r1, 2;\nL: mov.b32 %r3, %r<|>1;"
    check_not_said(source, "value here: 1", "value here: 2")


def test_in_a_very_long_function_values_are_not_followed() -> None:
    check_not_said("mov.b32 %r1, 42;\n" + "add.s32 %r2, %r2, 1;\n" * 1600 + "mov.b32 %r3, %r<|>1;", "value here")


def test_a_register_of_an_operand_says_what_it_is_for() -> None:
    check_hover("shfl.sync.idx.b32 %r1, %r2, %r3, 31, %r<|>4;", "here: `membermask` of `shfl`: bit `i`")
    check_hover("st.global.v2.b32 [%rd1], {%r1, %r<|>2};", "here: element 1 of `b` of `st`")
    check_hover("@!%p<|>1 mov.b32 %r1, 1;", "here: the guard, the instruction is executed where it is false")
    check_hover("setp.eq.s32 %p1|%p<|>2, %r1, 0;", "here: `q` of `setp`")


def test_a_loop() -> None:
    source = "LO<|>OP:\nadd.s32 %r1, %r1, 1;\n@%p1 bra LOOP;"
    check_hover(source, "jumped to once, from line 8", "loop header: back edge from line 8; 3 lines")


def test_a_label_of_forward_jumps() -> None:
    source = "@%p1 bra DONE;\n@%p2 bra DO<|>NE;\nret;\nDONE:"
    check_hover(source, "jumped to twice, from lines 6 and 7", "2 lines below")
    check_not_said(source, "loop")


def test_a_label_that_nobody_jumps_to() -> None:
    check_hover("ST<|>ART: ret;", "nothing jumps there")


def test_a_label_that_is_only_listed() -> None:
    check_hover("A<|>: ret;\nT: .branchtargets A;", "named, but not jumped to")
    check_hover("A: ret;\nT<|>: .branchtargets A;", "list of targets, in line 7", ".branchtargets A;")


def test_layouts_of_variables() -> None:
    check_hover(
        MODULE + ".global .align 16 .b32 ta<|>ble[3];",
        "12 bytes (3 × 4), aligned to 16",
        "no initializer: zero-initialized",
    )
    check_hover(MODULE + ".global .f64 o<|>ne = 1.5;", "8 bytes, aligned to 8", "initializer: `1.5`")
    check_hover(MODULE + ".global .v4 .f32 fo<|>ur;", "16 bytes, aligned to 16")
    source = MODULE + ".extern .shared .align 8 .b8 dy<|>n[];"
    check_hover(source, "size set at launch or in another", "`.extern`:")
    check_not_said("{ .shared .b32 bu<|>f[4]; }", "zeros")


def test_parameters_lie_one_behind_the_other() -> None:
    head = MODULE + ".entry k(.param .u8 a, .param .u64 b, .param .align 4 .b8 c[12]) { ret; }"
    check_hover(head.replace(" a,", " a<|>,"), "parameter 1 of 3, at offset 0 of the 28 bytes")
    check_hover(head.replace(" b,", " b<|>,"), "parameter 2 of 3, at offset 8 of the 28 bytes")
    last = "parameter 3 of 3, at offset 16 of the 28 bytes"
    check_hover(head.replace(" c[", " c<|>["), last, "12 bytes, aligned to 4")


def test_parameters_of_functions_have_no_place_in_memory() -> None:
    source = MODULE + ".func (.param .b32 r<|>) f(.param .b32 a) { ret; }"
    check_hover(source, "return parameter")
    check_hover(source.replace("<|>", "").replace("a)", "a<|>)"), "parameter 1 of 1")
    check_not_said(source.replace("<|>", "").replace("a)", "a<|>)"), "offset")


def test_what_a_pointer_parameter_promises() -> None:
    source = MODULE + ".entry k(.param .u64 .ptr .global .align 16 da<|>ta) { ret; }"
    check_hover(source, "points into `.global`, at a multiple of 16 bytes")


def test_a_function_and_its_callers() -> None:
    source = (
        MODULE
        + """.func helper() { ret; }
        .entry one() { call hel<|>per; call helper; ret; }
        .entry two() { call helper; ret; }"""
    )
    check_hover(source, "function in line 5; called 3 times by `one` and `two`, lines 6 and 7")


def test_a_function_that_nobody_calls() -> None:
    check_hover(MODULE + ".func hel<|>per() { ret; }", "not called in this module")
    check_not_said(MODULE + ".entry ke<|>rnel() { ret; }", "not called")


def test_a_function_whose_address_is_taken() -> None:
    source = MODULE + ".func helper() { ret; }\n.entry k() { .reg .b64 %rd1; mov.u64 %rd1, hel<|>per; ret; }"
    check_hover(source, "its address is taken once")


def test_a_declaration_leads_to_the_body() -> None:
    source = MODULE + ".func helper();\n.entry k() { call hel<|>per; ret; }\n.func helper() { ret; }"
    check_hover(source, "function in line 7; called once by `k`")


def test_a_second_name_of_a_function() -> None:
    source = MODULE + ".func f() { ret; }\n.func g();\n.alias g<|>, f;"
    check_hover(source, "function declared in line 6; not called", "second name of `f`")


def test_jumps_on_one_line() -> None:
    check_not_said("@%p1 bra L<|>; add.s32 %r1, %r1, 1; L: ret;", "loop")
    check_hover("L: add.s32 %r1, %r1, 1; bra L<|>;", "loop header: back edge from line 6; 1 line")


def test_a_sign_before_an_operand() -> None:
    check_hover("add.f32 %f1, -%f<|>2, %f3;", "here: `a` of `add`, negated")


def test_the_directives_of_a_kernel() -> None:
    source = MODULE + ".visible .entry ke<|>rnel() .maxntid 128 .minnctapersm 2 { ret; }"
    check_hover(
        source,
        ".maxntid 128     maximum number of threads",
        ".minnctapersm 2  minimum number of CTAs",
        "`.visible`: visible to",
    )


def test_a_long_head_takes_five_lines() -> None:
    parameters = ", ".join(f".param .u64 _Z6kernelPfS_S__param_{number}" for number in range(12))
    info = hovered(MODULE + f".entry _Z6kern<|>elPfS_S_({parameters}) {{ ret; }}")
    assert info is not None
    assert len(info.code) <= 5
    assert "6 more" in markdown(info)


def test_lines_are_links_where_the_document_has_an_address() -> None:
    info = hovered("mov.b32 %r<|>1, 1;")
    assert info is not None
    assert "[line 5](file:///a.ptx#L5)" in markdown(info, "file:///a.ptx")
    assert "declared in line 5" in markdown(info)
    assert "](" not in markdown(info, "file:///a b.ptx"), "such an address would break the link"


def test_mangled_names() -> None:
    check_hover(
        """
//- module sm_80 ptx 7.0
.visible .entry _Z4axpy<|>IfEvPT_i(.param .u64 _Z4axpyIfEvPT_i_param_0, .param .u32 _Z4axpyIfEvPT_i_param_1)
{
    ret;
}
""",
        ".visible .entry axpy(.param .u64 param_0, .param .u32 param_1)",
        "```cpp\nvoid axpy<float>(float*, int)\n```",
        "mangled: `_Z4axpyIfEvPT_i`",
    )


def test_text_in_an_initializer() -> None:
    check_hover(
        "//- module sm_80 ptx 7.0\n.global .align 1 .b8 _$_s<|>tr[6] = {72, 105, 32, 34, 10, 0};",
        'initializer: `"Hi \\"\\n"`',
    )
    check_hover("//- module sm_80 ptx 7.0\n.global .align 1 .b8 ta<|>ble[3] = {1, 2, 3};", "initializer: `{1, 2, 3}`")
