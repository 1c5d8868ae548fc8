"""Changes of what is under the cursor that need no finding, and of whole files."""

from __future__ import annotations

import pytest

from ptx_lsp.features.code_actions import ActionRequest, code_actions
from ptx_lsp.text import Span

from .actions import actions_at, errors_of, offered, reasons_at, whole_after

REFACTOR = ["refactor"]


def check_rewrite(source: str, title: str, after: str) -> None:
    """The refactoring ``title`` makes ``after`` of the snippet, which is then as right as before."""
    found = actions_at(source, REFACTOR)
    assert title in found, list(found)
    assert found[title] == after
    assert errors_of(whole_after(source, title, REFACTOR)) == []


def titles(source: str) -> list[str]:
    return list(actions_at(source, REFACTOR))


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("mov.u32 %r1, 4<|>2;", ["0x2A", "0b101010"]),
        ("mov.u32 %r1, 0x2<|>A;", ["42", "0b101010"]),
        ("mov.u32 %r1, 0b101<|>010;", ["0x2A", "42"]),
        ("mov.u32 %r1, 05<|>2;", ["0x2A", "42", "0b101010"]),
        ("mov.u32 %r1, 4<|>2U;", ["0x2AU", "0b101010U"]),
        ("mov.u32 %r1, <|>0;", ["0x0"]),
        ("mov.s32 %r1, -2<|>55;", ["0xFF", "0b11111111"]),
        ("ld.global.u32 %r1, [%rd1+1<|>6];", ["0x10", "0b10000"]),
        ("add.f32 %f1, %f2, 0.<|>1;", ["0f3DCCCCCD"]),
        ("add.f32 %f1, %f2, -1.<|>5;", ["0fBFC00000"]),
        ("add.f64 %fd1, %fd2, 0.<|>1;", ["0d3FB999999999999A"]),
        ("add.f32 %f1, %f2, 0f3DCC<|>CCCD;", ["0.1"]),
        ("add.f32 %f1, %f2, 0f7F7F<|>FFFF;", ["3.4028235e38"]),
        ("add.f32 %f1, %f2, 0f0000<|>0001;", ["1e-45"]),
        ("add.f32 %f1, %f2, 0fBF80<|>0000;", ["-1.0"]),
        ("add.f64 %fd1, %fd2, 0d400921FB<|>54442D18;", ["3.141592653589793"]),
        ("add.f32 %f1, %f2, 0f7F80<|>0000;", []),
        ("cvt.rn.f32.f64 %f1, 1.<|>5;", []),
        ("mov.b32 %r1, 0f3F80<|>0000;", ["0x3F800000"]),
        ("mov.b32 %r1, 0x3F80<|>0000;", ["1065353216", "0b111111100000000000000000000000", "0f3F800000"]),
        ("mov.b64 %rd1, 0x4008<|>000000000000;", ["4613937818241073152", f"0b{0x4008 << 48:b}", "0d4008000000000000"]),
        ("mov.b32 %r1, 10<|>24;", ["0x400", "0b10000000000"]),
    ],
)
def test_other_spellings_of_a_number(written: str, wanted: list[str]) -> None:
    assert titles(written) == [f"write '{one}'" for one in wanted]
    for one in wanted:
        assert errors_of(whole_after(written, f"write '{one}'", REFACTOR)) == []


def test_a_sign_goes_into_the_bits() -> None:
    check_rewrite("add.f32 %f1, %f2, -2.<|>0;", "write '0fC0000000'", "add.f32 %f1, %f2, 0fC0000000;")


def test_numbers_of_first_values_but_not_of_counts_and_headers() -> None:
    assert titles("//- sm_80 ptx 7.0 module\n.global .u32 t[2] = {1<|>0, 2};") == ["write '0xA'", "write '0b1010'"]
    assert titles("//- sm_80 ptx 7.0 module\n.global .f32 t = 1.<|>0;") == ["write '0f3F800000'"]
    assert not any(title.startswith("write '0x") for title in titles(".reg .b32 %x<<|>4>;"))
    assert titles('//- sm_80 ptx 7.0 module\n.file <|>1 "a.cu"') == []


# ---------------------------------------------------------------- registers

DECLARED = "//- sm_80 ptx 7.0\n// names\n"


def test_declarations_of_nothing_are_left_alone() -> None:
    """ptxas accepts them."""
    assert titles(f"{DECLARED}.reg .b32<|>;\n.reg .b32;") == []
    assert titles(f"{DECLARED}.reg .b32 a, b;\n.reg .b3<|>2;") == []
    assert titles("//- sm_80 ptx 7.0 module\n.shared .align 1<|>6 .b8;") == []


def test_a_group_is_written_out() -> None:
    check_rewrite(f"{DECLARED}.reg .b32 %x<<|>3>, y;", "expand '%x<3>'", f"{DECLARED}.reg .b32 %x0, %x1, %x2, y;")


def test_a_large_group_is_not_written_out() -> None:
    assert "at most 64" in reasons_at(".reg .b32 %x<<|>500>;")["expand '%x<500>'"]


