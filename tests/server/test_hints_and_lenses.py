"""Inlay hints and code lenses over the wire: what comes at once, what comes when it is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import MODULE, URI, Message, RawClient, insertion, kernel

TEXT = kernel("/* 𝛑 */ mul.f32 %f1, %f2, 0f40490FDB;", "LOOP: @%p1 bra", "LOOP;", "call f, (%r1);").replace(
    ".visible", ".func f(.reg .b32 count) { ret; }\n.visible"
)
"""The kernel's own lines begin at line 7."""
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
LATER = {"resolveSupport": {"properties": ["tooltip", "label.location"]}}


def hints(raw: RawClient, within: Message = WHOLE, uri: str = URI) -> Any:
    return raw.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": within})["result"]


def lenses(raw: RawClient, uri: str = URI) -> Any:
    return raw.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]


def labels(found: list[Message]) -> list[str]:
    return [one["label"] if isinstance(one["label"], str) else one["label"][0]["value"] for one in found]


def test_hints_without_resolve_come_whole(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    found = hints(raw)
    assert labels(found) == ["= 3.1415927 ≈ π", "count:"]
    assert all("data" not in one for one in found)
    literal, parameter = found
    assert literal["tooltip"].startswith(".f32 3.1415927, the nearest number to π\nsign 0")
    assert literal["paddingLeft"] is True
    assert "kind" not in literal
    assert parameter["kind"] == 2
    assert parameter["paddingRight"] is True
    assert parameter["label"][0]["location"]["range"]["start"] == {"line": 3, "character": 18}


def test_hints_are_completed_when_they_are_pointed_at(raw: RawClient) -> None:
    raw.initialize(capabilities={"textDocument": {"inlayHint": LATER, "hover": {"contentFormat": ["markdown"]}}})
    raw.open(TEXT)
    found = hints(raw)
    assert labels(found) == ["= 3.1415927 ≈ π", "count:"]
    assert all("tooltip" not in one for one in found)
    assert "location" not in found[1]["label"][0]
    literal, parameter = (raw.ask("inlayHint/resolve", one)["result"] for one in found)
    assert literal["tooltip"]["kind"] == "markdown"
    assert literal["tooltip"]["value"].startswith("`.f32` 3.1415927")
    assert literal["position"] == found[0]["position"]
    assert parameter["label"][0]["location"]["uri"] == URI
    assert labels([literal, parameter]) == labels(found)


@pytest.mark.parametrize("asked", [["tooltip"], ["label.location"], ["command"], []])
def test_only_what_is_asked_for_later_is_left_out(raw: RawClient, asked: list[str]) -> None:
    raw.initialize(capabilities={"textDocument": {"inlayHint": {"resolveSupport": {"properties": asked}}}})
    raw.open(TEXT)
    for one in hints(raw)[1:]:
        assert ("tooltip" in one) is ("tooltip" not in asked)
        assert ("location" in one["label"][0]) is ("label.location" not in asked)
        assert ("data" in one) is bool({"tooltip", "label.location"} & set(asked))


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 39), ("utf-16", 37), ("utf-32", 36)])
def test_columns_of_hints(raw: RawClient, encoding: str, column: int) -> None:
    raw.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    raw.open(TEXT)
    assert hints(raw)[0]["position"] == {"line": 7, "character": column}


