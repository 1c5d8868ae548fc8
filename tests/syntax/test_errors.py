"""Syntax errors by example: what is said, where, and the remedy.

ptxas 13.5 refuses every statement that is marked here, and takes the others.
"""

from __future__ import annotations

import pytest
from syntax.carets import check_errors, check_fixed, errors


def test_missing_semicolon_is_reported_on_its_own_line() -> None:
    check_errors("""
        add.s32 %r1, %r2, %r3
//                           ^ E101: ';' expected after '%r3'
        sub.s32 %r1, %r1, 1;
        .reg .b32 %q<4>  // with a comment behind
//                     ^ E101: ';' expected after '>'
        @%p1 bra done
//                   ^ E101: ';' expected after 'done'
        ret;
        mov.u32 tmp, 1
//                    ^ E101: ';' expected after '1'
        exit
        """)


def test_a_semicolon_is_missing_only_after_a_complete_operand() -> None:
    check_errors("""
        add.s32 %r1, %r2, // the value
            x;
        neg.s32 // (of the value)
            x , y;
        .reg .b32 // x (the value)
            x;
        .func (.reg .b32 result)
            f (.reg .b32 value);
        .func (.reg .b32 result) // (result)
            g // (result)
            (.reg .b32 value);
        @p // p
            bra done;
        call (x), f, ( // f
            y );
        .extern .entry k(.param .u64 .ptr // to
            .global .align 4 a);
        add.s32 %r1, %r2, %r3   // the sum.
//                           ^ E101: ';' expected after '%r3'
        ret;
        add.s32 %r1, %r2, %r3
//                           ^ E101: ';' expected after '%r3'
        // The end:

        // of all.
        ret;
        """)


def test_missing_comma_and_operand() -> None:
    check_errors("""
add.s32 %r1 %r2, %r3;
//         ^ E101: ',' expected after '%r1'
add.s32 %r1,, %r2;
//          ^ E101: operand expected after ','
add.s32 %r1, %r2, ;
//                ^ E101: operand expected after ','
mov.u32 %r1, 1 + ;
//               ^ E101: number expected, not ';'
.reg .b32 a b;
//         ^ E101: ',' expected after 'a'
.reg .b32 a, ;
//           ^ E101: name expected after ','
add.s32 %r1, %r2, ?%r3;
//                ^ E101: operand expected, not '?'
""")


def test_unclosed_brackets_say_which_one_they_mean() -> None:
    check_errors("""
ld.global.u32 %r1, [%rd1;
//                      ^ E104: ']' expected after '%rd1' to close '['
mov.u32 %r1, (1 + 2;
//                 ^ E104: ')' expected after '2' to close '('
mov.b64 {%r1, %r2, %rd1;
//                     ^ E104: '}' expected after '%rd1' to close '{'
ld.global.v2.u32 {%r1, %r2, [%rd1];
//                        ^ E104: '}' expected after '%r2' to close '{'
.reg .b32 %q<4;
//            ^ E104: '>' expected after '4' to close '<'
.global .b32 x[2] = {1, 2;
//                       ^ E104: '}' expected after '2' to close '{'
.global .b32 x[2 = {1, 2};
//              ^ E104: ']' expected after '2' to close '['
""")


def test_strings_and_comments_end_with_their_line_if_they_are_not_closed() -> None:
    check_errors("""
.pragma "nounroll;
//      ^^^^^^^^^^ E104: the string is not closed on its line
ret; /* a remark
//   ^^ E104: the comment is not closed
add.s32 %r1
//         ^ E101: ';' expected after '%r1'
""")


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("0x", "hexadecimal digits expected after '0x'"),
        ("08", "a leading 0 makes it octal, and octal has no digits 8 and 9"),
        ("1u", "the suffix must be a capital 'U'"),
        ("1L", "there is no suffix 'L'"),
        ("0b12", "a binary number has the digits 0 and 1"),
        ("0f3F80", "'0f' must have 8 hexadecimal digits, not 4"),
        ("0d3F80", "'0d' must have 16 hexadecimal digits, not 4"),
        ("1.0f", "floats have no suffix 'f'"),
        ("1.2.3", "it has two points"),
        ("12abc", "'abc' cannot follow the digits"),
        ("4.u32", "a space is missing before the dot"),
        ("4.align", "a space is missing before the dot"),
        ("4.unknown", "'.unknown' cannot follow the digits"),
    ],
)
def test_malformed_numbers(number: str, reason: str) -> None:
    carets = "^" * len(number)
    check_errors(f"mov.b32 %r1, {number};\n//           {carets} E103: '{number}' is not a number: {reason}")