def test_a_row_of_names_is_folded_in_any_order() -> None:
    check_rewrite(
        f"{DECLARED}.reg .b32 a, %x<|>1, %x0, %x2, b;", "fold into '%x<3>'", f"{DECLARED}.reg .b32 a, %x<3>, b;"
    )


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ("%x<|>1, %x2", "'%x0' is missing"),
        ("%x<|>0, %x2", "'%x1' is missing"),
        ("%x<|>0, %x01", "'%x1' is missing"),
    ],
)
def test_names_with_a_gap_are_not_folded(names: str, reason: str) -> None:
    assert reason in reasons_at(f".reg .b32 {names};")["fold into '%x<2>'"]


def test_a_single_name_is_not_folded() -> None:
    assert not any("fold" in title for title in [*titles(".reg .b32 %x<|>0, y;"), *reasons_at(".reg .b32 %x<|>0, y;")])


def test_a_declaration_is_split() -> None:
    check_rewrite(
        f"{DECLARED}    .reg .b32 a<|>, %x<4>, c;",
        "split into 3 declarations",
        f"{DECLARED}    .reg .b32 a;\n    .reg .b32 %x<4>;\n    .reg .b32 c;",
    )
    assert not any("split" in title for title in titles(".reg .b32 a<|>, /* the rest */ b;"))


def test_a_group_is_cut_to_what_is_used() -> None:
    check_rewrite(
        f"{DECLARED}.reg .b32 %x<<|>100>;\nadd.s32 %x0, %x7, %x3;",
        "reduce to '%x<8>', the registers that are used",
        f"{DECLARED}.reg .b32 %x<8>;\nadd.s32 %x0, %x7, %x3;",
    )
    assert not any("cut" in title for title in titles(".reg .b32 %x<<|>8>;\nadd.s32 %x0, %x7, %x3;"))


def test_declarations_of_one_type_are_joined() -> None:
    check_rewrite(
        f"{DECLARED}.reg .b32 a<|>;\n.reg .f32 b;\n.reg .b32 c, %x<4>;\nadd.s32 a, c, %x1;",
        "join 2 declarations of '.reg .b32'",
        f"{DECLARED}.reg .b32 a, c, %x<4>;\n.reg .f32 b;\nadd.s32 a, c, %x1;",
    )


def test_a_comment_keeps_declarations_apart() -> None:
    assert not any("join" in title for title in titles(f"{DECLARED}.reg .b32 a<|>;\n// other\n.reg .b32 b;"))


def test_declarations_of_vectors_are_joined_with_their_like() -> None:
    check_rewrite(
        f"{DECLARED}.reg .v4 .b32 a<|>;\n.reg .b32 b;\n.reg .v4 .b32 c;",
        "join 2 declarations of '.reg .v4 .b32'",
        f"{DECLARED}.reg .v4 .b32 a, c;\n.reg .b32 b;",
    )


# ---------------------------------------------------------------- branches and blocks


def test_a_branch_around_a_branch() -> None:
    check_rewrite(
        "@%p1 br<|>a A;\nbra B;\nA: add.s32 %r1, %r2, %r3;\nB: ret;",
        "negate the guard and fall through to 'A'",
        "@!%p1 bra B;\nA: add.s32 %r1, %r2, %r3;\nB: ret;",
    )


def test_two_branches_are_swapped() -> None:
    check_rewrite(
        "@!%p1 br<|>a A;\nbra B;\nB: add.s32 %r1, %r2, %r3;\nA: ret;",
        "negate the guard and swap the targets",
        "@%p1 bra B;\nbra A;\nB: add.s32 %r1, %r2, %r3;\nA: ret;",
    )


def test_a_comment_between_two_branches_stays() -> None:
    after = actions_at("@%p1 br<|>a A;\n// else\nbra B;\nA: ret;\nB: ret;", REFACTOR)
    assert after["negate the guard and fall through to 'A'"] == "@!%p1 bra B;\n// else\nA: ret;\nB: ret;"


@pytest.mark.parametrize(
    "source",
    [
        "@%p1 br<|>a A;\nadd.s32 %r1, %r2, %r3;\nbra B;\nA: ret;\nB: ret;",
        "@%p1 br<|>a A;\n@%p2 bra B;\nA: ret;\nB: ret;",
        "@%p1 br<|>a.uni A;\nbra B;\nA: ret;\nB: ret;",
        "@%p1 br<|>a A;\nHERE: bra B;\nA: ret;\nB: ret;",
    ],
)
def test_other_branches_are_let_be(source: str) -> None:
    assert not any("negate" in title for title in titles(source))


def test_a_selection_in_braces() -> None:
    check_rewrite(
        "  <|>.reg .b32 t;\n  mov.u32 t, 1;<||>\nret;",
        "enclose the selection in braces",
        "  {\n      .reg .b32 t;\n      mov.u32 t, 1;\n  }\nret;",
    )


def test_what_is_used_outside_keeps_a_selection_open() -> None:
    reasons = reasons_at("<|>.reg .b32 t;\nmov.u32 t, 1;<||>\nmov.u32 %r1, t;\nret;")
    assert reasons["enclose the selection in braces"] == "'t' is declared here and used outside of the selection"
    reasons = reasons_at("bra L;\n<|>L: mov.u32 %r2, 1;<||>\nret;")
    assert "'L'" in reasons["enclose the selection in braces"]


