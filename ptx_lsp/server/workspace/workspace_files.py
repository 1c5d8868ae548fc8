"""The files of a workspace: what is in them, kept small and up to date, and their texts when somebody asks.

What the client has open wins over what is on the disk.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
from collections.abc import Generator, Iterable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp.analysis.module.interface import Interface, interface, reading_interface
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.module.program import Program
from ptx_lsp.analysis.references.occurrences import mentions
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.reading import UnreadableError, read
from ptx_lsp.server.capabilities import lookup
from ptx_lsp.server.documents.diagnostic_json import range_json
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.progress import Progress
from ptx_lsp.server.transport.slices import Pace, in_slices
from ptx_lsp.server.workspace.uris import key_of, path_of, uri_of
from ptx_lsp.server.workspace.walk import LARGEST, MOST_FILES, is_below, is_ptx, stamp_of, walk
from ptx_lsp.syntax.slices import reading

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

log = logging.getLogger(__name__)

QUIET = 0.3
"""Seconds after the start before files are read: what the user opened comes first."""
SHOWN = 50
"""Files to read from which on progress is shown."""
_OLD = 2.0
"""Seconds after which folders are looked through again when something is asked, for clients that do not watch files."""
_OLD_THOUGH_WATCHED = 60.0
"""The same for those that do: of a folder that goes away as a whole some tell nothing."""
_SHARE = 20
"""How many times as long as looking through the folders takes they are left alone at least."""
_PAUSE = 0.05
"""Seconds after a message in which nothing is read in the background."""
_LONGEST_PAUSE = 0.25
_NUMBER = re.compile(r"\d+")
_COLLECTED = 1 << 18
"""Characters of text after whose checking memory is freed."""


class Opened(NamedTuple):
    """A file made ready for questions about places in it."""

    key: str
    uri: str
    version: int | None
    """The client's number for its text; None for what is on the disk."""
    semantics: Semantics
    lines: DocumentLines


