"""Makes the findings that take time between the messages of the client, and says when there are new ones."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.server.document import OpenDocument
from ptx_lsp.server.turns import SLICE, Turns


class Follower:
    """Completes the findings of documents whose quick findings are sent already.

    Args:
        schedule: calls its argument after the messages that wait already.
        found: takes each document whose findings became others.

    """

    def __init__(
        self, schedule: Callable[[Callable[[], None]], object], found: Callable[[OpenDocument], None]
    ) -> None:
        self._found = found
        self._turns = Turns(schedule, self._work)
        self.drop = self._turns.drop

    def add(self, document: OpenDocument) -> None:
        """Complete the findings of ``document`` soon."""
        if not document.is_complete:
            self._turns.add(document)

    def _work(self, document: OpenDocument) -> bool:
        if not document.is_ready:
            return True  # it comes again when it is
        before = document.findings
        if not document.follow(SLICE):
            return False
        if document.findings != before:
            self._found(document)
        return True
