"""The statements near one do not depend on where chunks end."""

from __future__ import annotations

import pytest

from ptx_lsp.syntax import chunk as chunk_module
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.documents.nearby import after, before, runs_around

TEXT = "".join(f"\nadd.s32 %r{number}, %r1, {number};" for number in range(40))


def near(document: Document, place: tuple[Chunk, int], most: int) -> tuple[list[str], list[str], str]:
    """The texts of the statements before and after one, and of all with it."""
    chunk, index = place
    runs = sorted(
        runs_around(document.chunks, chunk, index, most).values(), key=lambda run: document.chunks.index(run[0])
    )
    return (
        [one.part(at) for one, at in before(document.chunks, chunk, index, most)],
        [one.part(at) for one, at in after(document.chunks, chunk, index, most)],
        "".join(one.part(at) for one, first, end in runs for at in range(first, end)),
    )


@pytest.mark.parametrize("most", [0, 1, 3, 7, 39, 100])
def test_no_border_shows(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Document(TEXT).chunks[0].parts()
    for size in (1, 2, 5, 256):
        monkeypatch.setattr(chunk_module, "CHUNK_SIZE", size)
        document = Document(TEXT)
        places = [(chunk, index) for chunk in document.chunks for index in range(len(chunk))]
        assert len(places) == len(parts)
        for number, place in enumerate(places):
            first, end = max(number - most, 0), number + 1 + most
            earlier, later = parts[first:number][::-1], parts[number + 1 : end]
            assert near(document, place, most) == (earlier, later, "".join(parts[first:end]))
