"""Values as expressions, in hovers, hints and completion."""

from __future__ import annotations

import pytest

from ptx_lsp.features.completion import completion
from ptx_lsp.features.hover import hover
from ptx_lsp.features.hover import preparing as hover_needs
from ptx_lsp.features.hover.parts.render import plain
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.features.inlay_hints import preparing as inlay_hints_need
from ptx_lsp.features.inlay_hints.hint import HintPosition
from ptx_lsp.preferences import InlayHints
from ptx_lsp.text import Span

from .cursor import CURSOR, opened

HEAD = """//- sm_100a ptx 8.6 module
.extern .shared .align 16 .b8 global_smem[];
.visible .entry kernel(.param .u64 kernel_param_0, .param .u32 kernel_param_1)
{
.reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .pred %p<4>; .reg .f32 %f<4>;
"""
POINTER = "ld.param.u64 %rd1, [kernel_param_0];\ncvta.to.global.u64 %rd2, %rd1;\nadd.s64 %rd3, %rd2, 652;\n"
LOOP = POINTER + "mov.u32 %r1, 0;\nagain:\n"
END = "add.s64 %rd3, %rd3, 256;\nadd.s32 %r1, %r1, 2;\nsetp.lt.s32 %p1, %r1, 64;\n@%p1 bra again;\n"


def check_value(source: str, wanted: str) -> None:
    """The hover says that the register or address at the cursor has this value."""
    checker, offset, _ = opened(HEAD + source + "\nret; }")
    found = hover(checker.semantics, offset)
    assert found is not None
    text = " ".join(plain(found).split())
    assert f"= {wanted}" in text if wanted else " = " not in text, text


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (POINTER + "ld.global.f32 %f1, [<|>%rd3];", "param_0 + 652"),
        (POINTER + "ld.global.f32 %f1, <|>[%rd3+-140];", "param_0 + 512"),
        (POINTER + "add.s64 <|>%rd4, %rd3, 8;", "param_0 + 660"),
        ("mov.u32 %r1, global_smem;\nadd.s32 %r2, %r1, 131624;\nst.shared.b32 [<|>%r2], %r3;", "global_smem + 131624"),
        ("mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nst.shared.b32 [<|>%r2], %r3;", "16 * tid.x"),
        ("mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nor.b32 %r3, %r2, 3;\nadd.s32 %r4, <|>%r3, 1;", "4 * tid.x + 3"),
        ("mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\nadd.s32 %r4, <|>%r2, 1;", "tid.x >> 5"),
        ("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 31;\nadd.s32 %r4, <|>%r2, 1;", "tid.x & 31"),
        ("mov.u32 %r1, %tid.x;\nrem.u32 %r2, %r1, 3;\nadd.s32 %r4, <|>%r2, 1;", "tid.x % 3"),
        ("mov.u32 %r1, %tid.x;\nmul.wide.s32 %rd1, %r1, 4;\nadd.s64 %rd2, <|>%rd1, 1;", "4 * tid.x"),
        (
            "ld.param.u32 %r1, [kernel_param_1];\nmul.wide.s32 %rd1, %r1, 4;\nadd.s64 %rd2, <|>%rd1, 1;",
            "4 * s32(param_1)",
        ),
        ("ld.param.u32 %r1, [kernel_param_0+4];\nadd.s32 %r2, <|>%r1, 1;", "param_0[4]"),
        ("ld.shared.b32 %r1, [global_smem];\nadd.s32 %r2, %r1, 5;\nadd.s32 %r3, <|>%r2, 1;", "%r1 + 5"),
        ("ld.shared.b32 %r1, [global_smem];\nadd.s32 %r1, %r1, 5;\nadd.s32 %r3, <|>%r1, 1;", "%r1 of line 9 + 5"),
        (
            "mov.u64 %rd1, global_smem;\ncvta.shared.u64 %rd2, %rd1;\nld.b32 %r1, <|>[%rd2+8];",
            "generic(global_smem) + 8",
        ),
        (
            "ld.global.u64 %rd1, [%rd9];\ncvta.to.shared.u64 %rd2, %rd1;\nld.shared.b32 %r1, <|>[%rd2+8];",
            "cvta.to.shared(%rd1) + 8",
        ),
        ("mov.u32 %r1, %tid.x;\nsub.s32 %r2, 7, %r1;\nadd.s32 %r3, <|>%r2, 1;", "7 - tid.x"),
        ("mov.u32 %r1, %tid.x;\nnot.b32 %r2, %r1;\nand.b32 %r3, %r2, 1;\nadd.s32 %r4, <|>%r3, 1;", "(1 - tid.x) & 1"),
        (
            "mov.b64 %rd1, 5;\nmov.b64 {%r1, %r2}, %rd1;\nmov.u32 %r3, %tid.x;\nadd.s32 %r4, %r3, <|>%r2;",
            "",
        ),
        ("mov.u32 %r3, %tid.x;\n@%p1 add.s32 %r3, %r3, 1;\nadd.s32 %r5, <|>%r3, 1;", ""),
        ("mov.u32 %r3, %warpid;\nadd.s32 %r5, <|>%r3, 1;", ""),
    ],
)
def test_values(source: str, wanted: str) -> None:
    check_value(source, wanted)


