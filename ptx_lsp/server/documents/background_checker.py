"""Makes the findings that take time while the client is quiet, and says when there are new ones."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Protocol

from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.round_robin import RoundRobin

QUIET = 0.15
"""Seconds without a change after which the work begins: nobody who types waits for it."""
SLICE = 0.004
"""Seconds of work before other messages get their turn. A step of the work takes some milliseconds itself."""
PAUSE = 0.02
"""Seconds since the last message before the work goes on: who has just asked may ask again."""
LONGEST_PAUSE = 0.2
"""Seconds after which it goes on although messages keep coming."""


class Timer(Protocol):
    """What can be called off."""

    def cancel(self) -> None:
        """Forget it."""


class BackgroundChecker:
    """Completes the findings of documents whose quick findings are sent already.

    Args:
        schedule: calls its argument after the messages that wait already.
        later: calls its second argument after so many seconds.
        found: takes each document whose findings became others.
        done: takes each document when nothing is left to be done for it.
        heard: when the last message of the client came, by the monotonic clock.

    """

    def __init__(
        self,
        schedule: Callable[[Callable[[], None]], object],
        later: Callable[[float, Callable[[], None]], Timer],
        found: Callable[[OpenDocument], None],
        done: Callable[[OpenDocument], None] = lambda _: None,
        heard: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._schedule = schedule
        self._heard = heard
        self._worked = 0.0
        self._later = later
        self._found = found
        self._done = done
        self._turns = RoundRobin(self._when_quiet, self._work)
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

    def _when_quiet(self, action: Callable[[], None]) -> None:
        """Do something soon, but not between two requests of an editor that asks several things at once."""
        now = monotonic()
        if now - self._heard() < PAUSE and now - self._worked < LONGEST_PAUSE:
            self._later(PAUSE, lambda: self._when_quiet(action))
        else:
            self._schedule(action)

    def _work(self, document: OpenDocument) -> bool:
        if not document.is_ready:
            return True  # it comes again when it is
        before = document.findings
        is_followed = document.follow(SLICE)
        self._worked = monotonic()
        if not is_followed:
            return False
        if document.findings != before:
            self._found(document)
        self._done(document)
        return True
