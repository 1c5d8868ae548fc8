"""docs/features.md says what the running server serves: each row is asked for, and answered with something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Message, RawClient
from .served import ABSENT, ROWS, TEXT, Row

PAGE = Path(__file__).parents[2] / "docs" / "features.md"
FILE = "kernel.ptx"

HEADER = ".version 8.6\n.target sm_90a\n.address_size 64\n"

CLIENT: Message = {
    "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
    "window": {"workDoneProgress": True},
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "foldingRange": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True},
        "textDocumentContent": {"dynamicRegistration": False},
    },
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "rename": {"prepareSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}},
            "resolveSupport": {"properties": ["edit"]},
            "dataSupport": True,
        },
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        "codeLens": {"resolveSupport": {"properties": ["command"]}},
        "semanticTokens": {"requests": {"full": {"delta": True}, "range": True}, "tokenTypes": [], "formats": []},
        "rangeFormatting": {"rangesSupport": True},
        "diagnostic": {},
    },
}
"""A client that can do everything, and fetches findings."""


class Session:
    """The server with :data:`TEXT` open in a workspace of its own; the server's own requests are answered."""

    def __init__(self, raw: RawClient, folder: Path) -> None:
        (folder / FILE).write_text(TEXT, "utf-8")
        (folder / "kernel.cu").write_text("// nothing\n", "utf-8")
        for number in range(60):  # enough for the server to show progress
            (folder / f"part{number}.ptx").write_text(HEADER, "utf-8")
        self.raw = raw
        self.folder = folder
        self.uri = (folder / FILE).as_uri()
        self.asked: list[Message] = []
        folders = [{"uri": folder.as_uri(), "name": "here"}]
        found = raw.initialize(capabilities=CLIENT, workspaceFolders=folders, rootUri=folder.as_uri())
        self.capabilities = found["capabilities"]
        raw.open(TEXT, uri=self.uri)

    def ask(self, method: str, params: Message) -> Message:
        """Send a request, and answer what the server asks until its answer comes."""
        raw = self.raw
        raw.requests += 1
        number = raw.requests
        raw.request(number, method, params)
        while True:
            message = raw.read()
            if "method" not in message and message.get("id") == number:
                return message
            self.note(message)

    def note(self, message: Message) -> None:
        """Keep what the server says on its own; answer what it asks."""
        self.asked.append(message)
        if "id" in message and "method" in message:
            self.raw.answer(message, [None] if message["method"] == "workspace/configuration" else None)

    def until(self, method: str) -> Message:
        """What the server sends by ``method``, now or earlier."""
        for message in self.asked:
            if message.get("method") == method:
                return message
        while True:
            message = self.raw.read()
            self.note(message)
            if message.get("method") == method:
                return message

    def registered(self) -> set[str]:
        """The methods that the server asked to be told of."""
        self.until("client/registerCapability")
        asked = [one for one in self.asked if one.get("method") == "client/registerCapability"]
        found = [one["params"]["registrations"] for one in asked]
        return {one["method"] for registrations in found for one in registrations}

    def announced(self, path: str) -> Any:
        """What stands at a path in the server's capabilities; None if nothing does."""
        found: Any = self.capabilities
        for name in path.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        return found


@pytest.fixture
def session(raw: RawClient, tmp_path: Path) -> Session:
    return Session(raw, tmp_path)


def test_every_row_is_served(session: Session, update: bool) -> None:
    """Announced, asked for, answered; and the page says so."""
    lines = []
    for row in ROWS:
        announced = session.announced(row.capability)
        assert announced is not None, f"{row.title}: {row.capability} is not announced"
        assert announced is not False, f"{row.title}: {row.capability} is not announced"
        check_answer(session, row)
        lines.append(f"| {row.title} | {row.mark} | `{row.capability}` | {row.does} |")
    for title, mark, how, does in check_linked(session):
        lines.append(f"| {title} | {mark} | {how} | {does} |")
    text = page(lines)
    if update:
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text, "pytest --update tests/server/test_features_page.py"


def check_answer(session: Session, row: Row) -> None:
    document = {} if row.method.startswith("workspace/") else {"textDocument": {"uri": session.uri}}
    found = session.ask(row.method, {**document, **row.params})
    assert "error" not in found, f"{row.title}: {found['error']}"
    assert found["result"], f"{row.title}: nothing was answered"
    if row.then is not None:
        method, params_of = row.then
        params = params_of(found["result"])
        if method.startswith("textDocument/"):
            params = {**document, **params}
        further = session.ask(method, params)
        assert "error" not in further, f"{row.title}: {further['error']}"
        assert further["result"], f"{row.title}: nothing was answered"


def check_linked(session: Session) -> list[tuple[str, str, str, str]]:
    """What is no request of the client: seen by what the server sends, or does."""
    raw = session.raw
    change = {"range": {"start": {"line": 21, "character": 18}, "end": {"line": 21, "character": 23}}, "text": "%f1"}
    raw.change(2, change, uri=session.uri)
    report = session.ask("textDocument/diagnostic", {"textDocument": {"uri": session.uri}})["result"]
    assert "bogus" not in str(report), "the edit did not arrive"
    assert session.announced("positionEncoding") == "utf-8"
    assert {"workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"} <= session.registered()
    assert session.until("workspace/configuration")
    assert session.until("window/workDoneProgress/create")
    session.asked.clear()
    (session.folder / "ptx-lsp.toml").write_text('target = "sm_100a"\n', "utf-8")
    uri = (session.folder / "ptx-lsp.toml").as_uri()
    raw.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]})
    for what in ("inlayHint", "codeLens", "semanticTokens", "foldingRange"):
        assert session.until(f"workspace/{what}/refresh")
    return [
        (
            "incremental synchronisation",
            "M",
            "`textDocumentSync`",
            "the cost of an edit depends on the edit, not on the size of the file",
        ),
        ("position encodings", "M", "`positionEncoding`", "UTF-8, UTF-16 or UTF-32, as the client prefers"),
        (
            "publishDiagnostics, versioned",
            "M",
            "pushed to clients that do not pull",
            "findings after each edit; those of data-flow rules when the client is idle",
        ),
        ("configuration, live", "M", "requested and registered", "settings of the editor and of `ptx-lsp.toml`"),
        ("didChangeWatchedFiles", "U", "registered", "changes of PTX files and `ptx-lsp.toml` on disk"),
        ("workDoneProgress", "U", "sent", "progress of indexing and checking a workspace"),
        ("refresh of hints, lenses, tokens, folds, findings", "U", "sent", "updates after a change of settings"),
    ]


def test_findings_are_published_with_their_version(raw: RawClient) -> None:
    raw.initialize()
    raw.open(TEXT, 7)
    assert any("bogus" in one["message"] for one in raw.published(7))


def page(lines: list[str]) -> str:
    """The text of docs/features.md."""
    absent = [f"| {name} | {reason} |" for name, reason in ABSENT.items()]
    return "\n".join(
        [
            "# LSP features of the server",
            "",
            "Generated by `tests/server/test_features_page.py`, which tests each row with a server; do not edit.",
            "M: essential for PTX; U: useful.",
            "",
            "| LSP | | announced as | result |",
            "|---|---|---|---|",
            *lines,
            "",
            "Deliberately omitted:",
            "",
            "| LSP | reason |",
            "|---|---|",
            *absent,
            "",
        ]
    )