STRIDE = (
    POINTER + "mov.u32 %r9, %ntid.x;\nmul.wide.u32 %rd9, %r9, 4;\nld.shared.u32 %r8, [global_smem];\nmov.u32 %r1, 0;\n"
)
TURN = "add.s32 %r1, %r1, 2;\nsetp.lt.s32 %p1, %r1, 64;\n@%p1 bra again;\n"


@pytest.mark.parametrize(
    ("advance", "wanted"),
    [
        ("add.s64 %rd3, %rd3, %rd9;", "param_0 + 4 * ntid.x * i + 652"),
        ("mul.wide.s32 %rd8, %r8, 4;\nadd.s64 %rd3, %rd3, %rd8;", "param_0 + 4 * s32(%r8) * i + 652"),
        (
            "cvt.u64.u32 %rd8, %r8;\nadd.s64 %rd3, %rd3, %rd8;\nadd.s64 %rd3, %rd3, 16;",
            "param_0 + %r8 * i + 16 * i + 652",
        ),
        ("ld.shared.u64 %rd8, [global_smem];\nadd.s64 %rd3, %rd3, %rd8;", ""),  # another step in each iteration
    ],
)
def test_a_pointer_that_grows_by_a_register(advance: str, wanted: str) -> None:
    check_value(f"{STRIDE}again:\nld.global.f32 %f1, [<|>%rd3];\n{advance}\n{TURN}", wanted)


def test_a_register_that_a_loop_advances() -> None:
    check_value(
        f"{LOOP}ld.global.f32 %f1, [<|>%rd3];\n{END}", "param_0 + 256 * i + 652 (i: iteration of the loop in line 13"
    )
    check_value(f"{LOOP}add.s32 %r5, <|>%r1, 1;\n{END}", "2 * i (i")
    check_value(f"{LOOP}{END}".replace("%r1, 64", "<|>%r1, 64"), "2 * i + 2")


def test_a_register_that_only_some_iterations_advance_is_unknown() -> None:
    guarded = END.replace("add.s64 %rd3", "@%p2 add.s64 %rd3")
    check_value(f"{LOOP}ld.global.f32 %f1, [<|>%rd3];\n{guarded}", "")


def test_an_address_in_tensor_memory_is_an_allocation_and_a_column() -> None:
    check_value(
        """tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [global_smem+64], 256;
bar.sync 0;
ld.shared.b32 %r1, [global_smem+64];
add.s32 %r2, %r1, 128;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, <|>[%r2+2097152];""",
        "alloc (line 9, 256 columns) + 32 lanes + 128",
    )


