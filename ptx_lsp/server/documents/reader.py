"""Reading of large documents in time slices between the messages of the client."""

from __future__ import annotations

import gc
from collections.abc import Callable

from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.round_robin import SLICE, RoundRobin


class DocumentReader:
    """Reads documents until they are ready.

    Args:
        call_soon: calls its argument after the messages that already wait.
        on_ready: called with each document when it is ready.

    """

    def __init__(
        self, call_soon: Callable[[Callable[[], None]], object], on_ready: Callable[[CheckedDocument], None]
    ) -> None:
        self._on_ready = on_ready
        self._queue = RoundRobin(call_soon, self._work, _enable_collection)
        self.drop = self._queue.drop

    @property
    def is_busy(self) -> bool:
        """Whether documents are being read."""
        return len(self._queue) > 0

    def add(self, document: CheckedDocument, *, is_whole: bool) -> None:
        """Read ``document``, at once if one time slice suffices.

        Args:
            document: the document.
            is_whole: whether its whole text is read, not only what an edit concerns.

        """
        if document in self._queue:
            return
        if not self._queue and document.work(SLICE):
            self._on_ready(document)
            return
        if is_whole and gc.isenabled():
            gc.disable()  # all objects that are created now stay
        self._queue.add(document)

    def _work(self, document: CheckedDocument) -> bool:
        is_ready = document.work(SLICE)
        if is_ready:
            self._on_ready(document)
        return is_ready


def _enable_collection() -> None:
    if not gc.isenabled():
        gc.freeze()  # collections skip the objects of documents
        gc.enable()
