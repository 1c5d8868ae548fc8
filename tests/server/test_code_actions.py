"""``textDocument/codeAction`` and ``codeAction/resolve`` for clients that can more or less."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import MODULE, URI, RawClient, replacement

KINDS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}}}
LAZY = {**KINDS, "dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
BODY = "{ .reg .b32 %r<9>; .reg .f32 %f<9>;"
TWO_WRONG = f"{MODULE}.entry k() {BODY}\nadd.s33 %r1, %r2, %r3;\nadd.s33 %r4, %r5, %r6;\nret; }}\n"
CONTENT_MODIFIED, INVALID_PARAMS = -32801, -32602


def opened(raw: RawClient, text: str, abilities: dict[str, Any] | None = None, **client: Any) -> list[dict[str, Any]]:
    """A client with these abilities and an open text; the findings in it."""
    raw.initialize(capabilities={**client, "textDocument": {"codeAction": KINDS if abilities is None else abilities}})
    raw.open(text)
    return raw.published(1)


def asked(raw: RawClient, start: tuple[int, int], end: tuple[int, int] | None = None, **context: Any) -> Any:
    places = [{"line": line, "character": character} for line, character in (start, end or start)]
    context = {"diagnostics": [], **context}
    params = {"textDocument": {"uri": URI}, "range": {"start": places[0], "end": places[1]}, "context": context}
    return raw.ask("textDocument/codeAction", params)["result"]


def titled(found: list[dict[str, Any]], beginning: str) -> dict[str, Any]:
    return next(one for one in found if one["title"].startswith(beginning))


def test_clients_without_literals_get_nothing(raw: RawClient) -> None:
    opened(raw, TWO_WRONG, {})
    assert asked(raw, (4, 5)) == []


def test_a_fix_is_told_with_the_findings_as_the_client_knows_them(raw: RawClient) -> None:
    first, *_ = opened(raw, TWO_WRONG)
    place = first["range"]["start"]
    (fix, *_) = asked(raw, (place["line"], place["character"]), diagnostics=[first])
    assert fix["kind"] == "quickfix"
    assert fix["isPreferred"]
    assert fix["diagnostics"][0]["code"] == "E302"
    assert fix["diagnostics"][0]["data"] == first["data"]
    assert fix["edit"]["changes"][URI] == [{"range": first["range"], "newText": ".s32"}]


def test_a_fix_of_the_header_once_the_module_is_tried_under_it(raw: RawClient) -> None:
    text = f".version 8.6\n.target sm_90\n.entry k() {BODY}\nwgmma.fence.sync.aligned;\nret; }}\n"
    found = opened(raw, text)
    (wrong,) = (one for one in found if one["code"] == "E502")
    fix = titled(asked(raw, (3, 2), diagnostics=[wrong]), "write '.target")
    assert fix["diagnostics"] == [wrong]
    assert [one["newText"] for one in fix["edit"]["changes"][URI]] == ["sm_90a"]


def test_no_fix_of_the_header_that_breaks_another_instruction(raw: RawClient) -> None:
    lines = "tcgen05.wait::ld.sync.aligned;\nwgmma.fence.sync.aligned;\nret;"
    opened(raw, f".version 8.6\n.target sm_100a\n.entry k() {BODY}\n{lines} }}\n")
    assert not [one for one in asked(raw, (4, 2)) if one["title"].startswith("write '.target")]


def test_only_fixes_of_the_findings_that_the_client_chose(raw: RawClient) -> None:
    first, second = (one for one in opened(raw, TWO_WRONG) if one["code"] == "E302")
    whole = ((4, 0), (5, 22))
    fixed = [one for one in asked(raw, *whole, diagnostics=[second]) if one["title"].startswith("replace")]
    assert [one["diagnostics"][0]["range"] for one in fixed] == [second["range"]]
    assert len([one for one in asked(raw, *whole) if one["title"].startswith("replace")]) == 2
    gone = {**first, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}}
    assert len([one for one in asked(raw, *whole, diagnostics=[gone]) if one["title"].startswith("replace")]) == 2


def test_edits_name_the_version_where_clients_take_that(raw: RawClient) -> None:
    opened(raw, TWO_WRONG, workspace={"workspaceEdit": {"documentChanges": True}})
    (change,) = asked(raw, (4, 5))[0]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 1}


def test_edits_are_worked_out_later_where_clients_ask_for_them(raw: RawClient) -> None:
    opened(raw, TWO_WRONG, LAZY)
    found = asked(raw, (4, 5))
    assert "edit" in titled(found, "replace")
    lazy = titled(found, "fix all 2 of E302")
    assert "edit" not in lazy
    resolved = raw.ask("codeAction/resolve", lazy)["result"]
    assert resolved["title"] == lazy["title"]
    assert [edit["newText"] for edit in resolved["edit"]["changes"][URI]] == [".s32", ".s32"]


def test_at_once_for_clients_that_do_not_ask_later(raw: RawClient) -> None:
    opened(raw, TWO_WRONG)
    found = asked(raw, (4, 5))
    assert len(titled(found, "fix all 2 of E302")["edit"]["changes"][URI]) == 2
    assert raw.ask("codeAction/resolve", found[0])["result"] == found[0]


@pytest.mark.parametrize("kind", ["source.fixAll", "source.fixAll.ptx-lsp"])
def test_source_actions_are_found_again_by_their_kind(raw: RawClient, kind: str) -> None:
    opened(raw, TWO_WRONG, LAZY)
    (whole,) = asked(raw, (0, 0), only=[kind])
    assert whole["kind"] == "source.fixAll.ptx-lsp"
    assert len(raw.ask("codeAction/resolve", whole)["result"]["edit"]["changes"][URI]) == 2


def new_text(action: dict[str, Any]) -> str:
    (edit,) = action["edit"]["changes"][URI]
    return str(edit["newText"])


def test_values_with_a_name_where_somebody_asks(raw: RawClient) -> None:
    opened(raw, f"{MODULE}.entry k() {BODY}\nprmt.b32 %r1, %r2, %r3, 0x3210;\nret; }}\n")
    found = asked(raw, (4, 28), triggerKind=1)
    named = titled(found, "replace with 0x5410")
    assert (named["kind"], new_text(named)) == ("refactor.rewrite", "0x5410")
    assert new_text(titled(found, "write its meaning in a comment")) == "  // prmt: a3 a2 a1 a0, a unchanged"
    automatic = [one["title"] for one in asked(raw, (4, 28), triggerKind=2)]
    assert not [one for one in automatic if one.startswith(("replace with", "write its"))]


def test_another_text_by_now(raw: RawClient) -> None:
    opened(raw, TWO_WRONG, LAZY)
    lazy = titled(asked(raw, (4, 5)), "fix all")
    raw.change(2, replacement(4, 0, 4, 0, " "))
    assert raw.ask("codeAction/resolve", lazy)["error"]["code"] == CONTENT_MODIFIED
    raw.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert raw.ask("codeAction/resolve", lazy)["error"]["code"] == CONTENT_MODIFIED


@pytest.mark.parametrize("data", [1, "x", [], {"uri": URI}, {"uri": URI, "version": 1, "span": [1], "only": None}])
def test_data_that_are_not_ours(raw: RawClient, data: Any) -> None:
    opened(raw, TWO_WRONG, LAZY)
    answer = raw.ask("codeAction/resolve", {"title": "fix", "data": data})
    assert answer["error"]["code"] == INVALID_PARAMS


def test_what_cannot_be_done_is_told_to_clients_that_show_it(raw: RawClient) -> None:
    text = f"{MODULE}.entry k() {{\n.reg .b32 %x1, %x2;\nret; }}\n"
    opened(raw, text, {**KINDS, "disabledSupport": True})
    fold = titled(asked(raw, (4, 11), only=["refactor"]), "fold")
    assert "'%x0'" in fold["disabled"]["reason"]
    assert "edit" not in fold
    assert not any("disabled" in one for one in asked(raw, (4, 11), triggerKind=2))


def test_what_cannot_be_done_is_kept_from_others(raw: RawClient) -> None:
    opened(raw, f"{MODULE}.entry k() {{\n.reg .b32 %x1, %x2;\nret; }}\n")
    assert not any(one["title"].startswith("fold") for one in asked(raw, (4, 11)))


def test_kinds_are_announced_and_kept_to(raw: RawClient) -> None:
    server = raw.initialize(capabilities={"textDocument": {"codeAction": KINDS}})["capabilities"]
    announced = server["codeActionProvider"]
    assert announced["resolveProvider"] is True
    assert {"quickfix", "refactor.rewrite", "source.fixAll.ptx-lsp"} <= set(announced["codeActionKinds"])
    raw.open(f"{MODULE}.entry k() {BODY}\nmov.u32 %r1, 42;\nadd.s33 %r1, %r1, 42;\nret; }}\n")
    expected = {"refactor": {"refactor.rewrite"}, "quickfix": set(), "source.organizeImports": set()}
    for only, kinds in expected.items():
        assert {one["kind"] for one in asked(raw, (4, 14), only=[only])} == kinds


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_in_the_client_s_unit(raw: RawClient, encoding: str) -> None:
    text = f"{MODULE}.entry k() {BODY}\n/* 😀 */ mov.u32 %r1, 42; // é\nret; }}\n"
    width = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding]
    opened(raw, text, general={"positionEncodings": [encoding]})
    at = len("/* ") + width + len(" */ mov.u32 %r1, ")
    (edit,) = titled(asked(raw, (4, at), only=["refactor"]), "write '0x2A'")["edit"]["changes"][URI]
    assert edit["range"] == {"start": {"line": 4, "character": at}, "end": {"line": 4, "character": at + 2}}


def test_a_place_past_the_end_and_a_document_that_is_not_open(raw: RawClient) -> None:
    opened(raw, TWO_WRONG)
    assert asked(raw, (999, 999)) == []
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    params = {"textDocument": {"uri": "file:///else.ptx"}, "range": range_, "context": {"diagnostics": []}}
    assert raw.ask("textDocument/codeAction", params)["result"] is None
