"""Rename: a text with a cursor, the new name, and the text that comes out, or what the refusal says."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.rename import RenameError, prepare, rename
from ptx_lsp.syntax.document import Document

from .cursor import CURSOR, opened

BROKEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))


def check_rename(source: str, new: str, expected: str) -> None:
    """Renaming what the cursor is on gives ``expected``, and the other way round no finding changes."""
    checker, offset, start = opened(source)
    text = checker.document.text
    found = prepare(checker.semantics, offset)
    assert text[found.span.start : found.span.end] == found.word
    pieces, at = [], 0
    for edit in rename(checker.semantics, offset, new):
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
        rename(checker.semantics, offset, new)


def test_a_register() -> None:
    check_rename(
        "{ .reg .b32 old; mov.b32 old, 1; add.s32 o<|>ld, old, old; }",
        "fresh",
        "{ .reg .b32 fresh; mov.b32 fresh, 1; add.s32 fresh, fresh, fresh; }",
    )


def test_from_the_declaration() -> None:
    check_rename("{ .reg .b32 o<|>ld; mov.b32 old, 1; }", "%r_new", "{ .reg .b32 %r_new; mov.b32 %r_new, 1; }")


def test_only_the_scope_of_the_name() -> None:
    check_rename(
        "{ .reg .b32 x; { .reg .b32 x; mov.b32 x, 1; } mov.b32 <|>x, 2; }",
        "y",
        "{ .reg .b32 y; { .reg .b32 x; mov.b32 x, 1; } mov.b32 y, 2; }",
    )


def test_a_whole_group() -> None:
    check_rename(
        "{ .reg .b32 %o<|>ld<9>; mov.b32 %old1, %old2; }", "%new", "{ .reg .b32 %new<9>; mov.b32 %new1, %new2; }"
    )


def test_one_register_of_a_group_gets_a_declaration() -> None:
    check_rename(
        "{ .reg .b32 %old<9>; mov.b32 %old1, %old2; add.s32 %ol<|>d1, %old1, %old10; }",
        "sum",
        "{ .reg .b32 %old<9>; .reg .b32 sum; mov.b32 sum, %old2; add.s32 sum, sum, %old10; }",
    )


def test_the_declaration_has_a_line_of_its_own_if_that_of_the_group_has() -> None:
    check_rename(
        "{\n    .reg .b32 %old<9>;\n    mov.b32 %o<|>ld1, 1;\n}",
        "count",
        "{\n    .reg .b32 %old<9>;\n    .reg .b32 count;\n    mov.b32 count, 1;\n}",
    )


def test_a_label() -> None:
    check_rename("bra OLD; O<|>LD: @%p1 bra OLD;", "$L_new", "bra $L_new; $L_new: @%p1 bra $L_new;")


def test_a_parameter() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.entry k(.param .u64 o<|>ld) { .reg .b64 a; ld.param.u64 a, [old]; }",
        "input",
        ".entry k(.param .u64 input) { .reg .b64 a; ld.param.u64 a, [input]; }",
    )


def test_a_function_with_all_its_declarations() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.func old(); .entry k() { call o<|>ld; ret; } .func old() { ret; }",
        "fresh",
        ".func fresh(); .entry k() { call fresh; ret; } .func fresh() { ret; }",
    )


def test_a_variable_of_the_module() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.global .u32 old; .entry k() { .reg .b32 r; ld.global.u32 r, [o<|>ld+0]; }",
        "fresh",
        ".global .u32 fresh; .entry k() { .reg .b32 r; ld.global.u32 r, [fresh+0]; }",
    )


def test_comments_stay() -> None:
    check_rename(
        "{ .reg .b32 old; // old\n mov.b32 o<|>ld, 1; /* old */ }",
        "fresh",
        "{ .reg .b32 fresh; // old\n mov.b32 fresh, 1; /* old */ }",
    )


def test_the_same_name_changes_nothing() -> None:
    check_rename("{ .reg .b32 ol<|>d; }", "old", "{ .reg .b32 old; }")


def test_a_shadowing_name_is_fine_where_nobody_is_hidden() -> None:
    check_rename(
        "{ .reg .b32 x; mov.b32 x, 1; { .reg .b32 y; mov.b32 <|>y, 2; } }",
        "x",
        "{ .reg .b32 x; mov.b32 x, 1; { .reg .b32 x; mov.b32 x, 2; } }",
    )


def test_refused_is_a_name_of_the_same_scope() -> None:
    check_refusal("{ .reg .b32 x, y; mov.b32 <|>x, 1; }", "y", "'y' is already declared")
    check_refusal("{ .reg .b32 %x<4>, y; mov.b32 <|>y, 1; }", "%x3", "'%x' is already declared")
    check_refusal("{ .reg .b32 %x<4>; .reg .b32 %y7; mov.b32 <|>%y7, 1; }", "%x3", "already declared")


def test_refused_is_a_name_that_an_inner_block_hides() -> None:
    check_refusal("{ .reg .b32 x; { .reg .b32 y; mov.b32 y, <|>x; } }", "y", "another name in the block")


def test_refused_is_a_name_that_hides_one_in_use() -> None:
    check_refusal(
        "{ .reg .b32 x; { .reg .b32 y; mov.b32 <|>y, x; } }", "x", "refers to a declaration of an enclosing scope"
    )


def test_refused_is_what_cannot_be_declared() -> None:
    for new in ("1x", "a b", "", "%", "_", "%laneid", "WARP_SZ", "x.y", "\u00e9"):
        check_refusal("{ .reg .b32 x; mov.b32 <|>x, 1; }", new, "cannot be declared")


def test_refused_is_what_is_no_declared_name() -> None:
    check_refusal("mov.u32 %r1, %t<|>id.x;", "y", "special register")
    check_refusal("mov.u32 %r1, un<|>known;", "y", "not declared")
    check_refusal("mo<|>v.u32 %r1, 1;", "y", "not a name")
    check_refusal("// com<|>ment", "y", "no name here")


def test_a_prefix_must_not_end_in_a_digit() -> None:
    check_refusal("{ .reg .b32 %o<|>ld<9>; }", "%x1", "ends in a digit")


# ---- parameters


def test_a_parameter_is_renamed_in_the_other_declarations_of_its_function() -> None:
    for cursor_here in (0, 1):
        names = ["old", "old"]
        names[cursor_here] = "o<|>ld"
        check_rename(
            f"//- sm_90 ptx 8.0 module\n.func f(.reg .b32 {names[0]});\n"
            f".func f(.reg .b32 {names[1]}) {{ .reg .b32 x; mov.b32 x, old; }}",
            "fresh",
            ".func f(.reg .b32 fresh);\n.func f(.reg .b32 fresh) { .reg .b32 x; mov.b32 x, fresh; }",
        )


def test_a_parameter_with_another_name_in_the_declaration_keeps_it() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.func f(.reg .b32 a, .reg .b32 old);\n"
        ".func f(.reg .b32 o<|>ld, .reg .b32 b) { ret; }",
        "fresh",
        ".func f(.reg .b32 a, .reg .b32 old);\n.func f(.reg .b32 fresh, .reg .b32 b) { ret; }",
    )


def test_a_parameter_that_the_declaration_has_already() -> None:
    check_refusal(
        "//- sm_90 ptx 8.0 module\n.func f(.reg .b32 old, .reg .b32 taken);\n"
        ".func f(.reg .b32 o<|>ld, .reg .b32 b) { ret; }",
        "taken",
        "'taken' is already declared",
    )


def test_a_result() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.func (.param .b32 o<|>ld) f() { st.param.b32 [old], 1; ret; }",
        "fresh",
        ".func (.param .b32 fresh) f() { st.param.b32 [fresh], 1; ret; }",
    )


def test_parameters_of_calls_are_variables_of_their_block() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.func f(.param .b32 old) { ret; } .entry k() { { .param .b32 old; "
        "st.param.b32 [old], 1; call f, (o<|>ld); } ret; }",
        "fresh",
        ".func f(.param .b32 old) { ret; } .entry k() { { .param .b32 fresh; "
        "st.param.b32 [fresh], 1; call f, (fresh); } ret; }",
    )


# ---- registers


def test_components_and_guards() -> None:
    check_rename(
        "{ .reg .v2 .b32 old; .reg .pred old2; @old2 mov.b32 o<|>ld.x, 1; }",
        "fresh",
        "{ .reg .v2 .b32 fresh; .reg .pred old2; @old2 mov.b32 fresh.x, 1; }",
    )
    check_rename(
        "{ .reg .pred old, old2; @!o<|>ld bra X; X: setp.eq.s32 old|old2, 1, 2; }",
        "fresh",
        "{ .reg .pred fresh, old2; @!fresh bra X; X: setp.eq.s32 fresh|old2, 1, 2; }",
    )


def test_a_group_among_others_of_one_declaration() -> None:
    check_rename(
        "{ .reg .b32 a, %ol<|>d<4>, b; mov.b32 %old3, a; mov.b32 b, %old0; }",
        "%n",
        "{ .reg .b32 a, %n<4>, b; mov.b32 %n3, a; mov.b32 b, %n0; }",
    )


def test_one_register_of_a_group_that_inner_blocks_use() -> None:
    check_rename(
        "{ .reg .b32 %old<9>; { mov.b32 %ol<|>d1, 1; { .reg .b32 %old<3>; mov.b32 %old1, 2; } } }",
        "sum",
        "{ .reg .b32 %old<9>; .reg .b32 sum; { mov.b32 sum, 1; { .reg .b32 %old<3>; mov.b32 %old1, 2; } } }",
    )


def test_one_register_of_a_group_of_vectors() -> None:
    check_rename(
        "{ .reg .v4 .f32 %old<3>; mov.f32 %ol<|>d2.w, 0f00000000; }",
        "quad",
        "{ .reg .v4 .f32 %old<3>; .reg .v4 .f32 quad; mov.f32 quad.w, 0f00000000; }",
    )


def test_one_register_may_get_a_number_that_the_group_does_not_have() -> None:
    check_rename(
        "{ .reg .b32 %old<4>; mov.b32 %ol<|>d1, 1; }",
        "%old9",
        "{ .reg .b32 %old<4>; .reg .b32 %old9; mov.b32 %old9, 1; }",
    )
    check_refusal("{ .reg .b32 %old<4>; mov.b32 %ol<|>d1, 1; }", "%old3", "another register of '%old<4>'")


def test_a_prefix_that_begins_like_another() -> None:
    check_rename(
        "{ .reg .b32 %r<4>; .reg .b64 %rd<4>; mov.b64 %rd1, 1; mov.b32 %r1, 1; mov.b32 %r<|>2, %r1; }",
        "x",
        "{ .reg .b32 %r<4>; .reg .b32 x; .reg .b64 %rd<4>; mov.b64 %rd1, 1; mov.b32 %r1, 1; mov.b32 x, %r1; }",
    )


def test_refused_is_a_group_whose_members_would_hide_a_register_in_use() -> None:
    check_refusal(
        "{ .reg .b32 %x<4>; { .reg .b32 %y<|><4>; mov.b32 %y1, %x2; } }",
        "%x",
        "refers to a declaration of an enclosing scope",
    )
    check_rename(
        "{ .reg .b32 %x<9>; { .reg .b32 %y<|><4>; mov.b32 %y1, %x7; } }",
        "%x",
        "{ .reg .b32 %x<9>; { .reg .b32 %x<4>; mov.b32 %x1, %x7; } }",
    )


# ---- labels, tables, functions


def test_a_label_shares_its_names_with_registers() -> None:
    check_refusal("{ .reg .b32 x; L<|>: mov.b32 x, 1; }", "x", "'x' is already declared")


def test_a_label_in_a_table_of_targets() -> None:
    check_rename(
        "T: .branchtargets O<|>LD, B; brx.idx %r1, T; OLD: ret; B: ret;",
        "NEW",
        "T: .branchtargets NEW, B; brx.idx %r1, T; NEW: ret; B: ret;",
    )
    check_rename(
        "OLD: .branchtargets A, B; brx.idx %r1, OL<|>D; A: ret; B: ret;",
        "T",
        "T: .branchtargets A, B; brx.idx %r1, T; A: ret; B: ret;",
    )


def test_a_label_of_a_block() -> None:
    check_rename("{ OLD: bra OLD; } { O<|>LD: bra OLD; }", "NEW", "{ OLD: bra OLD; } { NEW: bra NEW; }")


def test_a_function_in_tables_and_addresses() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.func old() { ret; } .global .u64 table[1] = {old}; .entry k() { .reg .u64 r; "
        "mov.u64 r, o<|>ld; T: .calltargets old; call r, (), T; call old; ret; }",
        "fresh",
        ".func fresh() { ret; } .global .u64 table[1] = {fresh}; .entry k() { .reg .u64 r; "
        "mov.u64 r, fresh; T: .calltargets fresh; call r, (), T; call fresh; ret; }",
    )


def test_a_variable_in_the_first_value_of_another() -> None:
    check_rename(
        "//- sm_90 ptx 8.0 module\n.global .b32 old[4]; .global .u64 p = generic(o<|>ld); .global .u64 q = old+4;",
        "v",
        ".global .b32 v[4]; .global .u64 p = generic(v); .global .u64 q = v+4;",
    )


def test_refused_is_a_function_that_a_local_name_hides() -> None:
    check_refusal(
        "//- sm_90 ptx 8.0 module\n.func f<|>() { ret; } .entry k() { .reg .b32 x; call f; ret; }",
        "x",
        "another name in the block",
    )


def test_refused_is_a_local_name_that_hides_a_function_in_use() -> None:
    check_refusal(
        "//- sm_90 ptx 8.0 module\n.func f() { ret; } .entry k() { .reg .b32 <|>x; mov.b32 x, 1; call f; ret; }",
        "f",
        "refers to a declaration of an enclosing scope",
    )


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_no_text_is_too_broken(path: Path) -> None:
    document = Document(path.read_text("utf-8"))
    semantics = Semantics(Module(document))
    for offset in range(0, document.length + 1, 7):
        try:
            found = rename(semantics, offset, "%fresh_name")
        except RenameError:
            continue
        assert all(before.span.end <= after.span.start for before, after in pairwise(found))
