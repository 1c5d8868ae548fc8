"""What the first hover in a long function needs is made while the client is quiet."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from ptx_lsp.features.hover import hover, preparing
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents import reading_ahead
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.reading_ahead import ReadingAhead
from ptx_lsp.settings import Settings

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n.shared .b64 full;\n"
BODY = "add.s32 %r1, %r1, 1;\n" * 2000
KERNEL = f""".visible .entry long()
{{
.reg .b32 %r<9>;
.reg .pred %p<9>;
mbarrier.init.shared.b64 [full], 1;
{BODY}mbarrier.try_wait.shared.b64 %p1, [full], 0;
ret;
}}
"""


class Quiet:
    """Calls that are made when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def later(self, action: Callable[[], None]) -> None:
        self.waiting.append(action)

    def work(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()


def opened(*, is_complete: bool = True) -> tuple[OpenDocument, int]:
    text = HEADER + KERNEL
    document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
    while not document.work(1):
        pass
    if is_complete:
        complete(document)
    return document, text.index("mbarrier.try_wait")


def complete(document: OpenDocument) -> None:
    while not document.follow(3600):
        pass


def is_prepared(document: OpenDocument, offset: int) -> bool:
    """Whether a hover can be made at once."""
    return preparing(document.checker.semantics, offset) is None


def test_the_function_that_is_shown() -> None:
    document, offset = opened()
    quiet = Quiet()
    ahead = ReadingAhead(quiet.later)
    ahead.show(document, offset - 1000)
    assert not is_prepared(document, offset)
    quiet.work()
    assert ahead.is_idle
    assert is_prepared(document, offset)


def test_the_checks_come_first() -> None:
    document, offset = opened(is_complete=False)
    quiet = Quiet()
    ahead = ReadingAhead(quiet.later)
    ahead.show(document, offset)
    assert ahead.is_idle
    complete(document)
    ahead.resume(document)
    quiet.work()
    assert is_prepared(document, offset)


def test_an_edit_ends_it() -> None:
    document, offset = opened()
    quiet = Quiet()
    ahead = ReadingAhead(quiet.later)
    ahead.show(document, offset)
    document.change(TextChange("\n", Position(3, 0), Position(3, 0)))
    quiet.work()
    assert ahead.is_idle
    assert not is_prepared(document, offset + 1)


def test_a_closed_document_is_not_prepared() -> None:
    document, offset = opened()
    quiet = Quiet()
    ahead = ReadingAhead(quiet.later)
    ahead.show(document, offset)
    ahead.drop(document)
    quiet.work()
    assert not is_prepared(document, offset)


LONG = 8001
"""Functions of more statements than 8,000 are not waited for."""


def long_functions(count: int) -> tuple[OpenDocument, list[int]]:
    """A document with long functions, and the offsets of a hover in each."""
    body = "add.s32 %r1, %r1, 1;\n" * LONG
    head = ".visible .entry k{}()\n{{\n.reg .b32 %r<9>;\nmov.u32 %r2, %tid.x;\nshl.b32 %r2, %r2, 2;\n"
    one = head + "{}add.s32 %r3, %r2, 1;\nret;\n}}\n"
    text = HEADER + "".join(one.format(number, body) for number in range(count))
    document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
    while not document.work(1):
        pass
    complete(document)
    return document, [match.start() + len("add.s32 ") for match in re.finditer(r"add.s32 %r3", text)]


def notes(document: OpenDocument, offset: int) -> str:
    found = hover(document.checker.semantics, offset)
    assert found is not None
    return "\n".join(found.notes)


def test_a_hover_in_a_very_long_function_reads_what_was_prepared() -> None:
    document, [offset] = long_functions(1)
    assert "4 * tid.x + 1" not in notes(document, offset)
    assert preparing(document.checker.semantics, offset) is None, "no hover waits for it"
    quiet, prepared = Quiet(), list[object]()
    ahead = ReadingAhead(quiet.later, prepared.append)
    ahead.show(document, offset)
    quiet.work()
    assert prepared == [document]
    assert "4 * tid.x + 1" in notes(document, offset)


def test_the_flow_of_the_functions_shown_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    document, offsets = long_functions(3)
    monkeypatch.setattr(reading_ahead, "_MOST_KEPT", 2 * LONG + 1000)
    quiet = Quiet()
    ahead = ReadingAhead(quiet.later)
    for offset in offsets:
        ahead.show(document, offset)
        quiet.work()
    assert ["4 * tid.x + 1" in notes(document, offset) for offset in offsets] == [False, True, True]


MISTAKES = """
import sys
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.reading_ahead import ReadingAhead
from ptx_lsp.settings import Settings

text, typed = sys.argv[1:]
document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
while not document.work(1) or not document.follow(1):
    pass
waiting = []
ahead = ReadingAhead(waiting.append)
ahead.resume(document)
before = set(sys.modules)
while waiting:
    waiting.pop()()
prepared = set(sys.modules)
line = text.count("\\n") - 2
for statement in typed.splitlines(keepends=True):
    for column, letter in enumerate(statement):
        document.change(TextChange(letter, Position(line, column), Position(line, column)))
        _ = document.findings
    document.change(TextChange("", Position(line, 0), Position(line + 1, 0)))
print(len(prepared - before), *sorted(set(sys.modules) - prepared))
"""
TYPED = """add.s32 %r1, %rl, %r99;
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1 + 4];
setp.lt.s32 %p1, %r1, 0xfffffffff;
@%p1 bra l1;
tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1, %r2}];
mad.l.s32 %r1, %r1, %r1, %s1;
"""


def test_the_first_mistake_imports_nothing_when_the_checks_are_complete() -> None:
    text = f"{HEADER}.visible .entry k()\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<5>;\n.reg .pred %p<3>;\nret;\n}}\n"
    command = [sys.executable, "-c", MISTAKES, text, TYPED]
    imported, *late = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert int(imported) > 20
    assert not late
