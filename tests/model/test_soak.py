"""Edits as the soak makes them, and new texts, leave nothing that only a collection of all objects would free."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from benchmarks import kept
from ptx_lsp.features.code_lenses import code_lenses, title
from ptx_lsp.features.completion import completion
from ptx_lsp.features.hover import hover
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.settings import Settings

from .client import Message
from .places import ENCODINGS, Text
from .soak import EditedFile

FILES = (
    "descriptors.sm_90a.plain.ptx",
    "tensor_memory.sm_100a.plain.ptx",
    "bulk_copies.sm_90a.plain.ptx",
    "calls.sm_80.plain.ptx",
    "cluster_launch.sm_90.plain.ptx",
)


def change(document: OpenDocument, message: Message) -> None:
    start, end = (Position(place["line"], place["character"]) for place in message["range"].values())
    document.change(TextChange(message["text"], start, end))


def settle(document: OpenDocument) -> None:
    while not (document.work(1) and document.list_findings(1) and document.follow(1)):
        pass


def test_the_changes_make_the_lines_and_undo_brings_them_back() -> None:
    """Words that are being typed, and the last line, too."""
    draw = random.Random(7)
    text = "\n".join(f"add.s32 %r{number}, %r1, %r2;" for number in range(20))
    file = EditedFile("file:///a.ptx", text)
    document, restored = Text(text, ENCODINGS[2]), 0
    for _ in range(5000):
        document = document.changed(file.change(draw))
        assert document.text == "\n".join(file.lines)
        restored += document.text == text
    assert restored > 10


def opened(name: str) -> OpenDocument:
    document = OpenDocument(f"file:///{name}", 1, kept.read(name), Settings(), Encoding.UTF_32)
    settle(document)
    return document


@contextmanager
def nothing_refers_to_itself() -> Iterator[None]:
    """Fail if objects are left that the collector alone can free; it never comes to those that are frozen meanwhile."""
    gc.collect()
    gc.disable()
    try:
        yield
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        kinds = {type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("ptx_lsp")}
        assert not kinds
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("seed", range(2))
def test_nothing_that_refers_to_itself_is_left_by_edits(seed: int) -> None:
    draw = random.Random(seed)
    files = [EditedFile(name, kept.read(name)) for name in FILES]
    documents = {file: opened(file.uri) for file in files}
    with nothing_refers_to_itself():
        for _ in range(200):
            file = draw.choice(files)
            change(documents[file], file.change(draw))
            if draw.random() < 0.7:
                settle(documents[file])
            else:  # the next edit comes while the document is being checked
                documents[file].work(0.001)
                documents[file].list_findings(0)
        for document in documents.values():
            settle(document)


@pytest.mark.parametrize("name", FILES)
def test_nothing_that_refers_to_itself_is_left_by_new_texts_and_closed_documents(name: str) -> None:
    document = opened(name)
    semantics = document.checker.semantics
    for offset in range(0, len(document.text), 97):
        hover(semantics, offset)
        completion(semantics, offset)
    for lens in code_lenses(semantics):
        title(semantics, lens)
    del semantics
    with nothing_refers_to_itself():
        document.change(TextChange(document.text + "// a new text\n"))
        settle(document)
        for _ in document.closing():
            pass
        del document
