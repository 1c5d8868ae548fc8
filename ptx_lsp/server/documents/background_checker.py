"""Data-flow findings, computed in the background while the client is quiet."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Protocol

from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.round_robin import RoundRobin

QUIET = 0.15
"""Seconds without a change after which the work begins, so that it does not delay typing."""
SLICE = 0.004
"""Time slice in seconds; a single step of the work may take some milliseconds longer."""
PAUSE = 0.02
"""Seconds after the last message before the work continues: editors send requests in groups."""
LONGEST_PAUSE = 0.2
"""Seconds after which the work continues although messages keep arriving."""


class Timer(Protocol):
    """A cancellable timer."""

    def cancel(self) -> None:
        """Cancel the call."""


class BackgroundChecker:
    """Completes the findings of documents whose quick findings are sent already.

    Args:
        call_soon: calls its argument after the messages that already wait.
        call_later: calls its second argument after so many seconds.
        on_change: called with a document whose findings have changed.
        on_complete: called with a document whose findings are complete.
        last_message: the arrival time of the client's last message, by the monotonic clock.

    """

    def __init__(
        self,
        call_soon: Callable[[Callable[[], None]], object],
        call_later: Callable[[float, Callable[[], None]], Timer],
        on_change: Callable[[CheckedDocument], None],
        on_complete: Callable[[CheckedDocument], None],
        last_message: Callable[[], float],
    ) -> None:
        self._call_soon = call_soon
        self._call_later = call_later
        self._on_change = on_change
        self._on_complete = on_complete
        self._last_message = last_message
        self._last_slice = 0.0
        self._queue = RoundRobin(self.call_when_quiet, self._work)
        self._timers: dict[str, Timer] = {}

    def add(self, document: CheckedDocument) -> None:
        """Complete the findings of ``document`` once it has not changed for :data:`QUIET` seconds."""
        self.drop(document)
        if not document.is_complete:
            self._timers[document.uri] = self._call_later(QUIET, lambda: self._begin(document))

    def drop(self, document: CheckedDocument) -> None:
        """Stop work on a document that was changed or closed."""
        timer = self._timers.pop(document.uri, None)
        if timer is not None:
            timer.cancel()
        self._queue.drop(document)

    def _begin(self, document: CheckedDocument) -> None:
        self._timers.pop(document.uri, None)
        self._queue.add(document)

    def call_when_quiet(self, action: Callable[[], None]) -> None:
        """Call ``action`` soon, but not between two requests that an editor sends as a group."""
        now = monotonic()
        if now - self._last_message() < PAUSE and now - self._last_slice < LONGEST_PAUSE:
            self._call_later(PAUSE, lambda: self.call_when_quiet(action))
        else:
            self._call_soon(action)

    def _work(self, document: CheckedDocument) -> bool:
        if not document.is_ready:
            return True  # it is added again when it is
        is_listed = document.list_findings(SLICE)
        before = document.findings if is_listed else ""
        is_complete = is_listed and document.follow(SLICE)
        self._last_slice = monotonic()
        if not is_complete:
            return False
        if document.findings != before:
            self._on_change(document)
        self._on_complete(document)
        return True
