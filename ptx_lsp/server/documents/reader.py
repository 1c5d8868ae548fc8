"""Reads large documents in slices between the messages of the client."""

from __future__ import annotations

import gc
from collections.abc import Callable

from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.round_robin import SLICE, RoundRobin


class DocumentReader:
    """Gets documents ready that are not.

    Args:
        schedule: calls its argument after the messages that wait already.
        ready: takes each document when it is ready.

    """

    def __init__(self, schedule: Callable[[Callable[[], None]], object], ready: Callable[[OpenDocument], None]) -> None:
        self._ready = ready
        self._turns = RoundRobin(schedule, self._work, _collect_again)
        self.drop = self._turns.drop

    @property
    def is_busy(self) -> bool:
        """Whether documents are being read, so that nothing is to be freed."""
        return len(self._turns) > 0

    def add(self, document: OpenDocument) -> None:
        """Get ``document`` ready. What can be done within one slice is done at once."""
        if document in self._turns:
            return
        if not self._turns and document.work(SLICE):
            self._ready(document)
            return
        if not self._turns:
            gc.disable()  # everything that is made now stays
        self._turns.add(document)

    def _work(self, document: OpenDocument) -> bool:
        is_ready = document.work(SLICE)
        if is_ready:
            self._ready(document)
        return is_ready


def _collect_again() -> None:
    gc.freeze()  # no collection need look at all the documents again
    gc.enable()
