"""Rename: a text with a cursor, the new name, and the text that comes out, or what the refusal says."""

from __future__ import annotations

import pytest

from ptx_lsp.features.rename import RenameError, prepare, rename

from .cursor import CURSOR, opened


def check_rename(source: str, new: str, expected: str) -> None:
    """Renaming what the cursor is on gives ``expected``, and the other way round no finding changes."""
    checker, offset, start = opened(source)
    text = checker.document.text
    found = prepare(checker.module, offset)
    assert text[found.span.start : found.span.end] == found.word
    pieces, at = [], 0
    for edit in rename(checker.module, offset, new):
        assert edit.span.start >= at, "edits come in order and do not overlap"
        pieces += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    result = "".join([*pieces, text[at:]])
    lines = [line for line in source.strip("\n").split("\n") if not line.startswith("//-")]
    before = "\n".join(lines).replace(CURSOR, "")
    assert result == text.replace(before, expected.strip("\n")), result[start:]


def check_refusal(source: str, new: str, says: str) -> None:
    """The rename is refused with a message that holds ``says``."""
    checker, offset, _ = opened(source)
    with pytest.raises(RenameError, match=says):
        rename(checker.module, offset, new)


def test_a_register() -> None:
    check_rename(
        "{ .reg .b32 old; mov.b32 old, 1; add.s32 o<|>ld, old, old; }", "fresh",
        "{ .reg .b32 fresh; mov.b32 fresh, 1; add.s32 fresh, fresh, fresh; }",
    )


def test_from_the_declaration() -> None:
    check_rename("{ .reg .b32 o<|>ld; mov.b32 old, 1; }", "%r_new", "{ .reg .b32 %r_new; mov.b32 %r_new, 1; }")


def test_only_the_scope_of_the_name() -> None:
    check_rename(
        "{ .reg .b32 x; { .reg .b32 x; mov.b32 x, 1; } mov.b32 <|>x, 2; }", "y",
        "{ .reg .b32 y; { .reg .b32 x; mov.b32 x, 1; } mov.b32 y, 2; }",
    )


def test_a_whole_group() -> None:
    check_rename(
        "{ .reg .b32 %o<|>ld<9>; mov.b32 %old1, %old2; }", "%new", "{ .reg .b32 %new<9>; mov.b32 %new1, %new2; }"
    )


def test_one_register_of_a_group_gets_a_declaration() -> None:
    check_rename(
        "{ .reg .b32 %old<9>; mov.b32 %old1, %old2; add.s32 %ol<|>d1, %old1, %old10; }", "sum",
        "{ .reg .b32 %old<9>; .reg .b32 sum; mov.b32 sum, %old2; add.s32 sum, sum, %old10; }",
    )


def test_a_label() -> None:
    check_rename("bra OLD; O<|>LD: @%p1 bra OLD;", "$L_new", "bra $L_new; $L_new: @%p1 bra $L_new;")


def test_a_parameter() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.entry k(.param .u64 o<|>ld) { .reg .b64 a; ld.param.u64 a, [old]; }", "input",
        ".entry k(.param .u64 input) { .reg .b64 a; ld.param.u64 a, [input]; }",
    )


def test_a_function_with_all_its_declarations() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.func old(); .entry k() { call o<|>ld; ret; } .func old() { ret; }", "fresh",
        ".func fresh(); .entry k() { call fresh; ret; } .func fresh() { ret; }",
    )


def test_a_variable_of_the_module() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.global .u32 old; .entry k() { .reg .b32 r; ld.global.u32 r, [o<|>ld+0]; }", "fresh",
        ".global .u32 fresh; .entry k() { .reg .b32 r; ld.global.u32 r, [fresh+0]; }",
    )


def test_comments_stay() -> None:
    check_rename(
        "{ .reg .b32 old; // old\n mov.b32 o<|>ld, 1; /* old */ }", "fresh",
        "{ .reg .b32 fresh; // old\n mov.b32 fresh, 1; /* old */ }",
    )


def test_the_same_name_changes_nothing() -> None:
    check_rename("{ .reg .b32 ol<|>d; }", "old", "{ .reg .b32 old; }")


def test_a_shadowing_name_is_fine_where_nobody_is_hidden() -> None:
    check_rename(
        "{ .reg .b32 x; mov.b32 x, 1; { .reg .b32 y; mov.b32 <|>y, 2; } }", "x",
        "{ .reg .b32 x; mov.b32 x, 1; { .reg .b32 x; mov.b32 x, 2; } }",
    )


def test_refused_is_a_name_of_the_same_scope() -> None:
    check_refusal("{ .reg .b32 x, y; mov.b32 <|>x, 1; }", "y", "'y' is declared already")
    check_refusal("{ .reg .b32 %x<4>, y; mov.b32 <|>y, 1; }", "%x3", "'%x' is declared already")
    check_refusal("{ .reg .b32 %x<4>; .reg .b32 %y7; mov.b32 <|>%y7, 1; }", "%x3", "declared already")


def test_refused_is_a_name_that_an_inner_block_hides() -> None:
    check_refusal("{ .reg .b32 x; { .reg .b32 y; mov.b32 y, <|>x; } }", "y", "another name in the block")


def test_refused_is_a_name_that_hides_one_in_use() -> None:
    check_refusal("{ .reg .b32 x; { .reg .b32 y; mov.b32 <|>y, x; } }", "x", "what is declared further out")


def test_refused_is_what_cannot_be_declared() -> None:
    for new in ("1x", "a b", "", "%", "_", "%laneid", "WARP_SZ", "x.y", "\u00e9"):
        check_refusal("{ .reg .b32 x; mov.b32 <|>x, 1; }", new, "cannot be declared")


def test_refused_is_what_is_no_declared_name() -> None:
    check_refusal("mov.u32 %r1, %t<|>id.x;", "y", "special register")
    check_refusal("mov.u32 %r1, un<|>known;", "y", "not declared")
    check_refusal("mo<|>v.u32 %r1, 1;", "y", "no name")
    check_refusal("// com<|>ment", "y", "no name")


def test_a_prefix_must_not_end_in_a_digit() -> None:
    check_refusal("{ .reg .b32 %o<|>ld<9>; }", "%x1", "ends in a digit")