def test_lanes_of_tensor_memory_that_vary() -> None:
    allocated = """tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [global_smem+64], 256;
bar.sync 0;
ld.shared.b32 %r1, [global_smem+64];
mov.u32 %r2, %tid.x;
"""
    load = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, <|>[%r6+32];"
    shifted = "shl.b32 %r4, %r2, 16;\nand.b32 %r5, %r4, 6291456;\nadd.s32 %r6, %r1, %r5;\n"
    check_value(f"{allocated}{shifted}{load}", "alloc (line 9) + (tid.x & 96) lanes + 32")
    warps = "shl.b32 %r5, %r2, 21;\nadd.s32 %r6, %r1, %r5;\n"
    check_value(f"{allocated}{warps}{load}", "alloc (line 9) + 32 * tid.x lanes + 32")


def test_an_offset_that_varies_is_shown_instead_of_the_size_of_the_allocation() -> None:
    check_value(
        """tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [global_smem+64], 256;
bar.sync 0;
mov.u32 %r5, %tid.x;
shl.b32 %r6, %r5, 7;
ld.shared.b32 %r1, [global_smem+64];
add.s32 %r2, %r6, %r1;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, <|>[%r2+64];""",
        "alloc (line 9) + 128 * tid.x + 64",
    )


def test_what_another_store_may_have_written_is_no_allocation() -> None:
    check_value(
        """tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [global_smem], 256;
st.shared.b32 [global_smem], %r9;
ld.shared.b32 %r1, [global_smem];
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, <|>[%r1+128];""",
        "%r1 + 128",
    )


def test_in_a_long_function_values_that_never_change_are_known() -> None:
    filler = "add.s32 %r9, %r9, 1;\n" * 3000
    check_value(f"{POINTER}{filler}ld.global.f32 %f1, <|>[%rd3+-140];", "param_0 + 512")


# ------------------------------------------------------------------ hints


def check_hints(source: str, *wanted: str) -> None:
    """The addresses of the lines have these hints."""
    checker, _, _ = opened(HEAD + source + f"\nret; {CURSOR}}}")
    text = checker.document.text
    found = inlay_hints(
        checker.semantics, Span(0, len(text)), InlayHints(branches=False, parameter_offsets=False)
    ).hints
    assert all(one.kind == "addresses" and one.placement is HintPosition.AFTER for one in found)
    assert [one.label for one in found] == list(wanted)


def test_an_address_names_its_object_once() -> None:
    check_hints(
        f"{POINTER}ld.global.f32 %f1, [%rd3];\nld.global.f32 %f2, [%rd3+4];\nld.global.f32 %f3, [%rd2];",
        "= param_0 + 652",
        "= param_0",
    )


def test_an_address_names_it_again_after_a_write_or_a_label() -> None:
    check_hints(
        f"{POINTER}ld.global.f32 %f1, [%rd3];\nadd.s64 %rd3, %rd3, 4;\nld.global.f32 %f2, [%rd3];\n"
        "next: ld.global.f32 %f3, [%rd3+-8];",
        "= param_0 + 652",
        "= param_0 + 656",
        "= param_0 + 648",
    )


def test_what_else_is_in_a_sum_is_left_to_the_tooltip() -> None:
    check_hints(f"{LOOP}ld.global.f32 %f1, [%rd3+100000];\n{END}", "= param_0 + 100652 + …")


def test_a_name_in_brackets_has_no_hint() -> None:
    check_hints("ld.shared.b32 %r1, [global_smem+8];\nld.shared.b32 %r2, [%r1];")


def test_a_short_value_is_complete() -> None:
    check_hints(
        f"{POINTER}mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd2, %rd4;\n"
        "ld.global.f32 %f1, [%rd5];",
        "= param_0 + 4 * tid.x",
    )


def test_the_line_of_an_allocation_is_left_to_the_tooltip() -> None:
    check_hints(
        """tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [global_smem+64], 256;
ld.shared.b32 %r1, [global_smem+64];
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [ %r1+128 ];
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [ %r1+130 ];""",
        "= alloc + 128",
    )


