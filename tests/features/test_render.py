"""Hovers fit every editor: narrow, short, no construct that some of them show raw."""

from __future__ import annotations

import pytest

from ptx_lsp.features.hover.parts.hover_info import (
    CodeExcerpt,
    FurtherReading,
    Hazard,
    HoverInfo,
    HoverRow,
    line_link,
    lines_linked,
)
from ptx_lsp.features.hover.parts.render import VISIBLE_LINES, markdown, plain
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
    availability="PTX 8.0, sm_90 or newer",
    hazards=(Hazard("✗ `.tile` needs sm_90 or newer; this module targets sm_80"), Hazard(LONG, "Short …")),
    notes=("element `i` at (row, column)",),
    link=FurtherReading("PTX ISA: cp.async.bulk.tensor", "https://docs.nvidia.com/cuda/parallel-thread-execution/#x"),
)


def test_a_full_hover_stays_within_all_limits() -> None:
    check_fits(markdown(FULL), is_markdown=True)
    check_fits(plain(FULL), is_markdown=False)


def test_an_empty_hover_is_empty() -> None:
    assert markdown(HoverInfo(Span(0, 0))) == plain(HoverInfo(Span(0, 0))) == ""


def test_code_then_availability_then_what_it_does_then_what_goes_wrong() -> None:
    info = HoverInfo(
        Span(0, 3),
        code=("add.s32  d, a, b;",),
        availability="PTX 1.0",
        link=FurtherReading("PTX ISA: add", "https://x"),
        lead=("`d = a + b`.",),
        hazards=(Hazard("✗ too wide"), Hazard("**Pitfall:** wraps around")),
        rows=(HoverRow("d", "`.s32`"), HoverRow(".s32", "the type")),
        notes=("used once",),
    )
    assert markdown(info) == (
        "```ptx\nadd.s32  d, a, b;\n```\n\nPTX 1.0 · [PTX ISA: add](https://x)\n\n`d = a + b`.\n\n"
        "✗ too wide  \n**Pitfall:** wraps around\n\n```text\nd     .s32\n.s32  the type\n```\n\nused once"
    )
    assert plain(info) == (
        "add.s32  d, a, b;\n\nPTX 1.0 · see PTX ISA: add\n\nd = a + b.\n\n✗ too wide\nPitfall: wraps around\n\n"
        "d     .s32\n.s32  the type\n\nused once"
    )


def test_title_availability_and_link_share_a_line_if_they_can() -> None:
    link = FurtherReading("PTX ISA: cvt", "https://x")
    short = HoverInfo(Span(0, 3), title="`.rna` of `cvt`", availability="PTX 7.0", link=link)
    assert markdown(short) == "**`.rna` of `cvt`** · PTX 7.0 · [PTX ISA: cvt](https://x)"
    long = HoverInfo(Span(0, 3), title="`.rna` of `cvt`", availability="PTX 7.0, " + "sm_90 or newer " * 4, link=link)
    assert markdown(long).startswith("**`.rna` of `cvt`**  \nPTX 7.0, ")


def test_hazards_are_shortened_from_the_last_one_up_but_never_left_out() -> None:
    hazards = tuple(Hazard(f"hazard {number}: " + "what goes wrong " * 12, f"hazard {number} …") for number in range(6))
    text = plain(HoverInfo(Span(0, 3), lead=("what it does",), hazards=hazards))
    assert "hazard 0: what goes wrong" in text
    assert text.endswith("hazard 5 …")
    assert all(f"hazard {number}" in text for number in range(6))


def test_rows_take_one_line_each_where_all_is_visible_then() -> None:
    rows = tuple(HoverRow(f"a{number}", "words and words " * 8) for number in range(4))
    roomy = plain(HoverInfo(Span(0, 3), lead=("what it does",), rows=rows))
    narrow = plain(HoverInfo(Span(0, 3), lead=("what it does " * 30,), rows=rows))
    assert len(_lines(narrow.split("\n\n")[-1])) < len(_lines(roomy.split("\n\n")[-1])) < VISIBLE_LINES
    assert all(f"\na{number}  words" in narrow for number in range(4))


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


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
    text = markdown(HoverInfo(Span(0, 1), title="x", lead=("requires sm_100 or newer; `sm_80` and sm_90a are older",)))
    assert "requires `sm_100` or newer; `sm_80` and `sm_90a` are older" in text
