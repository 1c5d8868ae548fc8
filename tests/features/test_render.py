"""Hovers fit every editor: narrow, short, no construct that some of them show raw."""

from __future__ import annotations

import pytest

from ptx_lsp.features.hover.parts.hover_info import (
    CodeExcerpt,
    FurtherReading,
    HoverInfo,
    HoverRow,
    line_link,
    lines_linked,
)
from ptx_lsp.features.hover.parts.render import markdown, plain
from ptx_lsp.text import Span

from .hovering import check_fits

LONG = "Starts copying one box of a tensor between global and shared memory `a - b`, and returns at once. " * 8
OPCODE = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
FULL = HoverInfo(
    Span(0, 3),
    code=(f"{OPCODE}  [dstMem], [tensorMap, tensorCoords], [mbar], ctaMask;",),
    lead=(LONG, "1. second - paragraph", LONG),
    rows=tuple(
        HoverRow(name, LONG) for name in [".tile", ".mbarrier::complete_tx::bytes", *(f"a{n}" for n in range(20))]
    ),
    notes=("✗ `.tile` needs sm_90 or newer; this module targets sm_80", "✓ PTX 8.0, sm_90 or newer"),
    link=FurtherReading("PTX ISA: cp.async.bulk.tensor", "https://docs.nvidia.com/cuda/parallel-thread-execution/#x"),
)


def test_a_full_hover_stays_within_all_limits() -> None:
    check_fits(markdown(FULL), is_markdown=True)
    check_fits(plain(FULL), is_markdown=False)


def test_an_empty_hover_is_empty() -> None:
    assert markdown(HoverInfo(Span(0, 0))) == plain(HoverInfo(Span(0, 0))) == ""


def test_the_answer_comes_first_and_the_link_last() -> None:
    info = HoverInfo(
        Span(0, 3),
        code=("add.s32  d, a, b;",),
        lead=("`d = a + b`.",),
        rows=(HoverRow("d", "`.s32`"), HoverRow(".s32", "the type")),
        notes=("✓ PTX 1.0",),
        link=FurtherReading("PTX ISA: add", "https://x"),
    )
    assert markdown(info) == (
        "```ptx\nadd.s32  d, a, b;\n```\n\n`d = a + b`.\n\n```text\nd     .s32\n.s32  the type\n```\n\n"
        "✓ PTX 1.0 · [PTX ISA: add](https://x)"
    )
    assert plain(info) == "add.s32  d, a, b;\n\nd = a + b.\n\nd     .s32\n.s32  the type\n\n✓ PTX 1.0\nsee PTX ISA: add"


@pytest.mark.parametrize("word", ["-", "+", "*", "1.", "#", ">"])
def test_no_line_of_prose_begins_like_a_list(word: str) -> None:
    text = markdown(HoverInfo(Span(0, 0), lead=("x" * 70 + f" {word} yyy",)))
    assert not any(line.startswith(word) for line in text.split("\n"))


def test_a_code_span_is_never_broken() -> None:
    text = markdown(HoverInfo(Span(0, 0), lead=("word " * 13 + "`lane - b and more`",)))
    assert "`lane - b and more`" in text


def test_lines_of_the_document_are_links_only_where_its_address_is_known() -> None:
    info = HoverInfo(Span(0, 0), lead=(f"written in {line_link(11)}, read in {lines_linked([3, 5, 8, 9, 9])}",))
    assert markdown(info) == plain(info) == "written in line 11, read in lines 3, 5, 8 and 1 more"
    linked = markdown(info, "file:///a.ptx")
    assert "[line 11](file:///a.ptx#L11)" in linked
    assert "lines [3](file:///a.ptx#L3), [5](file:///a.ptx#L5), [8]" in linked


def test_the_length_of_addresses_breaks_no_line() -> None:
    info = HoverInfo(Span(0, 0), lead=(f"a few words before {line_link(11)} and a few words after {line_link(12)}",))
    assert "\n" not in markdown(info, "file:///" + "folder/" * 20 + "a.ptx")


def test_a_line_of_another_file_loses_its_indent_and_what_is_too_much() -> None:
    info = HoverInfo(Span(0, 0), excerpt=CodeExcerpt("cpp", ("\t\t" + "x" * 100,)))
    assert markdown(info) == "```cpp\n" + "x" * 71 + "…\n```"
    assert plain(info) == "x" * 71 + "…"


def test_a_row_that_has_no_room_ends_with_a_clause_if_it_can() -> None:
    text = "reads %r1, .u32, the number of elements from one row to the next, or column by column"
    info = HoverInfo(Span(0, 0), rows=tuple(HoverRow(f"a{number}", text) for number in range(10)))
    ending = "reads %r1, .u32, the number of elements from one row to the next"
    assert plain(info).split("\n") == [f"a{number}  {ending}" for number in range(10)]


def test_braces_are_not_torn_apart() -> None:
    text = "writes {%r1, %r2, %r3, %r4}, and " + "a very long explanation without any mark of its own " * 2
    info = HoverInfo(Span(0, 0), rows=tuple(HoverRow(f"a{number}", text) for number in range(10)))
    assert all(line.endswith(" …") for line in plain(info).split("\n"))


def test_what_is_left_over_is_named() -> None:
    info = HoverInfo(Span(0, 0), rows=tuple(HoverRow(f".q{number}", "words") for number in range(13)))
    assert plain(info).split("\n")[-1] == "also  .q9 .q10 .q11 .q12"


def test_a_code_span_without_room_is_broken_before_a_qualifier() -> None:
    text = markdown(HoverInfo(Span(0, 0), lead=(f"`{OPCODE}` is long",)))
    check_fits(text, is_markdown=True)
    assert text.replace("`\n`", "").startswith(f"`{OPCODE}`")


def test_emphasis_is_a_mark_too() -> None:
    assert plain(HoverInfo(Span(0, 0), lead=("the *last* digit, `a * b * c`",))) == "the last digit, a * b * c"


def test_architectures_are_code_that_no_editor_takes_for_emphasis() -> None:
    text = markdown(HoverInfo(Span(0, 1), title="x", lead=("needs sm_100 or newer; `sm_80` and sm_90a are older",)))
    assert "needs `sm_100` or newer; `sm_80` and `sm_90a` are older" in text
