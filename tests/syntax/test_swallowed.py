"""Chunks that a comment swallows are kept, and given back when it ends before them."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.split import split
from ptx_lsp.text import Span

KERNEL = """
.visible .entry kernel()
{
    .reg .b32 %r<4>;
    mov.u32 %r1, 1; // one
    mov.u32 %r2, 2;
    .loc 1 2 3
AGAIN:
    add.s32 %r3, %r1, %r2;
    bra AGAIN;
    ret;
}
"""
TEXT = ".version 8.0\n.target sm_90\n.address_size 64\n" + KERNEL * 12
PIECES = ["/*", "/*", "*/", "*/", '"', "/", "*", "\n", "//", ";", "{", "}", "mov.u32", ".entry k()\n{\n", "x /* y */"]


@pytest.mark.parametrize("closed", ["open", "undone", "inside"])
def test_all_chunks_but_those_at_the_ends_are_given_back(closed: str) -> None:
    document = Document(TEXT + "// end */\n")
    before = set(document.chunks)
    at = TEXT.index(".visible")
    document.edit(Span(at, at), "/*")
    assert len(document.chunks) < 5
    assert document.swallowed.chunks() < before
    if closed == "undone":
        document.edit(Span(at, at + 2), "")
    else:
        place = at + 2 + (closed == "inside") * len(KERNEL) * 3
        document.edit(Span(place, place), "*/")
    given_back = before.intersection(document.chunks)
    assert len(given_back) >= 5
    assert [part for chunk in document.chunks for part in chunk.parts()] == split(document.text)
    assert given_back.isdisjoint(document.swallowed.chunks())


@pytest.mark.parametrize("seed", range(40), ids=lambda seed: f"seed-{seed}")
def test_statements_are_those_of_the_text(seed: int) -> None:
    choose = random.Random(seed)
    text = TEXT + choose.choice(["", "// end */\n", "// end */\n" + KERNEL * 3])
    document = Document(text)
    undo: tuple[Span, str] | None = None
    for _ in range(40):
        start = choose.choice([choose.randrange(len(text) + 1), choose.randrange(min(len(text), 200) + 1)])
        span, new = Span(start, start), choose.choice(PIECES)
        marks = [at for at in range(len(text)) if text[at : at + 2] in ("/*", "*/")]
        if undo is not None and choose.random() < 0.4:
            span, new = undo
        elif marks and choose.random() < 0.3:
            start = choose.choice(marks)
            span, new = Span(start, start + 2), ""
        undo = Span(span.start, span.start + len(new)), text[span.start : span.end]
        document.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
        assert document.text == text
        assert [part for chunk in document.chunks for part in chunk.parts()] == split(text)
        assert document.swallowed.chunks().isdisjoint(document.chunks)
        kept = [run for holder in document.chunks if (run := document.swallowed.run(holder)) is not None]
        assert sum(chunk.length for run in kept for chunk in run.chunks) <= len(text)
