"""The interfaces of the open documents, as part of the program that all files of a workspace are."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from ptx_lsp.analysis.module.interface import interface
from ptx_lsp.analysis.module.program import Program
from ptx_lsp.server.documents.diagnostic_json import range_json
from ptx_lsp.server.workspace.file_table import FileTable
from ptx_lsp.server.workspace.uris import key_of

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.documents.open_documents import OpenDocuments

_POLL = 0.005
"""Seconds after which it is looked again whether a document has been read."""


class OpenInterfaces:
    """Keeps the interfaces of open documents up to date.

    Args:
        documents: the open documents.
        table: the files on disk.
        program: the interfaces of all files by key.

    """

    def __init__(self, documents: OpenDocuments, table: FileTable, program: Program[str]) -> None:
        self._documents = documents
        self._table = table
        self._program = program
        self._revisions: dict[str, object] = {}
        """The states of documents that ``program`` contains."""

    def find(self, key: str) -> OpenDocument | None:
        """The open document of a file; None if it is not open."""
        uri = self._table.client_uri(key)
        return self._documents.find(uri) if uri is not None else None

    def update(self) -> None:
        """Bring the interfaces of the documents up to date that have been read."""
        for document in self._documents:
            if document.is_ready:
                self._update(document)

    async def ready(self) -> None:
        """Wait until ``program`` contains, of each document, a text that it has had since the call."""
        for document in self._documents:
            while self._is_open(document) and not document.is_ready:
                await asyncio.sleep(_POLL)
            if self._is_open(document):
                self._update(document)  # at once: it may be edited while the next document is waited for
        self.update()

    def closed(self, key: str) -> None:
        """Handle the closing of a document: its interface no longer counts."""
        self._revisions.pop(key, None)

    def _is_open(self, document: OpenDocument) -> bool:
        return self._documents.find(document.uri) is document

    def _update(self, document: OpenDocument) -> None:
        if not self._table.has_scheme(document.uri):
            return  # perhaps an old state of a file that version control shows next to it
        key = key_of(document.uri)
        state = (document, document.revision)
        if self._revisions.get(key) != state:
            self._revisions[key] = state
            self._table.set_uri(key, document.uri)
            self._program.put(key, interface(document.checker.module, partial(range_json, lines=document.lines)))
