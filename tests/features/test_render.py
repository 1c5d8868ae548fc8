"""Hovers fit every editor: narrow, short, no construct that some of them show raw."""

from __future__ import annotations

import pytest

from ptx_lsp.features.hover.info import HoverInfo, Link, Row
from ptx_lsp.features.hover.render import markdown, plain
from ptx_lsp.text import Span

from .hovering import check_fits

LONG = "Starts copying one box of a tensor between global and shared memory `a - b`, and returns at once. " * 8
OPCODE = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
FULL = HoverInfo(
    Span(0, 3),
    code=(f"{OPCODE}  [dstMem], [tensorMap, tensorCoords], [mbar], ctaMask;",),
    lead=(LONG, "1. second - paragraph", LONG),
    rows=tuple(Row(name, LONG) for name in [".tile", ".mbarrier::complete_tx::bytes", *(f"a{n}" for n in range(20))]),
    notes=("✗ `.tile` needs sm_90 or newer; this module targets sm_80", "✓ PTX 8.0, sm_90 or newer"),
    link=Link("PTX ISA: cp.async.bulk.tensor", "https://docs.nvidia.com/cuda/parallel-thread-execution/#x"),
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
        rows=(Row("d", "`.s32`"), Row(".s32", "the type")),
        notes=("✓ PTX 1.0",),
        link=Link("PTX ISA: add", "https://x"),
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
