"""An edit that needs a long scan is made in steps; changes that arrive meanwhile are applied after it."""

from __future__ import annotations

import pytest

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.settings import Settings

BLOCKS = 4_000
TEXT = (
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n"
    + "{ .reg .b32 a; { .reg .b32 a; mov.b32 a, %r1; } }\n" * BLOCKS
    + "ret;\n}\n"
)
PLACE = Position(BLOCKS // 2, 0)


def opened(text: str) -> OpenDocument:
    document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
    complete(document)
    return document


def complete(document: OpenDocument) -> None:
    while not document.work(1):
        pass


@pytest.fixture
def document() -> OpenDocument:
    return opened(TEXT)


def test_an_edit_of_nested_blocks_does_not_scan_them_all_at_once(document: OpenDocument) -> None:
    document.change(TextChange("{", PLACE, PLACE))
    assert not document.is_ready
    complete(document)
    assert document.text.count("{") == TEXT.count("{") + 1
    assert document.findings == opened(document.text).findings


def test_changes_during_a_long_edit_are_applied_after_it(document: OpenDocument) -> None:
    after = Position(PLACE.line, 1)
    document.change(TextChange("{", PLACE, PLACE))
    document.change(TextChange("", PLACE, after))
    document.change(TextChange("}", PLACE, PLACE))
    assert not document.is_ready
    complete(document)
    at = TEXT.index("\n{ .reg")
    assert document.text.count("}") == TEXT.count("}") + 1
    assert len(document.text) == len(TEXT) + 1
    assert document.text[:at] == TEXT[:at]
    assert document.findings == opened(document.text).findings


def test_a_new_text_ends_a_long_edit(document: OpenDocument) -> None:
    document.change(TextChange("{", PLACE, PLACE))
    document.change(TextChange(".version 8.0\n.target sm_80\n"))
    complete(document)
    assert document.text == ".version 8.0\n.target sm_80\n"
    assert document.findings == opened(document.text).findings


def test_an_edit_of_an_instruction_is_made_at_once(document: OpenDocument) -> None:
    place = Position(PLACE.line, TEXT.splitlines()[PLACE.line].index("mov"))
    document.change(TextChange(" ", place, place))
    assert document.is_ready


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8])
def test_other_settings_during_a_long_edit_lose_nothing(document: OpenDocument, steps: int) -> None:
    text = "".join(f"{{ mov.b32 %r{number}, %r1; }}\n" for number in range(20_000))
    document.change(TextChange(text, PLACE, PLACE))
    document.change(TextChange("}", PLACE, PLACE))
    for _ in range(steps):
        document.work(1e-9)
    assert not document.is_ready
    document.recheck(Settings(max_diagnostics=7))
    complete(document)
    lines = TEXT.split("\n")
    assert document.text == "\n".join([*lines[: PLACE.line], "}" + text + lines[PLACE.line], *lines[PLACE.line + 1 :]])


def test_who_asks_during_a_long_edit_leaves_no_findings_of_the_former_text(document: OpenDocument) -> None:
    document.change(TextChange("{\n", PLACE, PLACE))
    assert not document.is_ready
    document.list_findings(1)
    complete(document)
    assert document.findings == opened(document.text).findings
