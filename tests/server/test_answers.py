"""Every request gets one answer, whatever its handler makes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from lsprotocol import types

from ptx_lsp.server.startup.loop import build
from ptx_lsp.server.transport.framing import read_body
from ptx_lsp.server.transport.raw_json import RawJson

from .conftest import URI, RawClient


class Answers(io.BytesIO):
    """What the server sends."""

    def messages(self) -> list[dict[str, Any]]:
        self.seek(0)
        return [json.loads(body) for body in iter(lambda: read_body(self), None)]


def answer_to(result: object) -> dict[str, Any]:
    """The answer to a hover whose handler makes ``result``; there must be one and no more."""
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    server = build({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    answers = Answers()
    server.protocol.set_writer(answers)
    server.protocol.fm.features[types.TEXT_DOCUMENT_HOVER] = lambda _params: result
    about = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    server.protocol.receive(
        json.dumps({"jsonrpc": "2.0", "id": 7, "method": types.TEXT_DOCUMENT_HOVER, "params": about}).encode()
    )
    (found,) = answers.messages()
    assert (found["jsonrpc"], found["id"]) == ("2.0", 7)
    return found


def nested(depth: int) -> types.SelectionRange:
    """A result that holds another that holds another …"""
    here = types.Range(types.Position(0, 0), types.Position(0, 1))
    found = types.SelectionRange(here)
    for _ in range(depth):
        found = types.SelectionRange(here, found)
    return found


@pytest.mark.logs_errors
@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (nested(5000), "RecursionError"),
        ([types.Hover("fine"), object()], "AttributeError"),
        (RawJson('"é"'), "UnicodeEncodeError"),
    ],
)
def test_a_result_that_cannot_be_put_into_json_is_an_error(
    result: object, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    error = answer_to(result)["error"]
    assert error["code"] == types.ErrorCodes.InternalError.value
    assert error["message"].startswith(f"the answer cannot be put into JSON: {reason}")
    assert "the answer to request 7 cannot be put into JSON" in caplog.text


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (None, None),
        (types.Hover("words"), {"contents": "words"}),
        ([types.MarkupKind.Markdown, 5], ["markdown", 5]),
        (RawJson("[1]"), [1]),
    ],
)
def test_other_results_are_what_they_are(result: object, shown: object) -> None:
    assert answer_to(result)["result"] == shown


def test_a_selection_in_many_nested_blocks_is_answered(raw: RawClient) -> None:
    raw.initialize()
    raw.open(".entry k() " + "{" * 500 + "ret;" + "}" * 500)
    params = {"textDocument": {"uri": URI}, "positions": [{"line": 0, "character": 512}]}
    (found,) = raw.ask("textDocument/selectionRange", params)["result"]
    assert found["range"] == {"start": {"line": 0, "character": 511}, "end": {"line": 0, "character": 514}}
    while "parent" in found:
        found = found["parent"]
    assert found["range"]["start"] == {"line": 0, "character": 0}
    assert raw.leave() == 0


def test_variables_of_a_function_have_names_without_it(raw: RawClient) -> None:
    raw.initialize(capabilities={"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}})
    name = "_ZZN4flat4copyIfEEvPKT_E4full"
    raw.open(f".entry _ZN4flat4copyIfEEvPKT_()\n{{\n.shared .align 8 .b8 {name}[8];\nret;\n}}\n")
    (kernel,) = raw.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"]
    assert [child["name"] for child in kernel["children"]] == ["full"]


def test_an_outline_of_many_nested_blocks_is_answered(raw: RawClient) -> None:
    raw.initialize(capabilities={"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}})
    raw.open(".entry k()\n" + "{ .reg .b32 a;\n" * 2000 + "}\n" * 2000)
    (kernel,) = raw.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"]
    assert [child["name"] for child in kernel["children"]] == ["a", "{ }"]
