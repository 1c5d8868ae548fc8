"""Go to definition: a cursor, and carets of ``def`` under where it must lead."""

from __future__ import annotations

import re

from ptx_lsp.features.definition import declaration, definition, implementation

from .cursor import opened


def check_definition(source: str) -> None:
    """The cursor's name leads to the marked name; without a mark it leads nowhere."""
    checker, offset, _ = opened(source)
    text = checker.document.text
    found = definition(checker.semantics, offset)
    mark = re.search(r"^//( *)(\^+) def$", text, re.MULTILINE)
    if mark is None:
        assert found is None, found
        return
    line_start = text.rindex("\n", 0, mark.start() - 1) + 1
    start = line_start + 2 + len(mark[1])
    assert found is not None
    assert found.span == (start, start + len(mark[2]))
    assert found.origin.start <= offset <= found.origin.end
    assert found.extent.start <= found.span.start < found.span.end <= found.extent.end


def test_a_register_leads_to_its_declaration() -> None:
    check_definition("""
{ .reg .b32 mine;
//          ^^^^ def
mov.b32 mi<|>ne, 1; }
""")


def test_a_numbered_register_leads_to_its_group() -> None:
    check_definition("""
{ .reg .b32 %mine<20>;
//          ^^^^^ def
mov.b32 %mine1<|>9, 1; }
""")


def test_a_label_is_found_before_it_stands() -> None:
    check_definition("""
bra E<|>ND_OF_IT;
  END_OF_IT:
//^^^^^^^^^ def
""")


def test_an_inner_block_hides_the_outer_name() -> None:
    check_definition("""
{ .reg .b32 x;
  { .reg .f32 x;
//            ^ def
    mov.f32 <|>x, 0f00000000; } }
""")


def test_a_name_behind_the_block_is_the_outer_one() -> None:
    check_definition("""
{ .reg .b32 x;
//          ^ def
  { .reg .f32 x; }
  mov.b32 x<|>, 1; }
""")


def test_a_parameter() -> None:
    check_definition("""
//- sm_90 ptx 8.0 module
.entry k(.param .u64 input)
//                   ^^^^^ def
{ .reg .b64 %rd<2>;
ld.param.u64 %rd1, [inp<|>ut]; }
""")


def test_a_function_in_a_call() -> None:
    check_definition("""
//- sm_90 ptx 8.0 module
.func helper()
//    ^^^^^^ def
{ ret; }
.entry k() { call hel<|>per; ret; }
""")


def test_a_variable_of_the_module() -> None:
    check_definition("""
//- sm_90 ptx 8.0 module
.global .b32 counter;
//           ^^^^^^^ def
.entry k() { .reg .b32 %r<2>;
ld.global.b32 %r1, [count<|>er]; }
""")


def test_a_declaration_leads_to_itself() -> None:
    check_definition("""
{ .reg .b32 mi<|>ne; }
//          ^^^^ def
""")


def test_what_is_no_name_leads_nowhere() -> None:
    check_definition("add<|>.s32 %r1, %r2, %r3;")
    check_definition("add.s32 %r1, %r2, 1<|>7;")
    check_definition("add.s32 %r1, %r2, undeclared<|>;")
    check_definition("// a com<|>ment")
    check_definition("mov.u32 %r1, %ti<|>d.x;")


def test_a_function_with_a_declaration_leads_to_its_body() -> None:
    check_definition("""
//- sm_90 ptx 8.0 module
.func helper();
.entry k() { call hel<|>per; ret; }
.func helper()
//    ^^^^^^ def
{ ret; }
""")


def test_an_extern_function_leads_to_its_declaration() -> None:
    check_definition("""
//- sm_90 ptx 8.0 module
.extern .func helper();
//            ^^^^^^ def
.entry k() { call hel<|>per; ret; }
""")


def check_ways(source: str, declared: str | None, implemented: str | None) -> None:
    """Declaration and implementation lead to what begins with these words."""
    checker, offset, _ = opened(source)
    for look, wanted in ((declaration, declared), (implementation, implemented)):
        found = look(checker.semantics, offset)
        text = checker.document.text[slice(*found.extent)] if found is not None else None
        assert text == wanted if wanted is None or text is None else text.startswith(wanted), text


def test_declaration_and_body() -> None:
    check_ways(
        "//- sm_90 ptx 8.0 module\n.func f(); .entry k() { call f<|>; ret; } .func f() { ret; }",
        ".func f();",
        ".func f() { ret; }",
    )


def test_what_is_defined_elsewhere_has_no_implementation_here() -> None:
    check_ways(
        "//- sm_90 ptx 8.0 module\n.extern .func f(); .entry k() { call f<|>; ret; }", ".extern .func f();", None
    )
    check_ways(
        "//- sm_90 ptx 8.0 module\n.extern .global .u32 v; .entry k() { .reg .b32 r; ld.global.u32 r, [v<|>]; ret; }",
        ".extern .global .u32 v;",
        None,
    )


def test_a_register_is_declared_and_implemented_in_one_place() -> None:
    check_ways("{ .reg .b32 x; mov.b32 <|>x, 1; }", ".reg .b32 x;", ".reg .b32 x;")
