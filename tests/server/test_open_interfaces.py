"""Answers about all files are of texts that the open documents have had since the request."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.analysis.module.interface import interface
from ptx_lsp.analysis.module.program import Program
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.server import Server
from ptx_lsp.server.workspace import closed_files
from ptx_lsp.server.workspace.closed_files import open_file
from ptx_lsp.server.workspace.file_table import FileTable
from ptx_lsp.server.workspace.open_interfaces import OpenInterfaces
from ptx_lsp.server.workspace.uris import key_of
from ptx_lsp.settings import Settings

from .conftest import MODULE, RawClient

RENAME: Any = importlib.import_module("ptx_lsp.server.handlers.rename")
"""The module: the package exports the function of this name."""
DIAGNOSTICS: Any = importlib.import_module("ptx_lsp.server.handlers.workspace_diagnostics")
LONG = "".join(f".visible .global .b32 v{number};\n" for number in range(5_000))


USER = f"{MODULE}.extern .func helper();\n.func user() {{ call helper; ret; }}\n"
LINE = MODULE.count("\n") + 2
"""Where the definition is after the edit."""
CALL = {"line": MODULE.count("\n") + 1, "character": 20}


def module(name: str) -> str:
    return f"{MODULE}.visible .func {name}() {{ ret; }}\n"


class Documents(list[OpenDocument]):
    """Open documents that are read when a test says so."""

    def opened(self, uri: str, text: str) -> OpenDocument:
        """Open a document, which is not read yet."""
        document = OpenDocument(uri, 1, text, Settings(), Encoding.UTF_16)
        self.append(document)
        return document

    def find(self, uri: str) -> OpenDocument | None:
        """The document at a URI."""
        return next((one for one in self if one.uri == uri), None)

    def __iter__(self) -> Any:
        return iter(list(super().__iter__()))


def read(document: OpenDocument) -> None:
    while not document.work(1):
        pass


def edit(document: OpenDocument, text: str) -> None:
    document.change(TextChange(text, None, None))


class Work:
    """Two documents: one that was edited since the last answer, and one that is not read yet."""

    def __init__(self) -> None:
        self.documents = Documents()
        self.program: Program[str] = Program()
        documents: Any = self.documents
        self.interfaces = OpenInterfaces(documents, FileTable([]), self.program)
        self.edited = self.documents.opened("untitled:edited", module("first"))
        read(self.edited)
        self.interfaces.update()
        edit(self.edited, module("second"))
        read(self.edited)
        self.unread = self.documents.opened("untitled:unread", module("other"))

    def names(self, document: OpenDocument) -> list[str] | None:
        """The functions of a document that the program contains; None if it does not contain the document."""
        found = self.program.files.get(key_of(document.uri))
        return [entry.name for entry in found.entries] if found is not None else None


def after_a_wait(meanwhile: Callable[[Work], None]) -> Work:
    """What an answer about all files is made of if this happens while it waits for the unread document."""
    work = Work()

    async def run() -> None:
        ready = asyncio.ensure_future(work.interfaces.ready())
        await asyncio.sleep(0)
        meanwhile(work)
        read(work.unread)
        await ready

    asyncio.run(run())
    return work


def test_a_document_that_is_edited_while_another_is_read() -> None:
    work = after_a_wait(lambda work: edit(work.edited, module("third")))
    assert work.names(work.edited) == ["second"]
    assert work.names(work.unread) == ["other"]


def test_a_document_that_is_closed_while_another_is_read() -> None:
    work = after_a_wait(lambda work: work.documents.remove(work.unread))
    assert work.names(work.edited) == ["second"]
    assert work.names(work.unread) is None


def test_only_what_has_been_read_is_brought_up_to_date_at_once() -> None:
    work = Work()
    work.interfaces.update()
    assert work.names(work.edited) == ["second"]
    assert work.names(work.unread) is None


def test_a_file_that_is_opened_while_it_is_read_from_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.ptx"
    path.write_text(module("on_disk"))
    documents = Documents()
    key = key_of(path.as_uri())
    files: Any = SimpleNamespace(document=lambda _: documents.find(path.as_uri()), table=FileTable([]))
    files.table.set_uri(key, path.as_uri())

    async def in_thread(work: Callable[[], Any]) -> Any:
        found = work()
        read(documents.opened(path.as_uri(), module("opened")))
        return found

    monkeypatch.setattr(closed_files, "in_thread", in_thread)
    found = asyncio.run(open_file(files, key, Encoding.UTF_16))
    assert found is not None
    assert found.version == 1
    assert [entry.name for entry in interface(found.semantics.module, lambda _: "").entries] == ["opened"]


async def all_read(server: Server) -> None:
    while server.documents.is_reading:
        await asyncio.sleep(0.005)


def serve(folder: Path, monkeypatch: pytest.MonkeyPatch, answer: Callable[[Server], Coroutine[Any, Any, Any]]) -> Any:
    """What a server of a folder answers; nothing is sent."""

    async def run() -> Any:
        server = Server({"capabilities": {}, "workspaceFolders": [{"uri": folder.as_uri(), "name": "work"}]})
        monkeypatch.setattr(server.protocol, "write", lambda _: None)
        try:
            return await answer(server)
        finally:
            await all_read(server)

    return asyncio.run(run())


def test_a_rename_is_refused_if_a_file_is_opened_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user, library = (tmp_path / "user.ptx").as_uri(), (tmp_path / "library.ptx").as_uri()
    (tmp_path / "library.ptx").write_text(module("helper"))

    async def renamed(server: Server) -> Any:
        server.documents.open(user, 1, USER)
        await all_read(server)

        def places_of(*arguments: Any) -> Any:
            found = closed_files.places_of(*arguments)
            server.files.opened(library)
            server.documents.open(library, 1, module("other"))
            return found

        monkeypatch.setattr(RENAME, "places_of", places_of)
        line, character = CALL["line"], CALL["character"]
        params = types.RenameParams(types.TextDocumentIdentifier(user), types.Position(line, character), "fresh")
        return await RENAME.rename(server, params)

    with pytest.raises(JsonRpcException, match="the text has changed"):
        serve(tmp_path, monkeypatch, renamed)


def test_findings_of_a_file_that_is_opened_while_it_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "library.ptx"
    library.write_text(module("on_disk"))

    async def pulled(server: Server) -> Any:
        async def in_thread(work: Callable[[], Any]) -> Any:
            found = work()
            server.files.opened(library.as_uri())
            server.documents.open(library.as_uri(), 5, module("opened"))
            return found

        monkeypatch.setattr(DIAGNOSTICS, "in_thread", in_thread)
        return await DIAGNOSTICS.pull_workspace(server, types.WorkspaceDiagnosticParams([]))

    (report,) = json.loads(serve(tmp_path, monkeypatch, pulled).json)["items"]
    assert (report["uri"], report["version"]) == (library.as_uri(), 5)


# ---- over the wire


def edited_later(raw: RawClient, folder: Path) -> tuple[str, str]:
    """A user of a function, and the long open file with its definition, which gets two lines more at its start."""
    user, library = (folder / "user.ptx").as_uri(), (folder / "library.ptx").as_uri()
    raw.initialize(workspaceFolders=[{"uri": folder.as_uri(), "name": "work"}])
    raw.open(USER, uri=user)
    text = module("helper") + LONG
    raw.open(text, uri=library)
    assert raw.ask("workspace/symbol", {"query": "helper"})["result"]
    raw.change(2, {"text": f"//\n//\n{text}"}, uri=library)
    return user, library


def test_a_definition_in_a_file_that_is_being_read(raw: RawClient, tmp_path: Path) -> None:
    user, library = edited_later(raw, tmp_path)
    found = raw.ask("textDocument/definition", {"textDocument": {"uri": user}, "position": CALL})["result"]
    assert (found["uri"], found["range"]["start"]["line"]) == (library, LINE)


def test_a_symbol_in_a_file_that_is_being_read(raw: RawClient, tmp_path: Path) -> None:
    _, library = edited_later(raw, tmp_path)
    symbol = {"name": "helper", "kind": 12, "location": {"uri": library}, "data": {"entry": 0}}
    assert raw.ask("workspaceSymbol/resolve", symbol)["result"]["location"]["range"]["start"]["line"] == LINE
