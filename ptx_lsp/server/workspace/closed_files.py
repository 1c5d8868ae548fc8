"""Queries on files that may be closed: their modules, and the places of a name in them."""

from __future__ import annotations

import asyncio
import re
from functools import partial

from ptx_lsp.analysis.references.occurrences import mentions
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.transport.slices import in_slices
from ptx_lsp.server.transport.waiting import in_thread
from ptx_lsp.server.workspace.module_reading import reading_module
from ptx_lsp.server.workspace.walk import stamp_of
from ptx_lsp.server.workspace.workspace_files import WorkspaceFiles

_NUMBER = re.compile(r"\d+")


class FileSnapshot(NamedTuple):
    """A file with its semantics, for one query."""

    uri: str
    version: int | None
    """The client's version of the text; None for the text on disk."""
    semantics: Semantics
    lines: DocumentLines


async def open_file(files: WorkspaceFiles, key: str, encoding: Encoding) -> FileSnapshot | None:
    """A file with its module, read if it is not open; None if it cannot be read."""
    while (document := files.document(key)) is not None and not document.is_ready:
        await asyncio.sleep(0.005)
    if document is not None:
        return FileSnapshot(document.uri, document.version, document.checker.semantics, document.lines)
    text = await in_thread(partial(files.table.text, key))
    module = await in_slices(reading_module(text)) if text is not None else None
    if files.document(key) is not None:  # opened meanwhile: its text counts
        return await open_file(files, key, encoding)
    if module is None:
        return None
    lines = DocumentLines(module.document.chunks, encoding)
    return FileSnapshot(files.table.uri(key), None, Semantics(module), lines)


def places_of(files: WorkspaceFiles, key: str, name: str, new: str | None = None) -> list[tuple[str, bool]] | None:
    """The places of a function or variable in a closed file as JSON ranges, and whether each declares it.

    None if its interface is not sufficient and the file has to be read: the name occurs elsewhere than in
    declarations and calls, the file has changed, or ``new``, the name that is to replace it, occurs in the file.
    """
    interface = files.program.files.get(key)
    path = files.table.path(key)
    if interface is None or path is None or files.document(key) is not None or files.is_outdated(key):
        return None
    text = files.table.text(key) if stamp_of(path) == files.table.stamps.get(key) else None
    if text is None or (new is not None and new in text):
        return None
    found = [(entry.place, True) for entry in interface.entries if entry.name == name]
    found += [(call.place, False) for call in interface.calls if call.callee == name and call.is_direct]
    if mentions(text, name) != len(found):
        return None
    return sorted(found, key=lambda one: [int(number) for number in _NUMBER.findall(one[0])])
