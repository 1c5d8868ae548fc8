"""The layout of statements, blocks, columns and comments."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_lsp.checks.engine.checker import check_text
from ptx_lsp.features.formatting import Editor, Options, formatted
from ptx_lsp.features.formatting.layout import _REGULAR
from ptx_lsp.features.formatting.spacing import gaps
from ptx_lsp.preferences import Format
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import tokenize


def check_layout(before: str, after: str, **options: object) -> None:
    """In a kernel's body ``before`` becomes ``after``; both are indented as is handy here."""
    table = Format(**options)  # type: ignore[arg-type]
    text = formatted(f".entry k()\n{{\n{dedent(before)}\n}}\n", Options.of(table))
    head, _, body = text.partition("{\n")
    assert head == ".entry k()\n"
    assert dedent(body.removesuffix("}\n")).strip("\n") == dedent(after).strip("\n")
    assert formatted(text, Options.of(table)) == text


def test_a_function_that_a_body_declares_leaves_the_indentation() -> None:
    check_layout("{\n.func  f ( ) ;\ncall  f;\n}", "{\n    .func f();\n    call f;\n}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add.s32 %r1,%r2 ,4 ;", "add.s32 %r1, %r2, 4;"),
        ("ld.global.u32\t%r1 , [ %rd1 + 16 ];", "ld.global.u32 %r1, [%rd1+16];"),
        ("ld.global.u32 %r1, [%rd1 + -4];", "ld.global.u32 %r1, [%rd1+-4];"),
        ("@ %p1 bra $L ;", "@%p1 bra $L;"),
        ("@ ! %p1   bra $L;", "@!%p1 bra $L;"),
        ("mov.b64 { %r1,%r2 } , %rd1;", "mov.b64 {%r1, %r2}, %rd1;"),
        (
            "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, { %f5,%f6 }];",
            "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}];",
        ),
        ("shfl.sync.up.b32 %r1 | %p1, %r2, 1, 0, -1;", "shfl.sync.up.b32 %r1 | %p1, %r2, 1, 0, -1;"),
        ("shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, - 1;", "shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;"),
        ("mov.u32 %r1, (1 << 3)|2;", "mov.u32 %r1, (1 << 3)|2;"),
        ("call ( ret ) , f , ( a,b ) ;", "call (ret), f, (a, b);"),
        ("call.uni \nfree, \n(\nparam0\n);", "call.uni free, (param0);"),
        ("ret  ;", "ret;"),
        ("membar .gl;", "membar.gl;"),
        (".reg.b32 %r< 5 >, single;", ".reg .b32 %r<5>, single;"),
        (".shared   .align 8 .b8 tile [ 32 ] ;", ".shared .align 8 .b8 tile[32];"),
        (".global .b8 x[3]={1,2 , 3};", ".global .b8 x[3] = {1, 2, 3};"),
        (".loc\t1 5  0", ".loc 1 5 0"),
        ('.pragma  "nounroll" ;', '.pragma "nounroll";'),
        (
            "p : .callprototype (.param .b32 _) _ (.param .b64 _);",
            "p: .callprototype (.param .b32 _) _ (.param .b64 _);",
        ),
        ("ld.param.u64 %rd1, [a]; add.s64 %rd2, %rd1, 8;", "ld.param.u64 %rd1, [a];\nadd.s64      %rd2, %rd1, 8;"),
        ("add.s32 /* why */ %r1, %r2, %r3;", "add.s32 /* why */ %r1, %r2, %r3;"),
        ("add.s32 %r1, // first\n %r2, %r3;", "add.s32 %r1,  // first\n    %r2, %r3;"),
    ],
)
def test_one_statement(before: str, after: str) -> None:
    check_layout(before, after)


def test_operands_stand_in_a_column() -> None:
    check_layout(
        """
        ld.global.u32 %r1, [%rd1];
        add.s32 %r2, %r1, 1;
        .loc 1 5 0
        @%p1 bra L;
        ret;
        """,
        """
        ld.global.u32 %r1, [%rd1];
        add.s32       %r2, %r1, 1;
        .loc 1 5 0
        @%p1 bra      L;
        ret;
        """,
    )


@pytest.mark.parametrize("between", ["", "{\n}", ".local .b8 x[4];"])
def test_a_column_ends_at_a_blank_line_a_block_a_declaration(between: str) -> None:
    text = f"cvta.to.global.u64 %rd1, %rd2;\n{between}\nadd.s32 %r2, %r1, 1;"
    check_layout(text, text + "\n")