def test_hints_of_a_range(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    line = {"start": {"line": 10, "character": 0}, "end": {"line": 10, "character": 99}}
    assert labels(hints(raw, line)) == ["count:"]
    assert hints(raw, {"start": {"line": 50, "character": 0}, "end": {"line": 60, "character": 0}}) == []
    backwards = {"start": WHOLE["end"], "end": WHOLE["start"]}
    assert hints(raw, backwards) in ([], hints(raw))


def test_a_hint_of_a_text_that_changed_comes_back_as_it_was(raw: RawClient) -> None:
    raw.initialize(capabilities={"textDocument": {"inlayHint": LATER}})
    raw.open(TEXT)
    (hint, _) = hints(raw)
    raw.change(2, insertion(7, 0, "// "))
    assert raw.ask("inlayHint/resolve", hint)["result"] == hint
    for data in (None, {}, {"uri": "file:///other.ptx", "kind": "literals"}, {"uri": 5}, "x"):
        odd = {**hint, "data": data}
        answer = raw.ask("inlayHint/resolve", odd)["result"]
        assert "tooltip" not in answer
        assert answer["label"] == hint["label"]


def test_documents_that_are_not_open(raw: RawClient) -> None:
    raw.initialize()
    assert hints(raw) is None
    assert lenses(raw) is None


def test_lenses_say_what_they_say_when_they_are_seen(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    found = lenses(raw)
    assert all("command" not in one for one in found)
    said = [raw.ask("codeLens/resolve", one)["result"] for one in found]
    assert [one["command"]["title"] for one in said] == [
        "1 reference",
        "called by kernel",
        "requires PTX 1.0, sm_10",
        "at most 2 registers live (line 8)",
    ]
    assert {one["command"]["command"] for one in said} == {""}
    assert [one["range"] for one in said] == [one["range"] for one in found]
    assert [one["range"]["start"]["line"] for one in found] == [3] * 2 + [4] * 2


def test_what_lenses_say_of_a_long_function_keeps_nobody_waiting(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel(".reg .b64 %wide;", *["add.f32 %f1, %f1, %f2;"] * 30_000, "mul.wide.s32 %wide, 1, 2;"))
    (lens,) = (one for one in lenses(raw) if one["data"]["kind"] == "registers")
    raw.request(71, "codeLens/resolve", lens)
    raw.request(72, "textDocument/hover", {"textDocument": {"uri": URI}, "position": lens["range"]["start"]})
    quick, late = (raw.wait(lambda message: message.get("id") in (71, 72)) for _ in range(2))
    assert (quick["id"], late["id"]) == (72, 71)
    assert late["result"]["command"]["title"] == "at most 2 registers live (line 8)"
    assert raw.ask("codeLens/resolve", lens)["result"] == late["result"]


def test_places_for_a_client_that_can_list_them(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"commands": ["ptx-lsp.showReferences", 5]})
    raw.open(TEXT)
    command = raw.ask("codeLens/resolve", lenses(raw)[0])["result"]["command"]
    assert command["command"] == "ptx-lsp.showReferences"
    uri, position, locations = command["arguments"]
    assert (uri, position) == (URI, {"line": 3, "character": 0})
    assert [one["range"]["start"] for one in locations] == [{"line": 10, "character": 5}]


def test_lenses_for_a_client_that_cannot_ask(raw: RawClient) -> None:
    raw.initialize(capabilities={"textDocument": {"codeLens": {"resolveSupport": {"properties": []}}}})
    raw.open(TEXT)
    assert [one["command"]["title"] for one in lenses(raw)] == ["1 reference", "called by kernel"]


def test_a_lens_above_what_is_gone(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    lens = lenses(raw)[0]
    raw.change(2, {"text": MODULE})
    assert raw.ask("codeLens/resolve", lens)["result"]["command"]["title"] == "…"
    for data in (None, {"uri": URI}, {"uri": "file:///other.ptx", "name": "f", "kind": "callers"}):
        assert "command" not in raw.ask("codeLens/resolve", {**lens, "data": data})["result"]
    unknown = {**lens, "data": {"uri": URI, "name": "f", "kind": "nonsense"}}
    assert raw.ask("codeLens/resolve", unknown)["result"]["command"]["title"] == "…"


def test_settings_take_effect_at_once(raw: RawClient) -> None:
    refreshing = {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}}
    raw.initialize(capabilities={"workspace": refreshing}, initializationOptions={"inlayHints": {"literals": False}})
    raw.open(TEXT)
    assert labels(hints(raw)) == ["count:"]
    raw.notify("workspace/didChangeConfiguration", {"settings": {"inlayHints": {"parameterNames": False}}})
    asked = raw.wait(lambda message: str(message.get("method")).endswith("/refresh"))
    assert asked["method"] == "workspace/inlayHint/refresh"
    assert hints(raw) == []
    raw.notify("workspace/didChangeConfiguration", {"settings": {"codeLenses": {"references": False}}})
    refreshed = {raw.wait(lambda message: str(message.get("method")).endswith("/refresh"))["method"] for _ in range(2)}
    assert refreshed == {"workspace/inlayHint/refresh", "workspace/codeLens/refresh"}
    assert labels(hints(raw)) == ["count:"]
    assert "references" not in {one["data"]["kind"] for one in lenses(raw)}


def test_questions_about_a_text_that_is_still_read_wait(raw: RawClient) -> None:
    """All but that for the status, which says so."""
    raw.initialize(capabilities={"workspace": {"applyEdit": True}})
    raw.open(kernel(*["mul.f32 %f1, %f2, 0f40490FDB;"] * 60_000))
    status = raw.ask("workspace/executeCommand", {"command": "ptx-lsp.status", "arguments": [URI]})["result"]
    assert status["document"]["isReady"] is False
    lens = {"range": WHOLE, "data": {"uri": URI, "name": "kernel", "kind": "memory"}}
    assert raw.ask("codeLens/resolve", lens)["result"]["command"]["title"] == "no parameters"
    status = raw.ask("workspace/executeCommand", {"command": "ptx-lsp.status", "arguments": [URI]})["result"]
    assert status["document"]["isReady"] is True
    first = {"start": {"line": 6, "character": 0}, "end": {"line": 7, "character": 0}}
    assert labels(hints(raw, first)) == ["= 3.1415927 ≈ π"]


def test_hints_that_had_to_wait_are_asked_for_again(raw: RawClient) -> None:
    raw.initialize(capabilities={"workspace": {"inlayHint": {"refreshSupport": True}}})
    fill = ["add.s32 %r2, %r2, 1;"] * 6000
    raw.open(kernel("{ .reg .f32 total;", *fill, "mov.b32 total, 0;", "}"))
    end = {"start": {"line": 6005, "character": 0}, "end": {"line": 6010, "character": 0}}
    before = hints(raw, end)
    raw.wait(lambda message: message.get("method") == "workspace/inlayHint/refresh")
    assert (before, labels(hints(raw, end))) == ([], [": .f32"])
