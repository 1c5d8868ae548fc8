"""Reads large documents in slices between the messages of the client."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable

from ptx_lsp.server.document import OpenDocument

SLICE = 0.010
"""Seconds of work before other messages get their turn. A step of the work takes some milliseconds itself."""


class Reader:
    """Gets documents ready that are not.

    Args:
        schedule: calls its argument after the messages that wait already.
        ready: takes each document when it is ready.

    """

    def __init__(
        self, schedule: Callable[[Callable[[], None]], object], ready: Callable[[OpenDocument], None]
    ) -> None:
        self._schedule = schedule
        self._ready = ready
        self._waiting: deque[OpenDocument] = deque()

    def add(self, document: OpenDocument) -> None:
        """Get ``document`` ready. What can be done within one slice is done at once."""
        if document in self._waiting:
            return
        if not self._waiting and document.work(SLICE):
            self._ready(document)
            return
        self._waiting.append(document)
        if len(self._waiting) == 1:
            gc.disable()  # everything that is made now stays
            self._schedule(self._go_on)

    def drop(self, document: OpenDocument) -> None:
        """Forget a document that was closed."""
        if document in self._waiting:
            self._waiting.remove(document)

    def _go_on(self) -> None:
        """One slice of one document; the others take turns with it."""
        if self._waiting:
            document = self._waiting.popleft()
            if document.work(SLICE):
                self._ready(document)
            else:
                self._waiting.append(document)
        if self._waiting:
            self._schedule(self._go_on)
        else:
            gc.freeze()  # no collection need look at all the documents again
            gc.enable()
