"""Every request with the capabilities of real editors, and every request asked wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pygls.protocol import default_converter
from pytest_lsp import client_capabilities

from .conftest import Message, RawClient
from .served import ROWS, TEXT, Row, place

EDITORS = ("visual_studio_code", "neovim", "emacs")
URI = "file:///nowhere/everything.ptx"
PER_DOCUMENT = [row for row in ROWS if row.method.startswith("textDocument/")]
NAMES = [row.title for row in PER_DOCUMENT]


def capabilities_of(editor: str) -> Message:
    """What an editor says of itself, as pytest-lsp has recorded it."""
    found: Message = default_converter().unstructure(client_capabilities(editor))
    return found


def value(tree: Any, path: str) -> Any:
    """What stands at a dotted path; None if nothing does."""
    for name in path.split("."):
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


class Editor:
    """A server that was told of an editor's capabilities, with a document open."""

    def __init__(self, raw: RawClient, capabilities: Message) -> None:
        self.raw = raw
        self.can = capabilities
        self.server = raw.initialize(capabilities=capabilities)["capabilities"]
        raw.open(TEXT, uri=URI)

    def ask(self, method: str, params: Message) -> Message:
        """Send a request; what the server asks meanwhile gets an answer."""
        self.raw.requests += 1
        number = self.raw.requests
        self.raw.request(number, method, params)
        while True:
            message = self.raw.read()
            if "method" not in message and message.get("id") == number:
                return message
            if "id" in message and "method" in message:
                self.raw.answer(message, [None] if message["method"] == "workspace/configuration" else None)

    def about(self, method: str, **params: object) -> Any:
        """The result of a request about the open document."""
        found = self.ask(method, {"textDocument": {"uri": URI}, **params})
        assert "error" not in found, found
        return found["result"]


@pytest.fixture(params=EDITORS)
def editor(request: pytest.FixtureRequest, raw: RawClient) -> Iterator[Editor]:
    yield Editor(raw, capabilities_of(request.param))
    assert raw.leave() == 0


@pytest.fixture
def plain(raw: RawClient) -> Editor:
    """A client that can do nothing."""
    return Editor(raw, {})


def test_every_request_is_answered(editor: Editor) -> None:
    for row in ROWS:
        if value(editor.server, row.capability):
            document = {"textDocument": {"uri": URI}} if row in PER_DOCUMENT else {}
            found = editor.ask(row.method, {**document, **row.params})
            assert "error" not in found, (row.title, found)


def test_a_client_that_can_do_nothing_is_answered(plain: Editor) -> None:
    for row in PER_DOCUMENT:
        assert "error" not in plain.ask(row.method, {"textDocument": {"uri": URI}, **row.params}), row.title


def test_words_come_in_the_format_of_the_client(editor: Editor) -> None:
    wanted = value(editor.can, "textDocument.hover.contentFormat") or ["plaintext"]
    found = editor.about("textDocument/hover", position=place("add.f32"))
    assert found["contents"]["kind"] == wanted[0]
    assert ("```" in found["contents"]["value"]) == (wanted[0] == "markdown")


def test_plain_words_for_a_client_without_formats(plain: Editor) -> None:
    found = plain.about("textDocument/hover", position=place("add.f32"))
    assert found["contents"]["kind"] == "plaintext"
    assert "`" not in found["contents"]["value"]


def items_of(editor: Editor, position: Message) -> list[Message]:
    found = editor.about("textDocument/completion", position=position)
    return found["items"] if isinstance(found, dict) else found or []


def test_snippets_for_those_that_take_them(editor: Editor) -> None:
    takes = value(editor.can, "textDocument.completion.completionItem.snippetSupport") is True
    items = items_of(editor, place("LOOP", inside=0))
    assert items
    assert any(item.get("insertTextFormat") == 2 for item in items) == takes


def test_no_snippets_for_a_client_without(plain: Editor) -> None:
    for position in (place("LOOP", inside=0), place("bogus", inside=0), place("twice", 2, 0)):
        items = items_of(plain, position)
        assert all(item.get("insertTextFormat", 1) == 1 for item in items)
        assert not any("${" in str(item) for item in items)


def test_signatures_mark_their_parameters(editor: Editor) -> None:
    can = value(editor.can, "textDocument.signatureHelp.signatureInformation") or {}
    offsets = value(can, "parameterInformation.labelOffsetSupport")
    found = editor.about("textDocument/signatureHelp", position=place("%f2, %f1"))
    label = found["signatures"][found.get("activeSignature", 0)]["parameters"][0]["label"]
    assert isinstance(label, list) == (offsets is True)


def test_edits_name_the_version_where_the_client_knows_versions(editor: Editor) -> None:
    found = editor.about("textDocument/rename", position=place("LOOP"), newName="AGAIN")
    versions = value(editor.can, "workspace.workspaceEdit.documentChanges") is True
    assert ("documentChanges" in found) == versions
    edits = found["documentChanges"][0]["edits"] if versions else found["changes"][URI]
    assert len(edits) == 2


