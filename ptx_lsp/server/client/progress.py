"""Work done progress: for requests that carry a token, and for the server's own work where the client supports it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygls.progress import Progress as ProgressMessages

    from ptx_lsp.server.client.client import Client

_numbers = itertools.count(1)


class Progress:
    """One progress bar. Without a token nothing is shown.

    Args:
        messages: sends the messages to the client.
        token: the token of the client's request.

    """

    def __init__(self, messages: ProgressMessages, token: int | str | None) -> None:
        self._messages = messages
        self._token = token
        self._shown = -1

    @classmethod
    def initiated_by_server(
        cls, messages: ProgressMessages, client: Client, create: Callable[[str], object]
    ) -> Progress:
        """Progress of work that the client did not request; ``create`` asks the client to accept a token."""
        if not client.supports("window", "workDoneProgress"):
            return cls(messages, None)
        token = f"ptx-lsp-{next(_numbers)}"
        create(token)
        return cls(messages, token)

    @property
    def is_cancelled(self) -> bool:
        """Whether the user has cancelled the work."""
        cancelled = self._messages.tokens.get(self._token) if self._token is not None else None
        return cancelled is not None and cancelled.cancelled()

    def begin(self, title: str, *, cancellable: bool = False) -> None:
        """Show the bar; the work that is ``cancellable`` looks at ``is_cancelled`` from time to time."""
        if self._token is not None:
            value = types.WorkDoneProgressBegin(title, cancellable=cancellable, percentage=0)
            self._messages.begin(self._token, value)

    def report(self, done: int, of: int) -> None:
        """Show how much is done; sends nothing until the percentage grows."""
        percent = min(100 * done // of, 100) if of else 100
        if self._token is not None and percent > self._shown:
            self._shown = percent
            value = types.WorkDoneProgressReport(message=f"{done}/{of}", percentage=percent)
            self._messages.report(self._token, value)

    def end(self) -> None:
        """Remove the bar."""
        if self._token is not None:
            self._messages.end(self._token, types.WorkDoneProgressEnd())
            self._messages.tokens.pop(self._token, None)
            self._token = None