def test_a_very_long_opcode_pushes_nobody() -> None:
    check_layout(
        """
        mov.b32 %r1, 0;
        mma.sync.aligned.m16n8k16.row.col.f32 %r1, %r2;
        cvt.u64.u32 %rd1, %r1;
        """,
        """
        mov.b32     %r1, 0;
        mma.sync.aligned.m16n8k16.row.col.f32 %r1, %r2;
        cvt.u64.u32 %rd1, %r1;
        """,
    )


def test_a_column_of_the_user() -> None:
    check_layout(
        "mov.b32 %r1, 0;\ncvt.u64.u32 %rd1, %r1;", "mov.b32   %r1, 0;\ncvt.u64.u32 %rd1, %r1;\n", operand_column=10
    )


def test_without_columns() -> None:
    text = "mov.b32 %r1, 0;\ncvt.u64.u32 %rd1, %r1;\n"
    check_layout(text, text, align=False)


def test_declared_registers_stand_in_a_column() -> None:
    check_layout(".reg .pred %p<2>;\n.reg .b32 %r<9>;", ".reg .pred %p<2>;\n.reg .b32  %r<9>;\n")


def test_blocks_are_indented_and_labels_stand_at_the_braces() -> None:
    before = ".entry k(){ add.s32 %r1, %r2, 3; L: { .reg .b32 x; M: ret; } }"
    assert formatted(before) == dedent(
        """\
        .entry k()
        {
            add.s32 %r1, %r2, 3;
        L:
            {
                .reg .b32 x;
            M:
                ret;
            }
        }
        """
    )


def test_labels_further_in() -> None:
    text = formatted(".entry k()\n{\nL: ret;\n}\n", Options.of(Format(label_indent=2)))
    assert text == ".entry k()\n{\n  L:\n    ret;\n}\n"


def test_the_head_of_a_function() -> None:
    before = ".visible .entry k(.param .u64 a, .param .align 8 .b8 b[16]) .maxntid 256,1,1 .minnctapersm 2 { ret; }"
    assert formatted(before) == dedent(
        """\
        .visible .entry k(
            .param .u64 a,
            .param .align 8 .b8 b[16]
        )
        .maxntid 256, 1, 1
        .minnctapersm 2
        {
            ret;
        }
        """
    )


def test_a_declaration_with_a_result() -> None:
    before = ".extern .func  (.param .b32 r)  f\n(\n.param .b32 a\n)\n;"
    assert formatted(before) == ".extern .func (.param .b32 r) f(\n    .param .b32 a\n);\n"
    assert formatted(".func f ( ) ;") == ".func f();\n"


def test_long_lists_are_broken_between_operands() -> None:
    operand = "{%r1, %r2, %r3, %r4}"
    check_layout(
        f"mma.sync {operand}, {operand}, {operand};",
        f"mma.sync {operand}, {operand},\n    {operand};\n",
        width=60,
    )


def test_a_vector_is_broken_where_it_must_be() -> None:
    check_layout("mov.b32 {%r1, %r2, %r3, %r4, %r5, %r6};", "mov.b32 {%r1, %r2, %r3, %r4,\n    %r5, %r6};\n", width=33)


def test_line_breaks_between_operands_stay() -> None:
    text = "mma.sync\n    {%r1, %r2},\n    {%r3, %r4};\n"
    check_layout(text, text)


def test_tables_keep_their_rows() -> None:
    before = ".global .b32 t[4] = {\n1,2,\n    3,4\n};"
    assert formatted(before) == ".global .b32 t[4] = {\n    1, 2,\n    3, 4\n};\n"


def test_comments_at_line_ends_stand_in_a_column() -> None:
    check_layout(
        """
        add.s32 %r1, %r2, 3; // three
        mov.b32 %r2, 0;
        ret;// done
        """,
        """
        add.s32 %r1, %r2, 3;  // three
        mov.b32 %r2, 0;
        ret;                  // done
        """,
    )
    check_layout("mov.b32 %r200, 0; // a\nret; // b", "mov.b32 %r200, 0;  // a\nret;  // b\n", align_comments=False)


def test_comments_on_their_own_lines_are_indented_like_what_follows() -> None:
    before = "// file\n.entry k()\n{\n// body\nret;\n// label\nL:\n/* a\n   b */\nret;\n// end\n}\n// after\n"
    assert formatted(before) == (
        "// file\n.entry k()\n{\n    // body\n    ret;\n// label\nL:\n"
        "    /* a\n   b */\n    ret;\n    // end\n}\n// after\n"
    )


