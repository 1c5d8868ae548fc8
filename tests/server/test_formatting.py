"""Formatting over the wire."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import URI, RawClient

TEXT = ".entry k()\n{\nret ;\n add.s32   a,b;\n}\n"
OPTIONS = {"tabSize": 4, "insertSpaces": True}
LINE = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}}
OTHER = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 3}}


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits whose columns are code units of ASCII text."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for edit in reversed(edits):
        first, last = (starts[edit["range"][at]["line"]] + edit["range"][at]["character"] for at in ("start", "end"))
        text = text[:first] + edit["newText"] + text[last:]
    return text


def ask(raw: RawClient, method: str, uri: str = URI, **more: object) -> Any:
    params = {"textDocument": {"uri": uri}, "options": OPTIONS, **more}
    return raw.ask(f"textDocument/{method}", params)["result"]


def test_what_is_announced(raw: RawClient) -> None:
    found = raw.initialize()["capabilities"]
    assert found["documentFormattingProvider"] is True
    assert found["documentRangeFormattingProvider"] == {"rangesSupport": True}
    assert found["documentOnTypeFormattingProvider"]["firstTriggerCharacter"] == ";"


def test_a_document(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    wanted = ".entry k()\n{\n    ret;\n    add.s32 a, b;\n}\n"
    assert applied(TEXT, ask(raw, "formatting")) == wanted
    two = {"tabSize": 2, "insertSpaces": True}
    assert applied(TEXT, ask(raw, "formatting", options=two)) == wanted.replace("    ", "  ")
    tabs = {"tabSize": 8, "insertSpaces": False, "insertFinalNewline": False, "trimFinalNewlines": True}
    assert applied(TEXT, ask(raw, "formatting", options=tabs)) == wanted.replace("    ", "\t")
    raw.open(wanted, 2)
    assert ask(raw, "formatting") == []


def test_ranges(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    one = applied(TEXT, ask(raw, "rangeFormatting", range=LINE))
    assert one == ".entry k()\n{\n    ret;\n add.s32   a,b;\n}\n"
    assert applied(TEXT, ask(raw, "rangesFormatting", ranges=[OTHER, LINE])) == applied(TEXT, ask(raw, "formatting"))
    beyond = {"start": {"line": 700, "character": 0}, "end": {"line": 900, "character": 3}}
    assert ask(raw, "rangeFormatting", range=beyond) == []


def test_on_type(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT)
    edits = ask(raw, "onTypeFormatting", position={"line": 3, "character": 15}, ch=";")
    assert applied(TEXT, edits) == ".entry k()\n{\nret ;\n    add.s32 a, b;\n}\n"
    assert ask(raw, "onTypeFormatting", position={"line": 900, "character": 15}, ch=";") == []
    assert ask(raw, "onTypeFormatting", position={"line": 3, "character": 15}, ch="x") == []


def test_settings_of_the_editor_count(raw: RawClient) -> None:
    raw.initialize(initializationOptions={"format": {"style": "nvcc"}})
    raw.open(TEXT)
    assert applied(TEXT, ask(raw, "formatting")) == ".entry k()\n{\n\tret;\n\tadd.s32 \ta, b;\n}\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_in_the_units_of_the_client(raw: RawClient, encoding: str) -> None:
    raw.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    raw.open("/* é😀 */ ret ;\n")
    (edit,) = ask(raw, "formatting")
    width = {"utf-8": 6, "utf-16": 3, "utf-32": 2}[encoding]
    assert edit["range"]["start"] == {"line": 0, "character": 3 + width + 7}
    assert edit["newText"] == ""


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("formatting", {}),
        ("rangeFormatting", {"range": LINE}),
        ("rangesFormatting", {"ranges": [LINE]}),
        ("onTypeFormatting", {"position": {"line": 0, "character": 0}, "ch": ";"}),
    ],
)
def test_an_unknown_document(raw: RawClient, method: str, more: dict[str, Any]) -> None:
    raw.initialize()
    assert ask(raw, method, "file:///nowhere/else.ptx", **more) is None
