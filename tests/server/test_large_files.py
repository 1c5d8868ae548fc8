"""A large file is read in slices: nobody waits for it but those who ask about it."""

from __future__ import annotations

import time

import pytest

from ptx_lsp.features.flow_pages import FLOW, FlowPageAddress

from .conftest import URI, RawClient, insertion, kernel

SMALL = "file:///nowhere/small.ptx"
BODY = [f"add.s32 %r{number % 16}, %r{number % 7}, {number};" for number in range(30_000)]
LARGE = kernel("mov.u32 %r1, %tid.x;", *BODY, "add.s32 %r1, %r2, %none;")
UNDECLARED = 6 + len(BODY) + 1
"""The line of ``%none``."""

LINES_OF_ONE = {"start": {"line": 6, "character": 0}, "end": {"line": 7, "character": 0}}
OPTIONS = {"tabSize": 4, "insertSpaces": True}


def where(line: int, character: int, uri: str = URI) -> dict[str, object]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def is_publish(message: dict, uri: str) -> bool:
    return message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri


def test_another_file_is_answered_while_a_large_one_is_read(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel("bogus;"), uri=SMALL)
    raw.wait(lambda message: is_publish(message, SMALL))
    raw.open(LARGE * 4)
    assert raw.ask("textDocument/hover", where(5, 4, SMALL))["result"] is not None  # a publish before it would be lost
    assert raw.wait(lambda message: is_publish(message, URI))["params"]["version"] == 1