class Files:
    """All files of the workspace of one client."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.program: Program[str] = Program()
        """What is in the files, by their keys; places are ranges as JSON."""
        self.folders: list[str] = []
        self._schemes = {"file", "untitled"}
        """The kinds of addresses that documents of the workspace have."""
        self.stamps: dict[str, tuple[int, int]] = {}
        """The files on the disk by key, as they were when they were seen last."""
        self._uris: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self._waiting: dict[str, None] = {}
        """Keys of files that are to be read."""
        self._revisions: dict[str, object] = {}
        """The state of open documents that ``program`` knows."""
        self._walked: float | None = None
        self._walk_took = 0.0
        self._task: asyncio.Task[None] | None = None
        self._told: set[str] = set()
        self._unfreed = 0
        self._asked = 0
        """How many requests wait for all files to be known."""

    # ------------------------------------------------------------------ what happens

    def introduce(self, params: object) -> None:
        """Take over the folders that ``initialize`` names."""
        folders = lookup(params, "workspaceFolders")
        if isinstance(folders, list):
            uris = [lookup(folder, "uri") for folder in folders]
        else:
            path = lookup(params, "rootPath")
            uris = [lookup(params, "rootUri") or (uri_of(path) if isinstance(path, str) and path else None)]
        self._add_folders(uris)

    def begin(self) -> None:
        """Find and read what is not known yet."""
        if self._task is None or self._task.done():
            if self._is_up_to_date:
                return
            self._task = asyncio.ensure_future(self._work())

    def folders_changed(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Take over other folders."""
        gone = {path for path in map(path_of, removed) if path is not None}
        self.folders = [folder for folder in self.folders if folder not in gone]
        self._add_folders(added)
        self._walked = None
        self.begin()

    def changed(self, uri: str) -> None:
        """A file on the disk is new, changed or gone; read it again if it belongs to the workspace."""
        path = path_of(uri)
        if path is None or not is_ptx(path):
            return
        key = key_of(uri)
        stamp = stamp_of(path)
        if stamp is None or not any(is_below(path, folder) for folder in self.folders):
            self._forget(key)
            return
        self._know(key, path, stamp)
        self._waiting[key] = None
        self.begin()

    def opened(self, uri: str) -> None:
        """The client has a document open."""
        self._uris[key_of(uri)] = uri

    def closed(self, uri: str) -> None:
        """From now on what is on the disk counts."""
        key = key_of(uri)
        self._revisions.pop(key, None)
        path = path_of(uri)
        if path is None:
            self._forget(key)
        else:
            self.program.drop(key)
            self.changed(uri)
        if key not in self.stamps:
            self._forget(key)

    # ------------------------------------------------------------------ what is asked

    async def ready(self, at_most: float | None = None) -> None:
        """Wait until all files are known as they are now, or for so many seconds."""
        self.begin()
        if self._task is not None and not self._task.done():
            self._asked += 1
            try:
                await asyncio.wait([self._task], timeout=at_most)
            finally:
                self._asked -= 1
        for document in list(self.server.documents.values()):
            while not document.is_ready:
                await asyncio.sleep(0.005)
        self.take_over_open()

    def take_over_open(self) -> None:
        """Take over what open documents have now."""
        for document in self.server.documents.values():
            if _scheme(document.uri) not in self._schemes:
                continue  # an old state of a file, perhaps: what version control shows beside it
            key = key_of(document.uri)
            state = (document, document.revision)
            if document.is_ready and self._revisions.get(key) != state:
                self._revisions[key] = state
                self._uris[key] = document.uri
                locate = partial(range_json, lines=document.lines)
                self.program.put(key, interface(document.checker.module, locate))

    def uri(self, key: str) -> str:
        """The address of a file: as the client spells it, if it has."""
        return self._uris.get(key) or uri_of(self._paths[key])

    def name(self, key: str) -> str:
        """A short name of a file: its path in its folder."""
        path = self._paths.get(key) or path_of(self.uri(key))
        if path is None:
            return self.uri(key)
        folder = next((folder for folder in self.folders if is_below(path, folder)), os.path.dirname(path))
        return os.path.relpath(path, folder).replace(os.sep, "/")

    def document(self, key: str) -> OpenDocument | None:
        """The open document of a file."""
        return self.server.find(self._uris[key]) if key in self._uris else None

    async def open(self, key: str) -> Opened | None:
        """A file with its meaning, read again if it is not open; None if it is gone or cannot be read."""
        document = self.document(key)
        if document is not None:
            while not document.is_ready:
                await asyncio.sleep(0.005)
            return Opened(key, document.uri, document.version, document.checker.semantics, document.lines)
        text = self.text(key)
        if text is None:
            return None
        module = await in_slices(_module(text))
        lines = DocumentLines(module.document.chunks, self.server.encoding)
        return Opened(key, self.uri(key), None, Semantics(module), lines)

    def places(self, key: str, name: str, new: str | None = None) -> list[tuple[str, bool]] | None:
        """The places of a function or variable in a file that is not open, and whether each declares it.

        None where the file has to be opened to find them: because the name stands in other places than declarations
        and calls, because the file changed, or because ``new``, which the name is to become, stands in it.
        """
        interface = self.program.files.get(key)
        path = self._paths.get(key)
        if interface is None or path is None or key in self._waiting or self.document(key) is not None:
            return None
        text = self.text(key) if stamp_of(path) == self.stamps.get(key) else None
        if text is None or (new is not None and new in text):
            return None
        found = [(entry.place, True) for entry in interface.entries if entry.name == name]
        found += [(call.place, False) for call in interface.calls if call.callee == name and call.is_direct]
        if mentions(text, name) != len(found):
            return None
        return sorted(found, key=lambda one: [int(number) for number in _NUMBER.findall(one[0])])

    def text(self, key: str) -> str | None:
        """The text of a file on the disk; None if it is gone or cannot be read."""
        path = self._paths.get(key)
        if path is None:
            return None
        stamp = stamp_of(path)
        if stamp is None or stamp[1] > LARGEST:
            return None
        try:
            return read(path, only_regular=True).removeprefix("\ufeff")
        except UnreadableError:
            return None

    def free(self, length: int) -> None:
        """Free what was made of texts of so many characters that were checked: parts of it refer to each other."""
        self._unfreed += length
        if self._unfreed >= _COLLECTED and gc.isenabled():
            self._unfreed = 0
            gc.collect(1)

    # ------------------------------------------------------------------ the work

    @property
    def _is_up_to_date(self) -> bool:
        if self._waiting or self._walked is None:
            return False
        old = _OLD_THOUGH_WATCHED if self.server.watches_files else _OLD
        return not self.folders or monotonic() - self._walked < max(old, _SHARE * self._walk_took)

    async def _work(self) -> None:
        try:
            if not self._is_up_to_date and (not self._waiting or self._walked is None):
                await self._walk()
            await self._read_waiting()
        except Exception:
            log.exception("the files of the workspace could not be read")
            self._waiting.clear()

    async def _walk(self) -> None:
        """Look through the folders for files that are new, changed or gone."""
        self._walked = begin = monotonic()
        pace = Pace()
        seen: set[str] = set()
        for found in walk(self.folders):
            await pace()
            if found is None:
                continue
            if len(seen) >= MOST_FILES:
                self._tell(f"the workspace has more than {MOST_FILES} PTX files; the others count when they are opened")
                break
            key = os.path.normcase(found.path)
            seen.add(key)
            if self.stamps.get(key) != found.stamp:
                self._know(key, found.path, found.stamp)
                self._waiting[key] = None
        for key in [key for key in self.stamps if key not in seen]:
            self._forget(key)
        self._walked = monotonic()
        self._walk_took = self._walked - begin

    async def _read_waiting(self) -> None:
        count = done = 0
        progress: Progress | None = None
        try:
            while self._waiting:
                if progress is None and len(self._waiting) >= SHOWN:
                    progress = Progress.of_our_own(self.server)
                    progress.begin("Reading PTX files")
                key = next(iter(self._waiting))
                del self._waiting[key]
                count = max(count, done + 1 + len(self._waiting))
                while self.server.is_reading:
                    await asyncio.sleep(0.02)
                await self._read(key)
                done += 1
                if progress is not None:
                    progress.report(done, count)
        finally:
            if progress is not None:
                progress.end()

    async def _read(self, key: str) -> None:
        stamp = self.stamps.get(key)
        if self.document(key) is not None or stamp is None:
            return  # open: that counts
        if stamp[1] > LARGEST:
            self._tell(f"{self._paths[key]} is larger than {LARGEST >> 20} MB and counts only while it is open")
            return
        text = self.text(key)
        if text is None:
            self.program.drop(key)
            return
        try:
            found = await in_slices(_interface(text, self.server), self._give_way)
        except Exception:
            log.exception("%s could not be read", self._paths.get(key))
            return
        if key in self.stamps and self.document(key) is None:
            self.program.put(key, found)

    async def _give_way(self) -> None:
        """Wait while the client is busy with other things, unless it waits for this; but not for ever."""
        await asyncio.sleep(0)
        end = monotonic() + _LONGEST_PAUSE
        while not self._asked and monotonic() < min(self.server.heard + _PAUSE, end):
            await asyncio.sleep(_PAUSE / 4)

    def _add_folders(self, uris: Iterable[object]) -> None:
        for uri in uris:
            if isinstance(uri, str):
                self._schemes.add(_scheme(uri))
            path = path_of(uri) if isinstance(uri, str) else None
            if path is not None and path not in self.folders:
                self.folders.append(path)

    def _know(self, key: str, path: str, stamp: tuple[int, int]) -> None:
        self.stamps[key] = stamp
        self._paths[key] = path

    def _forget(self, key: str) -> None:
        self.stamps.pop(key, None)
        self._waiting.pop(key, None)
        if self.document(key) is None:
            self.program.drop(key)
            self._paths.pop(key, None)
            self._uris.pop(key, None)

    def _tell(self, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            log.warning("%s", what)


def _scheme(uri: str) -> str:
    return uri.partition(":")[0]


def _module(text: str) -> Generator[None, None, Module]:
    document = yield from reading(text)
    module = Module(document, at_once=False)
    yield from module.read()
    return module


def _interface(text: str, server: Server) -> Generator[None, None, Interface[str]]:
    module = yield from _module(text)
    lines = DocumentLines(module.document.chunks, server.encoding)
    return (yield from reading_interface(module, partial(range_json, lines=lines)))
