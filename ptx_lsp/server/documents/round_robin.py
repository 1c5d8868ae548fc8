"""Round-robin scheduling of work on documents, in time slices between the messages of the client."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable

from ptx_lsp.server.documents.checked_document import CheckedDocument

SLICE = 0.010
"""Time slice in seconds; a single step of the work may take some milliseconds longer."""

_SLICES_OF_NEW, _SLICES_OF_SURVIVORS = 4, 16


def collect_young(slices: int) -> None:
    """Collect new objects after each fourth slice, and what survived after each sixteenth, if collections are on.

    The interpreter does so when many more objects were created than freed. Work that replaces old findings by new ones
    creates hundreds of thousands before that, and the collection then takes 100 ms.
    """
    if slices % _SLICES_OF_NEW == 0 and gc.isenabled():
        gc.collect(0 if slices % _SLICES_OF_SURVIVORS else 1)


class RoundRobin:
    """A queue of documents with unfinished work.

    Args:
        call_soon: calls its argument after the messages that already wait.
        work: does one slice of the work on a document; True when all is done.
        on_idle: called when no work is left.

    """

    def __init__(
        self,
        call_soon: Callable[[Callable[[], None]], object],
        work: Callable[[CheckedDocument], bool],
        on_idle: Callable[[], None] = lambda: None,
    ) -> None:
        self._call_soon = call_soon
        self._work = work
        self._on_idle = on_idle
        self._queue: deque[CheckedDocument] = deque()
        self._slices = 0

    def __contains__(self, document: CheckedDocument) -> bool:
        return document in self._queue

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, document: CheckedDocument) -> None:
        """Queue ``document``, unless it is in the queue."""
        if document in self._queue:
            return
        self._queue.append(document)
        if len(self._queue) == 1:
            self._call_soon(self._next_slice)

    def drop(self, document: CheckedDocument) -> None:
        """Remove a document from the queue."""
        if document in self._queue:
            self._queue.remove(document)

    def _next_slice(self) -> None:
        if self._queue:
            document = self._queue.popleft()
            if not self._work(document):
                self._queue.append(document)
            self._slices += 1
            collect_young(self._slices)
        if self._queue:
            self._call_soon(self._next_slice)
        else:
            self._on_idle()