def test_a_comment_above_a_blank_line_does_not_belong_to_the_label_below() -> None:
    text = ".entry k()\n{\n    ret;\n    // end\n\n// label\nL:\n    ret;\n}\n"
    assert formatted(text) == text


def test_blank_lines() -> None:
    assert formatted("\n\n.version 8.0\n\n\n\n.target sm_90  \n\n\n") == ".version 8.0\n\n.target sm_90\n"
    assert formatted(".entry k()\n{\n\n\nret;\n\n}") == ".entry k()\n{\n    ret;\n}\n"
    assert formatted("ret;\n\n\n\nret;", Options.of(Format(blank_lines=0))) == "ret;\nret;\n"


def test_what_the_editor_asks_for() -> None:
    text = ".entry k()\n{\nret;  \n}"
    assert formatted(text, Options.of(editor=Editor(2))) == ".entry k()\n{\n  ret;\n}\n"
    assert formatted(text, Options.of(editor=Editor(8, insert_spaces=False))) == ".entry k()\n{\n\tret;\n}\n"
    spaces = Options.of(Format(indent=3, tabs="never"), Editor(8, False))
    assert formatted(text, spaces) == ".entry k()\n{\n   ret;\n}\n"
    assert formatted("ret;", Options.of(editor=Editor(insert_final_newline=False))) == "ret;"
    assert formatted("ret;\n\n\n", Options.of(editor=Editor(trim_final_newlines=False))) == "ret;\n\n\n"
    assert formatted("ret;  \nret; \n", Options.of(editor=Editor(trim_trailing_whitespace=False))) == "ret;  \nret;\n"


def test_line_ends_stay() -> None:
    assert formatted("ret;\r\n  ret; ret;\r\n") == "ret;\r\nret;\r\nret;\r\n"
    assert formatted("ret ;\r\n") == "ret;\r\n"


def check_once(before: str, after: str, **options: object) -> None:
    """``before`` becomes ``after``, which stays."""
    table = Options.of(Format(**options))  # type: ignore[arg-type]
    assert formatted(before, table) == after
    assert formatted(after, table) == after


def test_line_ends_are_those_of_most_lines_that_formatting_leaves() -> None:
    check_once("\r\n\r\n\r\nret;\n\nexit;\n", "ret;\n\nexit;\n")
    check_once("\n\n\n\n2\r\n3\r\n4\r\nret;\nexit;", "2\r\n3\r\n4\r\nret;\r\nexit;\r\n")


@pytest.mark.parametrize("after", ["", " ", "//x", "  /* x */"])
def test_a_brace_after_an_error_is_the_same_with_and_without_a_line_end_after_it(after: str) -> None:
    check_once(f"2{{{after}", f"2{{  {after.strip()}\n" if after.strip() else "2{\n")
    check_once(f"ret;\n a\0b(){{{after}\r", formatted(f"ret;\n a\0b(){{{after}\n"))


def test_blanks_after_a_comment_in_a_statement_have_no_meaning() -> None:
    check_once("x// x \nt;", "x// x \nt;\n")
    check_once("add.s32 x, // x \n    y, z;", "add.s32 x,  // x\n    y, z;\n")


def test_the_blank_of_nvcc_after_a_statement_of_two_lines() -> None:
    check_once("bar.red.a\n;\n//\n", "bar.red.a; \n//\n", style="nvcc")
    check_once("  bar.red.a;\n//\n", "bar.red.a; \n//\n", style="nvcc")
    check_once(".reg  .b32 %temp ;\nret;\n", "\t.reg .b32 %temp; \nret;\n".replace("\t", ""), style="nvcc")


@pytest.mark.parametrize(
    "text",
    [
        "add.s32   %r1,%r2\n    mov.b32    %r1, ;\n",  # no ';', and a missing operand
        "mov.b64 {%r1 ?%r2},   %rd1;\n",
        '.pragma  "not closed\n',
        "#define  X   1\n",
        '# 12   "file.cu"\n',
        "@@DWARF   .byte  1\n",
        "  .source_begin\n   int   x ;  {\n  .source_end\n",
        "/* never   closed\n",
        "",
        "\n",
    ],
)
def test_what_makes_no_sense_is_left_as_it_is(text: str) -> None:
    found = formatted(text)
    assert [line.strip() for line in found.split("\n") if line] == [line.strip() for line in text.split("\n") if line]


def test_a_broken_statement_does_not_stop_the_others() -> None:
    assert formatted(".entry k()\n{\nadd.s32 %r1 %r2   %r3;\nmov.b32   %r1,0;\n}\n") == (
        ".entry k()\n{\n    add.s32 %r1 %r2   %r3;\n    mov.b32 %r1, 0;\n}\n"
    )