def test_qualifiers_torn_apart() -> None:
    check_errors("""
mov .u32 %r1, 1;
mov . u32 %r1, 1;
//  ^^^^^ E105: space inside the qualifier '.u32'
ld.shared:: cta.u32 %r1, [x];
//^^^^^^^^^^^^^ E105: space inside the qualifier '.shared::cta'
mov. %r1, 1;
// ^ E105: qualifier expected after '.'
""")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".gobal .b32 x;", "unknown directive '.gobal'; did you mean '.global'?"),
        (".entry k() .maxntd 3 { ret; }", "unknown directive '.maxntd'; did you mean '.maxntid'?"),
        (".u32 x;", "state space such as .reg expected before '.u32'"),
        (".b32 x;", "state space such as .reg expected before '.b32'"),
        (".section .debug_x { .b8 1; }", "a line of a debug section does not end with ';'"),
        ("#define N 3\n", "preprocessor lines are not allowed in PTX, except '# line \"file\"'"),
        (";", "';' without a statement"),
        (".version 8", "version such as 8.5 expected, not '8'"),
    ],
)
def test_directives(text: str, message: str) -> None:
    assert [error.message for error in errors(text)] == [message]


def test_characters_outside_ascii() -> None:
    check_errors("""
ret; // na\u00efve
//        ^ W603: '\u00ef' is not ASCII; ptxas before CUDA 13.1 refuses it even in comments
mov.u32 %r1, \u00ef;
//           ^ E108: '\u00ef' is not ASCII; PTX allows only ASCII
mov.u32 %r1, `1;
//           ^ E102: stray character '`'
mov.u32 %r1, \u00ef\u00ef\u00ef;
//           ^^^ E108: '\u00ef\u00ef\u00ef' is not ASCII; PTX allows only ASCII
mov.u32 %r1, ``'1;
//           ^^^ E102: stray characters '``''
""")
    for text in ("ret;\0", "// \0\nret;", "/* \0 */ ret;"):
        assert [error.message for error in errors(text)] == ["ptxas ends the file at a NUL byte"]


def test_negative_offsets_are_written_with_a_plus() -> None:
    check_errors("""
ld.global.u32 %r1, [%rd1+-8];
ld.global.u32 %r1, [%rd1-8];
//                      ^ E110: '-' cannot follow '%rd1'; a negative offset is written '+-'
""")


def test_one_wrong_parameter_does_not_take_the_others_along() -> None:
    check_errors("""
.entry k(.param .u32 a, .param b, .param .u32 c) { ret; }
//                             ^ E101: type such as .b32 expected, not 'b'
""")


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("add.s32 %r1, %r2, %r3\nret;\n", "add.s32 %r1, %r2, %r3;\nret;\n"),
        ("add.s32 %r1 %r2, %r3;", "add.s32 %r1, %r2, %r3;"),
        ("add.s32 %r1,, %r2, %r3;", "add.s32 %r1, %r2, %r3;"),
        ("ld.u32 %r1, [a;", "ld.u32 %r1, [a];"),
        ("ld.u32 %r1, [a-4];", "ld.u32 %r1, [a+-4];"),
        ("mov . u32 %r1, 1;", "mov .u32 %r1, 1;"),
        ("ret;;", "ret;"),
        ("mov.u32 %r1, 08;", "mov.u32 %r1, 8;"),
        ("mov.u32 %r1, 7u;", "mov.u32 %r1, 7U;"),
        ("ret; /* a\nret;", "ret; /* a */\nret;"),
        (".gobal .b32 x;", ".global .b32 x;"),
    ],
)
def test_fixes(text: str, fixed: str) -> None:
    check_fixed(text, fixed)
