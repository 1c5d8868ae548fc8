"""Makes the findings that take time while the client is quiet, and says when there are new ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ptx_lsp.server.document import OpenDocument
from ptx_lsp.server.turns import Turns

QUIET = 0.15
"""Seconds without a change after which the work begins: nobody who types waits for it."""
SLICE = 0.004
"""Seconds of work before other messages get their turn. A step of the work takes some milliseconds itself."""


class Timer(Protocol):
    """What can be called off."""

    def cancel(self) -> None:
        """Forget it."""


class Follower:
    """Completes the findings of documents whose quick findings are sent already.

    Args:
        schedule: calls its argument after the messages that wait already.
        later: calls its second argument after so many seconds.
        found: takes each document whose findings became others.
        done: takes each document when nothing is left to be done for it.

    """

    def __init__(
        self,
        schedule: Callable[[Callable[[], None]], object],
        later: Callable[[float, Callable[[], None]], Timer],
        found: Callable[[OpenDocument], None],
        done: Callable[[OpenDocument], None] = lambda _: None,
    ) -> None:
        self._later = later
        self._found = found
        self._done = done
        self._turns = Turns(schedule, self._work)
        self._timers: dict[str, Timer] = {}

    def add(self, document: OpenDocument) -> None:
        """Complete the findings of ``document`` once it is left alone."""
        self.drop(document)
        if not document.is_complete:
            self._timers[document.uri] = self._later(QUIET, lambda: self._begin(document))

    def drop(self, document: OpenDocument) -> None:
        """Leave a document alone: it was changed or closed."""
        timer = self._timers.pop(document.uri, None)
        if timer is not None:
            timer.cancel()
        self._turns.drop(document)

    def _begin(self, document: OpenDocument) -> None:
        self._timers.pop(document.uri, None)
        self._turns.add(document)

    def _work(self, document: OpenDocument) -> bool:
        if not document.is_ready:
            return True  # it comes again when it is
        before = document.findings
        if not document.follow(SLICE):
            return False
        if document.findings != before:
            self._found(document)
        self._done(document)
        return True
