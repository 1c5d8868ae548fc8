"""Work on documents in slices between the messages of the client; several documents take turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ptx_lsp.server.documents.document import OpenDocument

SLICE = 0.010
"""Seconds of work before other messages get their turn. A step of the work takes some milliseconds itself."""


class RoundRobin:
    """Documents on which work is left.

    Args:
        schedule: calls its argument after the messages that wait already.
        work: does one slice of the work on a document; whether all is done.
        rest: called when no work is left.

    """

    def __init__(
        self,
        schedule: Callable[[Callable[[], None]], object],
        work: Callable[[OpenDocument], bool],
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        self._schedule = schedule
        self._work = work
        self._rest = rest
        self._waiting: deque[OpenDocument] = deque()

    def __contains__(self, document: OpenDocument) -> bool:
        return document in self._waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, document: OpenDocument) -> None:
        """Work on ``document`` soon."""
        if document in self._waiting:
            return
        self._waiting.append(document)
        if len(self._waiting) == 1:
            self._schedule(self._go_on)

    def drop(self, document: OpenDocument) -> None:
        """Forget a document that was closed."""
        if document in self._waiting:
            self._waiting.remove(document)

    def _go_on(self) -> None:
        if self._waiting:
            document = self._waiting.popleft()
            if not self._work(document):
                self._waiting.append(document)
        if self._waiting:
            self._schedule(self._go_on)
        else:
            self._rest()
