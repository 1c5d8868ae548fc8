"""Signature help over the wire: what each kind of client gets."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import URI, RawClient, kernel

LINE = 6
"""The line of the statement in :func:`kernel`."""


def client(**information: object) -> dict[str, Any]:
    return {"textDocument": {"signatureHelp": {"signatureInformation": information, "contextSupport": True}}}


def ask(raw: RawClient, statement: str, character: int, **more: object) -> Any:
    raw.open(kernel(statement))
    place = {"textDocument": {"uri": URI}, "position": {"line": LINE, "character": character}}
    return raw.ask("textDocument/signatureHelp", {**place, **more})["result"]


def test_a_client_that_knows_everything(raw: RawClient) -> None:
    capabilities = client(
        documentationFormat=["markdown", "plaintext"],
        parameterInformation={"labelOffsetSupport": True},
        activeParameterSupport=True,
        noActiveParameterSupport=True,
    )
    announced = raw.initialize(capabilities=capabilities)["capabilities"]["signatureHelpProvider"]
    assert announced["triggerCharacters"] == [" ", ",", "(", "{", "["]
    found = ask(raw, "add.s32 %r1, ", 13)
    assert (found["activeSignature"], found["activeParameter"]) == (0, 1)
    (one,) = found["signatures"]
    assert one["label"] == "add.s32 d: .s32, a: .s32, b: .s32"
    assert one["activeParameter"] == 1
    start, end = one["parameters"][1]["label"]
    assert one["label"][start:end] == "a: .s32"
    assert one["parameters"][1]["documentation"]["kind"] == "markdown"
    assert "`" in one["parameters"][1]["documentation"]["value"]


def test_a_client_that_knows_nothing(raw: RawClient) -> None:
    raw.initialize()
    (one,) = ask(raw, "add.s32 %r1, ", 13)["signatures"]
    assert [parameter["label"] for parameter in one["parameters"]] == ["d: .s32", "a: .s32", "b: .s32"]
    assert one["parameters"][1]["documentation"]["kind"] == "plaintext"
    assert "`" not in one["parameters"][1]["documentation"]["value"]
    assert "activeParameter" not in one


@pytest.mark.parametrize(("knows", "wanted"), [(True, None), (False, 3)])
def test_behind_the_last_operand(raw: RawClient, *, knows: bool, wanted: int | None) -> None:
    raw.initialize(capabilities=client(noActiveParameterSupport=knows))
    assert ask(raw, "add.s32 %r1, %r2, %r3, ", 23)["activeParameter"] == wanted


def test_the_signature_that_the_user_looks_at_stays(raw: RawClient) -> None:
    raw.initialize(capabilities=client())
    statement = "mov.b64 %rd1, "
    first = ask(raw, statement, 14)
    assert first["activeSignature"] == 0
    assert len(first["signatures"]) > 1
    shown = {**first, "activeSignature": 1}
    context = {"triggerKind": 3, "isRetrigger": True, "activeSignatureHelp": shown}
    again = ask(raw, statement, 14, context=context)
    assert again["signatures"][again["activeSignature"]]["label"] == first["signatures"][1]["label"]
    context["activeSignatureHelp"] = {"signatures": [], "activeSignature": 4}
    assert ask(raw, statement, 14, context=context)["activeSignature"] == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_in_each_encoding(raw: RawClient, encoding: str) -> None:
    raw.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    start = "/* \U0001f600 */ add.s32 %r1,"
    width = {"utf-8": len(start.encode()), "utf-16": len(start.encode("utf-16-le")) // 2, "utf-32": len(start)}
    assert ask(raw, start, width[encoding])["activeParameter"] == 1


def test_where_nothing_is_known(raw: RawClient) -> None:
    raw.initialize()
    assert ask(raw, "// add.s32 ", 11) is None
    assert ask(raw, "foo.bar ", 8) is None
    place = {"textDocument": {"uri": "file:///else.ptx"}, "position": {"line": LINE, "character": 3}}
    assert raw.ask("textDocument/signatureHelp", place)["result"] is None
    far = {"textDocument": {"uri": URI}, "position": {"line": 999, "character": 999}}
    assert raw.ask("textDocument/signatureHelp", far)["result"] is None