def test_symbols_as_a_tree_where_it_is_taken(editor: Editor) -> None:
    tree = value(editor.can, "textDocument.documentSymbol.hierarchicalDocumentSymbolSupport") is True
    found = editor.about("textDocument/documentSymbol")
    assert any("children" in one for one in found) == tree
    assert all(("location" in one) != tree for one in found)


def test_fixes_are_actions(editor: Editor) -> None:
    here = {"start": place("bogus"), "end": place("bogus")}
    found = editor.about("textDocument/codeAction", range=here, context={"diagnostics": []})
    if value(editor.can, "textDocument.codeAction.codeActionLiteralSupport"):
        assert all("kind" in one for one in found)
        assert found
    else:
        assert not any("kind" in one for one in found or [])


def test_links_where_they_are_taken(editor: Editor) -> None:
    found = editor.about("textDocument/definition", position=place("%f1, bogus"))
    one = found[0] if isinstance(found, list) else found
    takes = value(editor.can, "textDocument.definition.linkSupport") is True
    assert ("targetUri" in one) == takes


@pytest.mark.parametrize(("name", "start"), [("utf-8", 15), ("utf-16", 11), ("utf-32", 9)])
def test_columns_in_the_units_of_the_client(raw: RawClient, name: str, start: int) -> None:
    """``𝛼𝛽`` are two code points, four UTF-16 units, eight bytes; with the rest of the comment seven more."""
    editor = Editor(raw, {"general": {"positionEncodings": [name]}})
    text = TEXT.replace("add.f32 %f2", "/* 𝛼𝛽 */ add.f32 %f2")
    raw.change(2, {"text": text}, uri=URI)
    line = place("add.f32")["line"]
    found = editor.about("textDocument/hover", position={"line": line, "character": start + 1})
    assert found["range"]["start"]["character"] == start
    places = editor.about("textDocument/documentHighlight", position={"line": line, "character": start + 9})
    assert {"line": line, "character": start + 8} in [one["range"]["start"] for one in places]
    tokens = editor.about("textDocument/semanticTokens/full")["data"]
    assert {start, start + 8} <= set(starts(tokens, line))


def starts(data: list[int], wanted: int) -> list[int]:
    """The columns at which tokens of a line begin."""
    found, line, column = [], 0, 0
    for at in range(0, len(data), 5):
        line += data[at]
        column = data[at + 1] + (0 if data[at] else column)
        if line == wanted:
            found.append(column)
    return found


EMPTY = (None, [], {}, {"kind": "full", "items": []}, {"isIncomplete": False, "items": []}, {"data": []})


def is_empty(result: Any) -> bool:
    """Whether an answer says nothing."""
    if isinstance(result, dict):
        result = {key: one for key, one in result.items() if key != "resultId" and one is not None}
    return result in EMPTY


@pytest.mark.parametrize("row", PER_DOCUMENT, ids=NAMES)
def test_of_a_document_that_is_not_open_nothing_is_said(row: Row, server: Editor) -> None:
    found = server.ask(row.method, {"textDocument": {"uri": "file:///nowhere/else.ptx"}, **row.params})
    assert "error" in found or is_empty(found["result"]), found


@pytest.mark.parametrize("row", PER_DOCUMENT, ids=NAMES)
def test_positions_past_the_end_are_the_end(row: Row, server: Editor) -> None:
    far = {"line": 10_000, "character": 10_000}
    params = {**row.params}
    for key, instead in (("position", far), ("range", {"start": far, "end": far}), ("positions", [far])):
        if key in params:
            params[key] = instead
    if "ranges" in params:
        params["ranges"] = [{"start": far, "end": far}]
    found = server.ask(row.method, {"textDocument": {"uri": URI}, **params})
    assert found.get("error", {}).get("code", -32803) == -32803, found  # at most: the request failed, in words


@pytest.mark.parametrize("row", PER_DOCUMENT, ids=NAMES)
def test_parameters_without_sense_are_refused(row: Row, server: Editor) -> None:
    assert server.ask(row.method, {"textDocument": 7})["error"]["code"] == -32602


@pytest.mark.parametrize("row", PER_DOCUMENT, ids=NAMES)
def test_a_cancelled_request_is_answered_once(row: Row, server: Editor) -> None:
    raw = server.raw
    raw.requests += 1
    number = raw.requests
    raw.request(number, row.method, {"textDocument": {"uri": URI}, **row.params})
    raw.notify("$/cancelRequest", {"id": number})
    raw.requests += 1
    raw.request(raw.requests, "textDocument/hover", {"textDocument": {"uri": URI}, "position": place("add.f32")})
    answers: list[Message] = []
    while not {number, raw.requests} <= {one["id"] for one in answers}:
        message = raw.read()
        if "method" not in message:
            answers.append(message)
    (found,) = [one for one in answers if one["id"] == number]
    assert found.get("error", {}).get("code", -32800) == -32800


@pytest.fixture(scope="module")
def server() -> Iterator[Editor]:
    """One server for requests that change nothing."""
    raw = RawClient()
    yield Editor(raw, capabilities_of("visual_studio_code"))
    raw.patience.cancel()
    raw.process.kill()
    raw.process.wait()
    for stream in (raw.process.stdin, raw.process.stdout):
        assert stream is not None
        stream.close()
