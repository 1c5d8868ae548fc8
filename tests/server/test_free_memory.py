"""Memory that edits took goes back to the system."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from time import monotonic, sleep
from typing import Any, cast
from weakref import ref

import pytest

from ptx_lsp.process_cache import memoized
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.free_memory import PAUSE, QUIET, FreeMemory
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.round_robin import SLICE
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.shape import SHAPES, shape_of


def resident() -> int:
    """Bytes of this process that are in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="only the C library of Linux has such a function")
def test_memory_below_something_that_is_used_is_given_back() -> None:
    planned: list[Callable[[], None]] = []
    memory = FreeMemory(print, lambda seconds, action: planned.append(action) if seconds == PAUSE else None, float)
    pieces = [str(number) * 1000 for number in range(20_000)]
    kept = pieces[-1]
    taken = sum(map(len, pieces))
    before = resident()
    del pieces
    memory.give_back_soon()
    memory.give_back_soon()
    (give_back,) = planned
    give_back()
    assert before - resident() > taken // 2
    assert len(kept) == 5000
    memory.give_back_soon()
    assert len(planned) == 2


LARGE_BLOCKS = """
from ptx_lsp.server.documents.free_memory import return_large_blocks

def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096

return_large_blocks()
bytes([1]) * (1 << 22)  # freed at once: from now on the C library would take smaller blocks from its heap
blocks = [bytes([number]) * (1 << 21) for number in range(40)]
before = resident()
blocks = blocks[::10]
print((before - resident()) >> 21)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only the C library of Linux has such a function")
def test_large_blocks_between_others_are_given_back_at_once() -> None:
    found = subprocess.run([sys.executable, "-c", LARGE_BLOCKS], capture_output=True, text=True, check=True)
    assert int(found.stdout) > 30


class Loop:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def pause() -> None:
    """Give memory back, as some time after edits."""
    planned: list[Callable[[], None]] = []
    FreeMemory(print, lambda _, action: planned.append(action), float).give_back_soon()
    (give_back,) = planned
    give_back()


def test_shapes_that_no_statement_has_are_forgotten_in_a_pause() -> None:
    SHAPES.forget_unused(in_pause=True)
    made = {shape_of(f"typed{number}.u32 %r1, [%r2], 3;").id for number in range(SHAPES._held // 4 + 600)}
    pause()
    assert made.isdisjoint(SHAPES.by_exact_key.values())


@memoized(1 << 15)
def twice(number: int) -> int:
    return 2 * number


def test_many_answers_are_forgotten_in_a_pause() -> None:
    for number in range(20_000):
        twice(number)
    pause()
    assert cast(Any, twice).cache_info().currsize == 0


def test_texts_are_forgotten_in_a_pause() -> None:
    text = "mov.u32 %r1, %r2;"
    shape_of(text)
    assert text in SHAPES.by_text
    pause()
    assert text not in SHAPES.by_text


def test_what_refers_to_itself_is_collected_when_no_message_arrives() -> None:
    planned: list[tuple[float, Callable[[], None]]] = []
    last_message = 0.0
    memory = FreeMemory(print, lambda *plan: planned.append(plan), lambda: last_message)
    gc.collect()
    gc.freeze()
    loop = Loop()
    gc.collect()  # so that the collector believes it to be used for long
    found = ref(loop)
    del loop
    memory.give_back_soon()
    ((_, give_back),) = planned
    last_message = monotonic()
    give_back()
    assert found() is not None
    assert planned[1][0] == QUIET
    last_message -= QUIET
    give_back()
    assert found() is None


KERNEL = (
    ".version 8.5\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .b32 a, b;\n"
    + "add.s32 a, a, b;\n" * 200
    + "}\n"
)


def opened() -> OpenDocument:
    """The kernel as the client sees it, with all findings."""
    document = OpenDocument("file:///k.ptx", 1, KERNEL, Settings(), Encoding.UTF_16)
    settle(document)
    return document


def settle(document: OpenDocument) -> None:
    """Make all findings of the present text."""
    while not (document.work(1) and document.list_findings(1) and document.follow(1)):
        pass


def edit(document: OpenDocument, line: int, text: str) -> None:
    """Insert a text before a line."""
    document.change(TextChange(text, Position(line, 0), Position(line, 0)))


def undone(document: OpenDocument) -> None:
    edit(document, 5, "sub.s32 a, a, b;\n")
    settle(document)


def abandoned(document: OpenDocument) -> None:
    edit(document, 5, "sub.s32 a, a;\n")
    document.list_findings(0)  # somebody types faster than the findings are listed
    edit(document, 5, "sub.s32 a, b;\n")
    next(document.listing())
    edit(document, 5, "sub.s32 a;\n")
    settle(document)


def commented_out(document: OpenDocument) -> None:
    edit(document, 3, "/*")
    settle(document)
    edit(document, 205, "*/")
    settle(document)
    document.change(TextChange("", Position(3, 0), Position(100, 0)))
    settle(document)


def replaced(document: OpenDocument) -> None:
    document.change(TextChange(KERNEL.replace("add", "sub")))
    settle(document)


def closed(document: OpenDocument) -> None:
    run_to_completion(document.closing())


@pytest.mark.parametrize("edited", [undone, abandoned, commented_out, replaced, closed])
def test_text_that_is_gone_takes_no_memory(edited: Callable[[OpenDocument], None]) -> None:
    """Without a collection of all objects: that takes too long for a server."""
    gc.collect()
    gc.disable()
    try:
        document = opened()
        gone = ref(document.checker.document.chunks[-1])
        edited(document)
        if edited is closed:
            del document
        assert gone() is None
    finally:
        gc.enable()


def test_closed_documents_are_freed_in_time_slices() -> None:
    planned: list[Callable[[], None]] = []
    made: list[int] = []

    def closing() -> Iterator[None]:
        for step in range(3):
            sleep(SLICE)
            made.append(step)
            yield

    FreeMemory(planned.append, lambda seconds, action: None, float).free(closing())
    assert made == [0]
    while planned:
        planned.pop()()
    assert made == [0, 1, 2]
