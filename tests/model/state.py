"""The model: what a correct server knows after the messages of a session."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .places import Text

ROOT = "file:///ROOT"
"""Stands for the URI of the session's folder in recorded messages."""
FOLDERS = ("", "one", "two")
FILES = ("one/a.ptx", "one/b c.ptx", "two/d.ptx", "two/é.ptx", "outside.ptx")
SETTINGS_FILES = ("one/ptx-lsp.toml", "ptx-lsp.toml")
UNTITLED = "untitled:Untitled-1"
CREATED, CHANGED, DELETED = 1, 2, 3


def uri_of(name: str) -> str:
    """The URI of a file in the session's folder."""
    return f"{ROOT}/{quote(name)}" if name else ROOT


SOURCES = {
    uri_of("one/kernel.cu"): ("cuda-cpp",),
    uri_of("two/kernels.py"): ("python",),
    "untitled:Untitled-2": ("cpp", "python", "rust", "mlir", "llvm", "mojo"),
}
"""Documents with inline assembly: the languages that they may be opened as."""
URIS = (*map(uri_of, FILES), UNTITLED, *SOURCES)
"""The documents of a session."""
PTX = "ptx"


class Document:
    """An open document."""

    def __init__(self, language: str, text: Text, version: int, clock: int) -> None:
        self.language = language
        self.version = version
        self.history = [(clock, text)]
        """The texts, each with the clock of the client when it was sent."""

    @property
    def text(self) -> Text:
        """The present text."""
        return self.history[-1][1]

    @property
    def is_ptx(self) -> bool:
        """Whether it is PTX, and no source with inline assembly."""
        return self.language == PTX

    def item(self, uri: str) -> dict[str, Any]:
        """The document as ``textDocument/didOpen`` names it."""
        return {"uri": uri, "languageId": self.language, "version": self.version, "text": self.text.text}

    def texts(self, first: int, last: int) -> list[Text]:
        """The texts between two times of the clock."""
        before = [text for clock, text in self.history if clock <= first][-1:]
        return before + [text for clock, text in self.history if first < clock <= last]


class Model:
    """The documents, the files on disk, the settings and the folders.

    Args:
        root: the session's folder.
        encoding: the unit of columns.
        folders: names of the workspace folders.

    """

    def __init__(self, root: Path, encoding: str, folders: list[str]) -> None:
        self.root = root
        self.encoding = encoding
        self.folders = folders
        self.documents: dict[str, Document] = {}
        self.is_initialized = False
        self.sent_settings: Any = None
        """The settings in the last ``didChangeConfiguration``, or in the last answer to the server."""
        self.own_settings: Any = None
        """The client's settings."""
        self.unreported: dict[str, int] = {}
        """Changes of files of which the server has not been notified: URI to kind."""
        self._stamps = count(1_700_000_000_000_000_000, 1_000_000)

    def path(self, name: str) -> Path:
        """The path of a file."""
        return self.root / name

    def read(self, uri: str) -> Text | None:
        """The text of a file on disk."""
        name = next((name for name in FILES if uri_of(name) == uri), None)
        if name is None or not self.path(name).exists():
            return None
        return Text(self.path(name).read_bytes().decode(), self.encoding)

    def write(self, name: str, text: str) -> None:
        """Write a file; each has a modification time of its own."""
        path = self.path(name)
        self.unreported[uri_of(name)] = CHANGED if path.exists() else CREATED
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        stamp = next(self._stamps)
        os.utime(path, ns=(stamp, stamp))

    def delete(self, name: str) -> None:
        """Delete a file."""
        if self.path(name).exists():
            self.path(name).unlink()
            self.unreported[uri_of(name)] = DELETED

    def apply(self, message: dict[str, Any], clock: int) -> None:
        """Follow a message of the client."""
        params = message.get("params")
        match message.get("method"):
            case "initialized":
                self.is_initialized = True
            case "textDocument/didOpen":
                item = params["textDocument"]
                text = Text(item["text"], self.encoding)
                self.documents[item["uri"]] = Document(item["languageId"], text, item["version"], clock)
            case "textDocument/didChange":
                document = self.documents.get(params["textDocument"]["uri"])
                if document is not None:
                    text = document.text
                    for change in params["contentChanges"]:
                        text = text.changed(change)
                    document.history.append((clock, text))
                    document.version = params["textDocument"]["version"]
            case "textDocument/didClose":
                self.documents.pop(params["textDocument"]["uri"], None)
            case "workspace/didChangeWatchedFiles":
                for change in params["changes"]:
                    self.unreported.pop(change["uri"], None)
            case "workspace/didChangeWorkspaceFolders":
                removed = {one["uri"] for one in params["event"]["removed"]}
                self.folders = [name for name in self.folders if uri_of(name) not in removed]
                self.folders += [one["name"] for one in params["event"]["added"] if one["name"] not in self.folders]