def test_a_variable_has_the_name_that_it_was_written_with() -> None:
    source = HEAD.replace("global_smem", "_ZN3lib4smemE")
    checker, offset, _ = opened(f"{source}mov.b32 %r1, _ZN3lib4smemE;\nld.shared.b32 %r2, [<|>%r1+8];\nret; }}")
    found = hover(checker.semantics, offset)
    assert found is not None
    assert "`%r1` = `lib::smem`" in found.notes


def test_the_offset_is_shown_before_the_whole_of_a_long_name() -> None:
    source = HEAD.replace("global_smem", "_ZN7library8internal4smemE")
    long = HEAD.replace("global_smem", "a_variable_with_quite_a_long_name")
    for head, name, wanted in (
        (source, "_ZN7library8internal4smemE", "= smem + 90624"),
        (long, "a_variable_with_quite_a_long_name", "= a_variable_wit… + 90624"),
    ):
        checker = opened(f"{head}mov.b32 %r1, {name};\nld.shared.b32 %r2, [%r1+90624];\nret; }}<|>")[0]
        text = checker.document.text
        hints = inlay_hints(checker.semantics, Span(0, len(text))).hints
        labels = [one.label for one in hints if one.kind == "addresses"]
        assert labels == [wanted]


def test_a_long_function_is_followed_before_the_answer() -> None:
    """The value of a register that is written twice needs the graph, which is made in slices."""
    loop = f"{POINTER}mov.b64 %rd4, 0;\nagain:\nadd.s64 %rd5, %rd3, %rd4;\nld.global.f32 %f1, [%rd5];\n"
    end = "add.s64 %rd4, %rd4, 16;\nsetp.lt.s64 %p1, %rd4, 256;\n@%p1 bra again;\n"
    filler = "mov.b32 %r9, 1;\n" * 2000
    checker, offset, _ = opened(f"{HEAD}{loop}{end}{filler}ret; {CURSOR}}}")
    semantics, text = checker.semantics, checker.document.text
    offset = text.index("[%rd5]") + 1
    span = Span(offset - 100, offset + 100)
    assert inlay_hints(semantics, span).is_incomplete
    steps = inlay_hints_need(semantics, span, InlayHints())
    assert steps is not None
    for _ in steps:
        pass
    assert "= param_0 + 16 * i + 652" in [one.label for one in inlay_hints(semantics, span).hints]
    checker, _, _ = opened(f"{HEAD}{loop}{end}{filler}ret; {CURSOR}}}")
    needed = hover_needs(checker.semantics, offset)
    assert needed is not None
    for _ in needed:
        pass
    found = hover(checker.semantics, offset)
    assert found is not None
    assert any("`param_0 + 16 * i + 652`" in note for note in found.notes), found.notes


# ------------------------------------------------------------------ completion


def test_the_detail_of_a_register_has_its_value() -> None:
    checker, offset, _ = opened(f"{HEAD}{POINTER}mul.lo.s64 %rd4, <|>;\nret; }}")
    details = {item.label: item.detail for item in completion(checker.semantics, offset)}
    assert details["%rd3"] == ".b64 = param_0 + 652"
    assert details["%rd2"] == ".b64 = param_0"


def test_what_was_asked_before_makes_no_more_known() -> None:
    """A value of 35 instructions is too long for a hover, also if rules have followed more instructions."""
    steps = "".join(f"add.s32 %r2, %r2, {number};\n" for number in range(35))
    source = f"mov.u32 %r2, %tid.x;\n{steps}st.shared.b32 [%r<|>2], %r1;"
    checker, offset, _ = opened(HEAD + source + "\nret; }")
    before = hover(checker.semantics, offset)
    flow = checker.semantics.flow(checker.module.functions[-1])
    assert flow.expressions is not None  # made by the question
    assert hover(checker.semantics, offset) == before
