"""Makes the findings that take time between the messages of the client, and says when there are new ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ptx_lsp.server.document import OpenDocument

SLICE = 0.010
"""Seconds of work before other messages get their turn. A step of the work takes some milliseconds itself."""


class Follower:
    """Completes the findings of documents whose quick findings are sent already.

    Args:
        schedule: calls its argument after the messages that wait already.
        found: takes each document whose findings became others.

    """

    def __init__(
        self, schedule: Callable[[Callable[[], None]], object], found: Callable[[OpenDocument], None]
    ) -> None:
        self._schedule = schedule
        self._found = found
        self._waiting: deque[OpenDocument] = deque()

    def add(self, document: OpenDocument) -> None:
        """Complete the findings of ``document`` soon."""
        if document.is_complete or document in self._waiting:
            return
        self._waiting.append(document)
        if len(self._waiting) == 1:
            self._schedule(self._go_on)

    def drop(self, document: OpenDocument) -> None:
        """Forget a document that was closed."""
        if document in self._waiting:
            self._waiting.remove(document)

    def _go_on(self) -> None:
        """One slice of one document; the others take turns with it."""
        if self._waiting:
            document = self._waiting.popleft()
            if document.is_ready:  # else it comes again when it is
                before = document.findings
                if not document.follow(SLICE):
                    self._waiting.append(document)
                elif document.findings != before:
                    self._found(document)
        if self._waiting:
            self._schedule(self._go_on)
