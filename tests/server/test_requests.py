"""Requests about names, structure and fixes: what comes over the wire, and what a client gets that asks wrongly."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import URI, RawClient, kernel

NAMED = kernel(".reg .b32 mine;", "mov.b32 mine, 1;", "add.s32 mine, mine, 2;")
AT = {"line": 8, "character": 9}
"""``mine`` in the second instruction's result."""


def about(position: dict[str, int] = AT, uri: str = URI, **more: object) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": position, **more}


def test_navigation(raw: RawClient) -> None:
    raw.initialize()
    raw.open(NAMED)
    found = raw.ask("textDocument/references", about(context={"includeDeclaration": True}))["result"]
    assert [place["range"]["start"] for place in found] == [
        {"line": 6, "character": 10},
        {"line": 7, "character": 8},
        {"line": 8, "character": 8},
        {"line": 8, "character": 14},
    ]
    uses = raw.ask("textDocument/references", about(context={"includeDeclaration": False}))["result"]
    assert uses == found[1:]
    kinds = [one["kind"] for one in raw.ask("textDocument/documentHighlight", about())["result"]]
    assert kinds == [1, 3, 3, 2]
    for method in ("declaration", "typeDefinition"):
        assert raw.ask(f"textDocument/{method}", about())["result"]["range"]["start"]["line"] == 6
    written = raw.ask("textDocument/definition", about())["result"]
    assert written["range"]["start"] == {"line": 8, "character": 8}
    writes = raw.ask("textDocument/implementation", about())["result"]
    assert [place["range"]["start"]["line"] for place in writes] == [7, 8]


def test_rename(raw: RawClient) -> None:
    raw.initialize()
    raw.open(NAMED)
    assert raw.ask("textDocument/prepareRename", about())["result"]["placeholder"] == "mine"
    edits = raw.ask("textDocument/rename", about(newName="yours"))["result"]["changes"][URI]
    assert [edit["newText"] for edit in edits] == ["yours"] * 4


def test_rename_of_a_version_for_clients_that_know_versions(raw: RawClient) -> None:
    raw.initialize(capabilities={"workspace": {"workspaceEdit": {"documentChanges": True}}})
    raw.open(NAMED)
    (change,) = raw.ask("textDocument/rename", about(newName="yours"))["result"]["documentChanges"]
    assert change["textDocument"]["version"] == 1


def test_a_refused_rename_says_why(raw: RawClient) -> None:
    raw.initialize()
    raw.open(NAMED)
    assert "cannot be declared" in raw.ask("textDocument/rename", about(newName="1"))["error"]["message"]
    nowhere = about({"line": 0, "character": 0})
    assert "not a name" in raw.ask("textDocument/prepareRename", nowhere)["error"]["message"]


def test_structure(raw: RawClient) -> None:
    raw.initialize()
    raw.open(NAMED)
    folds = raw.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})["result"]
    assert any(fold["endLine"] == 10 for fold in folds)
    params = {"textDocument": {"uri": URI}, "positions": [AT, {"line": 0, "character": 0}]}
    inner, outer = raw.ask("textDocument/selectionRange", params)["result"]
    assert inner["range"]["end"]["character"] == 12
    assert inner["parent"]
    assert outer["range"]["start"] == {"line": 0, "character": 0}


@pytest.mark.parametrize(
    "method",
    [
        "references",
        "documentHighlight",
        "declaration",
        "implementation",
        "prepareRename",
        "rename",
        "foldingRange",
        "selectionRange",
        "codeAction",
        "prepareCallHierarchy",
    ],
)
def test_a_document_that_is_not_open_and_places_that_are_not_there(raw: RawClient, method: str) -> None:
    raw.initialize()
    raw.open(NAMED)
    more = {
        "context": {"includeDeclaration": True, "diagnostics": []},
        "newName": "x",
        "positions": [AT],
        "range": {"start": AT, "end": AT},
    }
    assert raw.ask(f"textDocument/{method}", about(uri="file:///else.ptx", **more))["result"] is None
    far = {"line": 999, "character": 999}
    more |= {"positions": [far], "range": {"start": far, "end": far}}
    answer = raw.ask(f"textDocument/{method}", about(far, **more))
    assert not answer.get("result") or method in ("foldingRange", "selectionRange")