def test_changes_that_come_while_a_file_is_read_count(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    raw.change(2, insertion(UNDECLARED, 0, "bogus;\n"), insertion(6, 0, "// "))
    raw.change(3, insertion(UNDECLARED + 1, 0, "bogus2;\n"))
    found = [(one["code"], one["range"]["start"]["line"]) for one in raw.published(3)]
    assert found == [("E301", UNDECLARED), ("E301", UNDECLARED + 1), ("E201", UNDECLARED + 2)]


def test_a_new_text_while_a_file_is_read_replaces_it(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    raw.change(2, insertion(6, 0, "bogus;\n"), {"text": LARGE}, insertion(6, 0, "\n"))
    assert [one["range"]["start"]["line"] for one in raw.published(2)] == [UNDECLARED + 1]


@pytest.mark.parametrize("method", ["textDocument/hover", "textDocument/definition", "textDocument/documentSymbol"])
def test_a_question_about_a_file_waits_until_it_is_read(raw: RawClient, method: str) -> None:
    raw.initialize()
    raw.open(LARGE)
    assert raw.ask(method, where(6, 10))["result"] is not None


def test_a_question_about_an_item_of_a_file_waits_until_it_is_read(raw: RawClient) -> None:
    raw.initialize()
    place = {"start": {"line": 6, "character": 8}, "end": {"line": 6, "character": 11}}
    item = {"name": "%r1", "kind": 13, "uri": URI, "range": place, "selectionRange": place}
    raw.open(LARGE)
    assert raw.ask("typeHierarchy/subtypes", {"item": item})["result"]
    raw.change(2, {"text": kernel("mov.u32 %r1, %tid.x;")})
    assert not raw.ask("typeHierarchy/subtypes", {"item": item})["result"], "the former text has readers, this one none"


def test_a_page_about_a_file_waits_until_it_is_read(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    address = str(FlowPageAddress(FLOW, URI, 6, 8))
    assert "```" in raw.ask("workspace/textDocumentContent", {"uri": address})["result"]["text"]


def test_findings_that_are_fetched_wait_too(raw: RawClient) -> None:
    raw.initialize(capabilities={"textDocument": {"diagnostic": {}}})
    raw.open(LARGE)
    items = raw.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})["result"]["items"]
    assert [one["code"] for one in items] == ["E201"]


def begin_hover(raw: RawClient) -> None:
    """Ask for a hover under the number 77 and do not wait."""
    raw.send_body(
        b'{"jsonrpc":"2.0","id":77,"method":"textDocument/hover","params":{"textDocument":{"uri":"%b"},'
        b'"position":{"line":6,"character":10}}}' % URI.encode()
    )


def test_a_question_that_waits_can_be_cancelled(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    begin_hover(raw)
    raw.notify("$/cancelRequest", {"id": 77})
    assert raw.wait(lambda message: message.get("id") == 77)["error"]["code"] == -32800
    assert raw.published(1)


def test_a_question_about_a_place_in_a_text_that_changes_before_it_is_read_gets_no_wrong_answer(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    begin_hover(raw)
    raw.change(2, insertion(0, 0, "\n\n"))
    assert raw.wait(lambda message: message.get("id") == 77)["error"]["code"] == -32801
    assert raw.published(2)


@pytest.mark.parametrize(
    ("method", "places"),
    [
        ("textDocument/codeAction", {"range": LINES_OF_ONE, "context": {"diagnostics": []}}),
        ("textDocument/inlayHint", {"range": LINES_OF_ONE}),
        ("textDocument/rangeFormatting", {"range": LINES_OF_ONE, "options": OPTIONS}),
        ("textDocument/rangesFormatting", {"ranges": [LINES_OF_ONE], "options": OPTIONS}),
        ("textDocument/selectionRange", {"positions": [LINES_OF_ONE["start"]]}),
        ("textDocument/semanticTokens/range", {"range": LINES_OF_ONE}),
    ],
)
def test_a_question_about_lines_in_a_text_that_changes_gets_none_either(
    raw: RawClient, method: str, places: dict[str, object]
) -> None:
    raw.initialize()
    raw.open(LARGE)
    raw.request(77, method, {"textDocument": {"uri": URI}, **places})
    raw.change(2, insertion(0, 0, "\n\n"))
    assert raw.wait(lambda message: message.get("id") == 77)["error"]["code"] == -32801


def test_a_file_that_is_opened_again_while_it_is_read_is_answered_for_its_new_text(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    begin_hover(raw)
    raw.request(78, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    raw.open(LARGE.replace("kernel", "renamed"), version=2)
    assert raw.wait(lambda message: message.get("id") == 77)["error"]["code"] == -32801
    found: dict[str, dict] = {}  # the outline is made in steps: the findings may come before it
    while len(found) < 2:
        message = raw.read()
        if message.get("id") == 78:
            found["symbols"] = message
        elif is_publish(message, URI) and message["params"].get("version") == 2:
            found["findings"] = message
    assert found["symbols"]["result"][0]["name"] == "renamed"
    assert found["findings"]["params"]["diagnostics"]


def test_a_file_that_is_closed_while_it_is_read_has_no_findings(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    begin_hover(raw)
    raw.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert raw.wait(lambda message: message.get("id") == 77)["result"] is None
    assert raw.published(None) == []
    assert raw.leave() == 0


@pytest.mark.parametrize("text", [None, kernel("bogus;")], ids=["closed", "opened again"])
def test_requests_about_all_files_do_not_wait_for_a_text_that_is_gone(raw: RawClient, text: str | None) -> None:
    raw.initialize()
    raw.open(LARGE * 4)
    raw.request(78, "workspace/diagnostic", {"previousResultIds": []})
    for _ in range(8):  # the request waits for the document by now
        raw.ask("workspace/executeCommand", {"command": "ptx-lsp.status", "arguments": []})
    if text is None:
        raw.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    else:
        raw.open(text, version=2)
    found = raw.wait(lambda message: message.get("id") == 78)
    assert [one["version"] for one in found["result"]["items"]] == ([] if text is None else [2])


def test_settings_that_come_while_a_file_is_read_hold(raw: RawClient) -> None:
    raw.initialize()
    raw.open(LARGE)
    raw.change(2, insertion(UNDECLARED, 0, "bogus;\n"))
    raw.notify("workspace/didChangeConfiguration", {"settings": {"ptx-lsp": {"ignore": ["E201"]}}})
    assert [one["code"] for one in raw.published(2)] == ["E301"]


def test_a_million_braces_are_followed(raw: RawClient) -> None:
    raw.initialize()
    raw.open(kernel() + "{" * 1_000_000)
    assert raw.published(1)
    begin = time.perf_counter()
    raw.change(2, insertion(3, 0, "{"))
    assert raw.published(2)
    assert time.perf_counter() - begin < 5


@pytest.mark.parametrize("text", ["x" * 3_000_000, "?!" * 200_000, '"' * 1_000_000], ids=["word", "marks", "quotes"])
def test_one_long_line_is_followed(raw: RawClient, text: str) -> None:
    raw.initialize()
    raw.open(kernel() + text)
    assert raw.published(1)
    raw.change(2, insertion(3, 0, "\n"))
    assert raw.published(2)


def test_an_unknown_version_and_target_are_one_finding_each(raw: RawClient) -> None:
    raw.initialize()
    text = kernel("bogus;", "add.s32 %r1, %r2, %r3;", "tanh.approx.bf16x2 %r1, %r2;")
    raw.open(text.replace("8.0", "99.9").replace("sm_90", "sm_999"))
    assert [one["code"] for one in raw.published(1)] == ["E504", "E505", "E301"]