def test_half_a_block_and_half_a_statement_are_no_selection() -> None:
    assert "unbalanced" in reasons_at("<|>{\nmov.u32 %r1, 1;<||>\n}\nret;")["enclose the selection in braces"]
    assert titles("mov<|>.u32 %r1, 1;\nmov.u32 %r1, 1;<||>\nret;") == []
    assert titles("<|><||>mov.u32 %r1, 1;") == []


# ---------------------------------------------------------------- the header

PLAIN = "//- module\n.ver<|>sion 8.6\n.target sm_90\n.address_size 64\n.entry k() { bar.warp.sync -1; ret; }"


def test_the_header_is_lowered() -> None:
    title = "lower '.version' and '.target' to what the module needs"
    assert ".version 5.1\n.target sm_30\n" in whole_after(PLAIN, title, REFACTOR)
    assert ".version 5.1\n.target sm_30\n" in whole_after(PLAIN, title, ["source"])


def test_the_header_is_not_lowered_while_it_lacks_something() -> None:
    source = PLAIN.replace("bar.warp.sync -1", "tcgen05.wait::ld.sync.aligned")
    assert not any("lower" in title for title in titles(source))


@pytest.mark.parametrize(
    ("written", "code", "version", "target"),
    [
        ("7.0 sm_70", "redux.sync.add.s32 %r1, %r2, -1;", "7.0", "sm_80"),
        ("6.0 sm_70", "redux.sync.add.s32 %r1, %r2, -1;", "7.0", "sm_80"),
        ("8.0 sm_90", "wgmma.fence.sync.aligned;", "8.0", "sm_90a"),
        ("8.0 sm_90", "tcgen05.wait::ld.sync.aligned;", "8.6", "sm_100a"),
        ("6.0 sm_70", "mov.u32 %r1, %cluster_ctarank;", "7.8", "sm_90"),
        ("7.0 sm_80", "add.f32x2 %rd1, %rd2, %rd3;\nwgmma.fence.sync.aligned;", "8.6", "sm_100"),
    ],
)
def test_the_header_is_raised(written: str, code: str, version: str, target: str) -> None:
    before, old = written.split()
    text = whole_after(
        f"//- {old} ptx {before}\n<|>{code}",
        "raise '.version' and '.target' to what the module needs",
        ["source.raiseHeader"],
    )
    assert f".version {version} " in text
    assert f".target {target}\n" in text


def test_an_address_size() -> None:
    source = "//- module\n.version 8.6\n.tar<|>get sm_90\n.entry k() { ret; }"
    assert ".target sm_90\n.address_size 64\n.entry" in whole_after(source, "insert '.address_size 64'", REFACTOR)
    assert not any("address_size" in title for title in titles(PLAIN))


# ---------------------------------------------------------------- qualifiers, kinds


def test_all_qualifiers_in_order() -> None:
    source = "ld.f32.global %f1, [%rd1];\n<|>add.s32 %r1, %r2, %r3;\nst.f32.global [%rd1], %f1;"
    text = whole_after(source, "write all qualifiers in the manual's order", ["source.sortQualifiers.ptx-lsp"])
    assert "ld.global.f32 %f1" in text
    assert "st.global.f32 [" in text
    assert offered("ld.global.f32 %f1, [%rd1<|>];", ["source.sortQualifiers"])[2] == []


def test_the_order_of_qualifiers_is_not_offered_twice() -> None:
    assert titles("ld.f32.glo<|>bal %f1, [%rd1];") == []
    assert "write 'ld.global.f32'" in actions_at("ld.f32.glo<|>bal %f1, [%rd1];", ["quickfix"])


def test_without_its_hint_the_order_is_a_refactoring() -> None:
    checker, _, _ = offered("ld.f32.glo<|>bal %f1, [%rd1];")
    at = checker.document.text.index("global")
    found = code_actions(ActionRequest(checker.semantics, [], Span(at, at)))
    assert [(one.title, one.kind) for one in found] == [("write 'ld.global.f32'", "refactor.rewrite")]


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["refactor"], {"refactor.rewrite"}),
        (["refactor.rewrite"], {"refactor.rewrite"}),
        (["refactor.extract"], set()),
        (["quick"], set()),
        (["source"], {"source.lowerHeader.ptx-lsp"}),
        ([""], {"refactor.rewrite", "source.lowerHeader.ptx-lsp"}),
        (None, {"refactor.rewrite"}),
    ],
)
def test_kinds(only: list[str] | None, kinds: set[str]) -> None:
    assert {one.kind for one in offered(PLAIN, only)[2]} == kinds


def test_what_looks_through_the_function_is_not_offered_unasked() -> None:
    source = f"{DECLARED}.reg .b32 %x<<|>100>;\nadd.s32 %x0, %x7, %x3;"
    assert not any("reduce" in one.title for one in offered(source, is_automatic=True)[2])
    assert any("expand" in one.title for one in offered(source, is_automatic=True)[2])