@pytest.mark.parametrize("text", ["mov.b32 %r1{/* c */\r.loc 1 2 3", "bra {/* c */{L1:", "mov.b32 %r1{ /* c */ ret; {"])
def test_a_comment_after_a_broken_statement_ends_no_line(text: str) -> None:
    once = formatted(text)
    assert formatted(once) == once


def test_comments_stand_in_one_column_whatever_stood_before_the_semicolons() -> None:
    check_once("ret ; // a\nexit\n; // b\n", "ret;   // a\nexit;  // b\n")


@pytest.mark.parametrize(
    ("text", "style"),
    [
        (".source_begin\n\r.source_end\n", "ptx-lsp"),
        (".source_begin\n\f  .source_end\n", "ptx-lsp"),
        (".source_begin\n.source_end\f\n\n// c\n", "nvcc"),
        ('.source_begin\n.source_end\f\n# 1 "kernel.cu"\n', "ptx-lsp"),
    ],
)
def test_a_line_that_ends_no_source_text_is_not_made_one_that_does(text: str, style: str) -> None:
    """Only blanks may stand before ``.source_end`` on its line, and after it."""
    check_once(text, text, style=style)


def test_debug_data_is_indented_and_else_left_alone() -> None:
    before = "\t.section\t.debug_str\n\t{\nlabel:\n.b8 95,90,78\n\t}\n"
    assert formatted(before) == ".section .debug_str\n{\nlabel:\n    .b8 95,90,78\n}\n"


def test_what_a_comment_silences_stays_on_its_line() -> None:
    text = "add.s33 %r1, %r2, 1; add.s33 %r1,   %r2, 1; // ptx-lsp: ignore[E302]\n"
    assert formatted(text) == text
    alone = formatted("add.s33 %r1,%r2, 1; // ptx-lsp: ignore[E302]\n")
    assert alone == "add.s33 %r1, %r2, 1;  // ptx-lsp: ignore[E302]\n"


@pytest.mark.parametrize("style", [Format(width=40), Format(width=40, align=False, align_comments=False)])
def test_a_statement_with_an_ignore_comment_is_not_wrapped(style: Format) -> None:
    text = "add.s32 %first_sum_of_all, %second_one, %r2; // ptx-lsp: ignore[E201]\nadd.s32   %r3, %r4, 1;\n"
    found = formatted(text, Options.of(style))
    assert found == "add.s32 %first_sum_of_all, %second_one, %r2;  // ptx-lsp: ignore[E201]\nadd.s32 %r3, %r4, 1;\n"
    assert formatted(found, Options.of(style)) == found


def test_no_line_of_a_vector_is_broken_after_a_comment() -> None:
    options = Options.of(Format(width=40, align=False, align_comments=False))
    found = formatted("{{a{0,1,2,3},{0,a1,/* ptx-lsp: ignore */a2,3},{0,1,0,1},{0,1,2,3},w,0;", options)
    assert "/* ptx-lsp: ignore */ a2" in found
    assert formatted(found, options) == found


def test_an_ignore_comment_after_a_carriage_return_stays_on_its_line() -> None:
    """Editors end a line there, so that the comment silences what the next line has."""
    text = "mov.u32 %r1, %tid.x;\r// ptx-lsp: ignore[E302]\nadd.s33 %r1, %r2, 1;\n"
    assert formatted(text) == text
    assert not [one for one in check_text(text) if one.code == "E302"]


def test_what_is_seen_at_a_glance_is_what_the_tokens_say() -> None:
    """Most instructions are laid out by one regular expression; it takes what has no wrong blank between operands."""
    for line in ("add.s32 %r1, %r2, -4;", "@!%p1 ld.v2.b32 {%r1, %r2}, [%rd1+-4];", "tex.2d [t, {a, b}], c|d;", "ret;"):
        assert _REGULAR(line)
        tokens = tokenize(line)
        assert gaps(line, tokens, Kind.INSTRUCTION) == [
            line[before : token.start] for before, token in zip([0, *(one.end for one in tokens)], tokens, strict=False)
        ]
    for line in ("add.s32 %r1,%r2;", "add.s32 %r1 , %r2;", "add .s32 %r1;", "mov.b64 { %r1}, %rd1;", "ld [a + 4];"):
        assert not _REGULAR(line)


def test_a_table_of_data_is_left_alone() -> None:
    numbers = ",".join(map(str, range(5000)))
    assert formatted(f".global .b32 t[5000] = {{{numbers}}};\n") == f".global .b32 t[5000] = {{{numbers}}};\n"
