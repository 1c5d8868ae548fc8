"""After an edit the statements that it did not touch are found again, whatever chunks hold them now."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.documents.statement_tracker import StatementTracker
from ptx_lsp.text import Span

LINE = "add.s32 %r{0}, %r{0}, {0};\n"


@pytest.mark.parametrize("seed", range(20))
def test_untouched_statements_are_found(seed: int) -> None:
    choose = random.Random(seed)
    text = "".join(map(LINE.format, range(900)))
    for _ in range(10):
        document = Document(text)
        start = choose.randrange(len(text))
        span = Span(start, min(len(text), start + choose.choice([0, 1, 40, 9000])))
        new = choose.choice(["", ";", "mov.u32 %r1, 2;\n", "/*", "*/", "}"])
        before = [(chunk, index) for chunk in document.chunks for index in range(len(chunk))]
        moved = StatementTracker(document, document.edit(span, new), span, len(new))
        text = document.text
        lost = 0
        for chunk, index in before:
            place = moved.find(chunk, index)
            if place is None:
                lost += 1
                continue
            assert place[0] in document.chunks
            assert place[0].part(place[1]) == chunk.part(index)
        touched = 3 + (span.end - span.start) // 20
        assert lost <= touched or new in ("/*", "*/")
