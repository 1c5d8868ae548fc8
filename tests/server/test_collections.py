"""A garbage collection while someone types looks at few objects."""

from __future__ import annotations

import gc

import pytest

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.startup.loop import COLLECTIONS
from ptx_lsp.settings import Settings

TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
.reg .b32 %r<9>;
ret;
}
"""


@pytest.fixture
def looked_at():
    """The number of new objects that each collection looks at, with the thresholds of the server."""
    found: list[int] = []

    def note(phase: str, _information: dict[str, int]) -> None:
        if phase == "start":
            found.append(len(gc.get_objects(generation=0)))

    before = gc.get_threshold()
    gc.enable()  # tests of the start leave it disabled, as the server does until it has imported everything
    gc.collect()
    gc.set_threshold(*COLLECTIONS)
    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)
    gc.set_threshold(*before)


def test_a_collection_while_someone_types_looks_at_few_objects(looked_at: list[int]) -> None:
    document = OpenDocument("file:///a.ptx", 1, TEXT, Settings(), Encoding.UTF_16)
    while not document.work(1):
        pass
    typed = [f"add.s32 %r1, %r2, {number};" for number in range(30)]
    for statement in typed:
        for column, letter in enumerate(statement):
            document.change(TextChange(letter, Position(6, column), Position(6, column)))
            _ = document.findings
    assert looked_at
    assert max(looked_at) < 8_000


def test_a_collection_of_what_survives_looks_at_few_objects_too() -> None:
    new, younger, _ = COLLECTIONS
    assert new * younger <= 100_000
