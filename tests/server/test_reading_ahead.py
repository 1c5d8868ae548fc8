"""What the first hover in a long function needs is made while the client is quiet."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.features.hover import preparing
from ptx_lsp.server.client.columns import Encoding
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
