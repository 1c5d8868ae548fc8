"""Completion over the wire: what clients of different abilities get, and what one gets that asks wrongly."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import URI, RawClient, insertion, kernel

LINE = 6
"""Of the kernel's first own line."""
COMPLETION = "textDocument/completion"
RESOLVE = "completionItem/resolve"


def capable(general: dict[str, Any] | None = None, defaults: tuple[str, ...] = (), **item: object) -> dict[str, Any]:
    """The capabilities of a client."""
    completion: dict[str, Any] = {"completionItem": item}
    if defaults:
        completion["completionList"] = {"itemDefaults": list(defaults)}
    return {"textDocument": {"completion": completion}, "general": general or {}}


def ask(raw: RawClient, line: str, column: int | None = None, **more: object) -> dict[str, Any]:
    """The list at a column of the kernel's first own line, at its end if none is given."""
    raw.open(kernel(line))
    position = {"line": LINE, "character": len(line) if column is None else column}
    return raw.ask(COMPLETION, {"textDocument": {"uri": URI}, "position": position, **more})["result"]


def items(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {item["label"]: item for item in found["items"]}


def span(start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": LINE, "character": start}, "end": {"line": LINE, "character": end}}


def test_it_is_announced(raw: RawClient) -> None:
    provider = raw.initialize()["capabilities"]["completionProvider"]
    assert provider["resolveProvider"] is True
    assert {".", "%", "[", "{", "@", '"', " ", ","} <= set(provider["triggerCharacters"])


def test_a_client_without_abilities(raw: RawClient) -> None:
    raw.initialize()
    found = ask(raw, "ld.glo")
    assert found["isIncomplete"] is False
    assert "itemDefaults" not in found
    item = items(found)[".global"]
    assert item["textEdit"] == {"newText": ".global", "range": span(2, 6)}
    assert not {"tags", "deprecated", "labelDetails", "insertTextFormat", "documentation"} & item.keys()
    assert sorted(one["sortText"] for one in found["items"]) == [one["sortText"] for one in found["items"]]


def test_without_snippets_there_are_none(raw: RawClient) -> None:
    raw.initialize()
    assert "loop" not in items(ask(raw, ""))


def test_with_snippets(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(snippetSupport=True))
    item = items(ask(raw, "lo"))["loop"]
    assert item["insertTextFormat"] == 2
    assert "${1:next}" in item["textEdit"]["newText"]


def test_what_newer_targets_have_is_struck(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(tagSupport={"valueSet": [1]}))
    item = items(ask(raw, "tc"))["tcgen05.mma"]
    assert item["tags"] == [1]
    assert item["detail"] == "PTX 8.6 sm_100a"


def test_with_the_older_mark(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(deprecatedSupport=True))
    item = items(ask(raw, "tc"))["tcgen05.mma"]
    assert item["deprecated"] is True
    assert "tags" not in item


def test_details_of_labels(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(labelDetailsSupport=True))
    assert items(ask(raw, "atom."))[".cta"]["labelDetails"] == {"description": "scope"}


def test_insert_and_replace(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(insertReplaceSupport=True))
    edit = items(ask(raw, "ld.global.u32 %r1, [%rd1];", 5))[".shared"]["textEdit"]
    assert edit == {"newText": ".shared", "insert": span(2, 5), "replace": span(2, 9)}


def test_what_is_the_same_for_all_items_is_said_once(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(defaults=("editRange",), insertReplaceSupport=True))
    found = ask(raw, "ld.global.u32 %r1, [%rd1];", 5)
    assert found["itemDefaults"] == {"editRange": {"insert": span(2, 5), "replace": span(2, 9)}}
    assert not any("textEdit" in item for item in found["items"])


def test_words_come_when_they_are_asked_for(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(documentationFormat=["markdown", "plaintext"]))
    item = items(ask(raw, "ld"))["ld"]
    whole = raw.ask(RESOLVE, item)["result"]
    assert whole["documentation"]["kind"] == "markdown"
    assert whole["documentation"]["value"].startswith("```ptx\nld{")
    assert whole["label"] == "ld"
    assert whole["textEdit"] == item["textEdit"]


def test_plain_words(raw: RawClient) -> None:
    raw.initialize(capabilities=capable(documentationFormat=["plaintext"]))
    documentation = raw.ask(RESOLVE, items(ask(raw, "ld"))["ld"])["result"]["documentation"]
    assert documentation["kind"] == "plaintext"
    assert "`" not in documentation["value"]


@pytest.mark.parametrize("data", [None, 1, "x", [], ["instruction"], ["instruction", "ld", "x", "y"], [1, 2, 3, 4], {}])
def test_items_that_are_not_ours_come_back_as_they_went(raw: RawClient, data: object) -> None:
    raw.initialize()
    item = {"label": "x"} if data is None else {"label": "x", "data": data}
    assert raw.ask(RESOLVE, item)["result"] == item


def test_words_need_no_document(raw: RawClient) -> None:
    raw.initialize()
    item = items(ask(raw, "ld"))["ld"]
    raw.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert raw.ask(RESOLVE, item)["result"]["documentation"]["value"]


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 12), ("utf-16", 10), ("utf-32", 9)])
def test_columns_are_the_clients(raw: RawClient, encoding: str, column: int) -> None:
    raw.initialize(capabilities=capable({"positionEncodings": [encoding]}))
    edit = items(ask(raw, "/*\U0001f600*/ ld.", column))[".global"]["textEdit"]
    assert edit["range"] == span(column - 1, column)


def test_after_each_keystroke(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel(""))
    for version, character in enumerate("ld.global.", 2):
        raw.change(version, insertion(LINE, version - 2, character))
    position = {"line": LINE, "character": 10}
    found = raw.ask(COMPLETION, {"textDocument": {"uri": URI}, "position": position})["result"]
    assert ".u32" in items(found)
    assert ".global" not in items(found)


def test_unasked_lists_do_not_come_where_a_line_begins(raw: RawClient) -> None:
    raw.initialize()
    assert ask(raw, "    ", context={"triggerKind": 2, "triggerCharacter": " "})["items"] == []
    assert ask(raw, "    ", context={"triggerKind": 1})["items"]


def test_settings(raw: RawClient) -> None:
    raw.initialize(
        capabilities=capable(snippetSupport=True),
        initializationOptions={"completion": {"unavailable": False, "snippets": False}},
    )
    found = items(ask(raw, ""))
    assert "tcgen05.mma" not in found
    assert "loop" not in found
    assert "ld" in found


def test_an_unknown_document_and_a_place_past_the_end(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("ret;"))
    position = {"line": 0, "character": 0}
    assert raw.ask(COMPLETION, {"textDocument": {"uri": "file:///else.ptx"}, "position": position})["result"] is None
    far = {"line": 999, "character": 999}
    found = raw.ask(COMPLETION, {"textDocument": {"uri": URI}, "position": far})["result"]
    assert ".entry" in items(found)
