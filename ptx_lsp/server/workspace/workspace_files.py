"""The PTX files of a workspace: found, read in the background, and kept as interfaces that are up to date.

The text of an open document takes precedence over that on disk.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from ptx_lsp.analysis.module.interface import Interface
from ptx_lsp.analysis.module.program import Program
from ptx_lsp.features.workspace_symbols import SymbolIndex, SymbolMatch
from ptx_lsp.server.transport.slices import in_slices
from ptx_lsp.server.transport.waiting import in_thread
from ptx_lsp.server.workspace.file_reader import FileReader, NoProcessError
from ptx_lsp.server.workspace.file_table import FileTable
from ptx_lsp.server.workspace.module_reading import reading_interface_json, text_of
from ptx_lsp.server.workspace.open_interfaces import OpenInterfaces
from ptx_lsp.server.workspace.uris import key_of, path_of
from ptx_lsp.server.workspace.walk import LARGEST, MOST_FILES, FileState, is_ptx, walk

if TYPE_CHECKING:
    from ptx_lsp.server.client.client import Client
    from ptx_lsp.server.client.progress import Progress
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.documents.open_documents import OpenDocuments
    from ptx_lsp.server.transport.activity import ClientActivity

log = logging.getLogger(__name__)

START_DELAY = 0.3
"""Seconds after the start before files are read: open documents come first."""
_PROGRESS_FROM = 50
"""Number of files to read from which on progress is shown."""
_MAX_AGE = 2.0
"""Seconds after which a query walks the folders again, for clients that do not watch files."""
_MAX_AGE_WATCHED = 60.0
"""Seconds for clients that watch files: some send no event when a folder is deleted."""
_WALK_SHARE = 20
"""Least ratio of the time between two walks to the duration of a walk."""
_PAUSE = 0.05
"""Seconds after a message in which nothing is read in the background."""
_LONGEST_PAUSE = 0.25
_MUCH = 2 << 20
"""Bytes of all files to read from which on a process reads them; starting it takes as long as reading that much."""
_LARGE = 1 << 19
"""Bytes of a file that a process reads."""
_BATCH = 256
"""Number of files that a thread finds at once."""
_COLLECTED = 1 << 18
"""Number of checked characters after which memory is freed."""


class WorkspaceFiles:
    """All files of the workspace of one client.

    Args:
        table: the files on disk.
        documents: the open documents.
        client: the client.
        activity: the times of its messages.
        progress: creates a progress bar.

    """

    def __init__(
        self,
        table: FileTable,
        documents: OpenDocuments,
        client: Client,
        activity: ClientActivity,
        progress: Callable[[], Progress],
    ) -> None:
        self.table = table
        self.program: Program[str] = Program()
        """The interfaces of the files by key; places are ranges as JSON."""
        self.open = OpenInterfaces(documents, table, self.program)
        self._documents = documents
        self._client = client
        self._activity = activity
        self._progress = progress
        self._symbols: SymbolIndex[str] = SymbolIndex()
        self._reader = FileReader(client.encoding)
        self._queue: dict[str, None] = {}
        """Keys of the files to read, in order."""
        self._being_read: str | None = None
        """Key of the file that is being read."""
        self._walked_at: float | None = None
        self._walk_duration = 0.0
        self._reported: set[str] = set()
        """Keys of the files whose changes were reported since the last walk began: it may have seen older states."""
        self._task: asyncio.Task[None] | None = None
        self._logged: set[str] = set()
        self._checked_characters = 0
        self._waiting_requests = 0
        """Number of requests that wait until all files are read."""

    # ------------------------------------------------------------------ events

    def update(self) -> None:
        """Start to find and read what is new, unless that is in progress."""
        if self._task is None or self._task.done():
            if self._is_up_to_date:
                return
            self._task = asyncio.ensure_future(self._update())

    def folders_changed(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Handle a change of the workspace folders."""
        self.table.remove_folders(removed)
        self.table.add_folders(added)
        self._walked_at = None
        self.update()

    def changed(self, uri: str) -> None:
        """Handle the creation, change or deletion of a file on disk."""
        path = path_of(uri)
        if path is None or not is_ptx(path):
            return
        key = key_of(uri)
        self._reported.add(key)
        stamp = self.table.current_stamp(path)
        if stamp is None:
            self._remove(key)
            return
        self.table.add(key, path, stamp)
        self._queue[key] = None
        self.update()

    def opened(self, uri: str) -> None:
        """Handle the opening of a document."""
        self.table.set_uri(key_of(uri), uri)

    def closed(self, uri: str) -> None:
        """Handle the closing of a document: the text on disk counts again."""
        key = key_of(uri)
        self.open.closed(key)
        if path_of(uri) is None:
            self._remove(key)
        else:
            self.program.drop(key)
            self.changed(uri)
        if key not in self.table.stamps:
            self._remove(key)

    # ------------------------------------------------------------------ queries

    async def ready(self, at_most: float | None = None) -> None:
        """Wait until ``program`` contains the present state of all files.

        Files on disk are waited for at most for so many seconds; of an open document ``program`` then contains a text
        that it has had since the call.
        """
        self.update()
        if self._task is not None and not self._task.done():
            self._waiting_requests += 1
            try:
                await asyncio.wait([self._task], timeout=at_most)
            finally:
                self._waiting_requests -= 1
        await self.open.ready()

    async def symbols(self, query: str, *, demangles: bool = True) -> list[SymbolMatch[str]]:
        """The entries of ``program`` whose names match a query, best match first."""
        await in_slices(self._symbols.updating(self.program.files))
        return self._symbols.find(query, demangles=demangles)

    def document(self, key: str) -> OpenDocument | None:
        """The open document of a file; None if it is not open."""
        return self.open.find(key)

    def is_outdated(self, key: str) -> bool:
        """Whether a text of a file is still to be read: that of the open document, or that on disk."""
        document = self.document(key)
        return not document.is_ready if document is not None else key in self._queue or key == self._being_read

    def collect_garbage(self, characters: int) -> None:
        """Count characters of checked texts, and free their modules from time to time: these hold reference cycles."""
        self._checked_characters += characters
        if self._checked_characters >= _COLLECTED and gc.isenabled():
            self._checked_characters = 0
            gc.collect(1)

    # ------------------------------------------------------------------ background work

    @property
    def _is_up_to_date(self) -> bool:
        if self._queue or self._walked_at is None:
            return False
        max_age = _MAX_AGE_WATCHED if self._client.watches_files else _MAX_AGE
        age = monotonic() - self._walked_at
        return not self.table.folders or age < max(max_age, _WALK_SHARE * self._walk_duration)

    async def _update(self) -> None:
        try:
            if not self._is_up_to_date and (not self._queue or self._walked_at is None):
                await self._walk()
            await self._read_queue()
            while self._walked_at is None:  # the folders were changed in the meantime
                await self._walk()
                await self._read_queue()
        except Exception:
            log.exception("the files of the workspace could not be read")
            self._queue.clear()

    async def _walk(self) -> None:
        """Walk the folders; queue new and changed files, and remove deleted ones."""
        self._walked_at = begin = monotonic()
        self._reported.clear()
        seen: set[str] = set()
        walking = walk(self.table.folders)
        while (batch := await in_thread(partial(_batch, walking))) and len(seen) < MOST_FILES:
            for found in batch:
                if found is not None and len(seen) < MOST_FILES:
                    key = os.path.normcase(found.path)
                    seen.add(key)
                    if self.table.stamps.get(key) != found.stamp and key not in self._reported:
                        self.table.add(key, found.path, found.stamp)
                        self._queue[key] = None
        if batch:
            self._warn_once(f"the workspace has {MOST_FILES} PTX files or more; the others are only read while open")
        for key in [key for key in self.table.stamps if key not in seen and key not in self._reported]:
            self._remove(key)
        self._walk_duration = monotonic() - begin
        if self._walked_at == begin:  # else the folders were changed in the meantime
            self._walked_at = begin + self._walk_duration

    async def _read_queue(self) -> None:
        count = done = 0
        progress: Progress | None = None
        sizes = (self.table.stamps.get(key, (0, 0))[1] for key in self._queue)
        is_much = sum(sizes) > _MUCH
        try:
            while self._queue:
                if progress is None and len(self._queue) >= _PROGRESS_FROM:
                    progress = self._progress()
                    progress.begin("Reading PTX files", cancellable=True)
                key = self._being_read = next(iter(self._queue))
                del self._queue[key]
                count = max(count, done + 1 + len(self._queue))
                while self._documents.is_reading:
                    await asyncio.sleep(0.02)
                await self._read(key, is_much=is_much)
                self._being_read = None
                done += 1
                if progress is not None:
                    progress.report(done, count)
                    if progress.is_cancelled:
                        self._skip_queue()
        finally:
            self._being_read = None
            if progress is not None:
                progress.end()
            self._reader.stop()
        await in_slices(self._symbols.updating(self.program.files), self._yield_to_client)

    async def _read(self, key: str, *, is_much: bool) -> None:
        """Read a file, in a process of its own if it is large or there is much to read."""
        stamp = self.table.stamps.get(key)
        if self.document(key) is not None or stamp is None:
            return  # the open document counts
        if stamp[1] > LARGEST:
            path = self.table.path(key)
            self._warn_once(f"{path} is larger than {LARGEST >> 20} MB and is only read while open")
            return
        path = self.table.path(key) or ""
        try:
            if is_much or stamp[1] > _LARGE:
                found = await self._reader.read(path)
            else:
                found = await self._read_here(path)
        except NoProcessError:
            found = await self._read_here(path)
        if found is None:
            self.program.drop(key)
        elif key in self.table.stamps and self.document(key) is None:
            await in_slices(self.program.replacing(key, found))

    async def _read_here(self, path: str) -> Interface[str] | None:
        """Read a file in slices."""
        text = await in_thread(partial(text_of, path))
        if text is None:
            return None
        try:
            return await in_slices(reading_interface_json(text, self._client.encoding), self._yield_to_client)
        except Exception:
            log.exception("%s could not be read", path)
            return None

    def _skip_queue(self) -> None:
        """Read no more, since the user has cancelled it."""
        log.warning(
            "%d PTX files of the workspace are not read, as cancelled; they are read when they change or are opened",
            len(self._queue),
        )
        self._queue.clear()

    async def _yield_to_client(self) -> None:
        """Pause while messages arrive, for a limited time, and not if a request waits for this work."""
        await asyncio.sleep(0)
        end = monotonic() + _LONGEST_PAUSE
        while not self._waiting_requests and monotonic() < min(self._activity.last_message + _PAUSE, end):
            await asyncio.sleep(_PAUSE / 4)

    def _remove(self, key: str) -> None:
        self.table.stamps.pop(key, None)
        self._queue.pop(key, None)
        if self.document(key) is None:
            self.program.drop(key)
            self.table.remove(key)

    def _warn_once(self, message: str) -> None:
        if message not in self._logged:
            self._logged.add(message)
            log.warning("%s", message)


def _batch(walking: Iterator[FileState | None]) -> list[FileState | None]:
    return list(islice(walking, _BATCH))
