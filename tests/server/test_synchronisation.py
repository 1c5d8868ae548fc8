"""The server's text follows the client's, whatever it is made of; and every change is answered."""

from __future__ import annotations

import pytest

from .conftest import URI, RawClient, insertion, kernel, replacement


def codes(findings: list[dict[str, object]]) -> list[object]:
    return [finding["code"] for finding in findings]


def test_a_change_is_answered_with_its_version_or_a_newer_one(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("add.s32 %r1, %r2, %r3;"))
    assert raw.published(1) == []
    for version in range(2, 30):
        raw.change(version, insertion(6, 0, "x"))
    assert codes(raw.published(29)) == ["E301"]


def test_several_changes_in_one_notification_apply_one_after_the_other(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;"))
    assert codes(raw.published(1)) == ["E301"]
    raw.change(2, replacement(6, 0, 6, 5, "add.s32 %r1, %r2"), insertion(6, 16, ", %r3"))
    assert raw.published(2) == []


def test_a_change_without_a_range_replaces_everything(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;"))
    raw.published(1)
    raw.change(2, {"text": kernel("add.s32 %r1, %r2, %r3;")})
    assert raw.published(2) == []


def test_a_closed_document_has_no_findings(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;"))
    assert raw.published(1)
    raw.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert raw.published(None) == []


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 10), ("utf-16", 8), ("utf-32", 7)])
def test_columns_count_in_the_encoding_that_was_agreed_on(raw: RawClient, encoding: str, column: int) -> None:
    result = raw.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    assert result["capabilities"]["positionEncoding"] == encoding
    raw.open(kernel("/* 😀 */bogus;"))
    bogus = next(finding for finding in raw.published(1) if finding["code"] == "E301")
    assert bogus["range"]["start"] == {"line": 6, "character": column}
    end = bogus["range"]["end"]
    raw.change(2, {"range": {"start": bogus["range"]["start"], "end": end}, "text": "add.s32 %r1, %r2, %r3"})
    assert "E301" not in codes(raw.published(2))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_line_end_of_the_protocol_counts(raw: RawClient, line_end: str) -> None:
    raw.initialize()
    # With a carriage return alone the comment in the first line would never end.
    raw.open(kernel("bogus;").replace(" // ptx-lsp: ignore-file[W62]", "").replace("\n", line_end))
    bogus = next(finding for finding in raw.published(1) if finding["code"] == "E301")
    assert bogus["range"]["start"] == {"line": 6, "character": 0}
    raw.change(2, replacement(6, 0, 6, 5, "add.s32 %r1, %r2, %r3"))
    assert "E301" not in codes(raw.published(2))


def test_positions_past_the_end_mean_the_end(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("add.s32 %r1, %r2, %r3;"))
    raw.published(1)
    raw.change(2, insertion(10_000, 10_000, "bogus;"))
    assert raw.published(2)
    where = {"textDocument": {"uri": URI}, "position": {"line": 99_999, "character": 5}}
    for method in ("textDocument/hover", "textDocument/definition"):
        assert "error" not in raw.ask(method, where)


def test_a_document_that_is_not_open_has_empty_answers(raw: RawClient) -> None:
    raw.initialize()
    where = {"textDocument": {"uri": "file:///never/opened.ptx"}, "position": {"line": 0, "character": 0}}
    for method in ("textDocument/hover", "textDocument/definition", "textDocument/documentSymbol"):
        assert raw.ask(method, where)["result"] is None
    assert raw.ask("textDocument/diagnostic", where)["result"]["items"] == []
    raw.change(2, insertion(0, 0, "x"), uri="file:///never/opened.ptx")
    assert raw.leave() == 0


STRANGE = ["", "\x00\x01\x02\x7fELF" * 50, "\ud800\udc00 \udfff", "{" * 5000, "a" * 200_000, "\r\r\n\n\r"]


@pytest.mark.parametrize("text", STRANGE)
def test_strange_texts_are_followed(raw: RawClient, text: str) -> None:
    raw.initialize()
    raw.open(text)
    raw.published(1)
    raw.change(2, insertion(0, 1, "\x00"))
    raw.published(2)
    for method in ("textDocument/hover", "textDocument/definition", "textDocument/documentSymbol"):
        where = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1}}
        assert "error" not in raw.ask(method, where)
    assert raw.leave() == 0
