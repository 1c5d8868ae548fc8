"""Progress that the client shows: of work that it asked for, or of our own where it can show that."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.capabilities import SERVER_NAME, lookup

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

_numbers = itertools.count(1)


class Progress:
    """One bar. Without a token nothing is shown.

    Args:
        server: whose client shows it.
        token: what the client gave with its request.

    """

    def __init__(self, server: Server, token: int | str | None) -> None:
        self._server = server
        self._token = token
        self._shown = -1

    @classmethod
    def of_our_own(cls, server: Server) -> Progress:
        """Progress of work that the client did not ask for."""
        if lookup(server.client, "window", "workDoneProgress") is not True:
            return cls(server, None)
        token = f"{SERVER_NAME}-{next(_numbers)}"
        server.protocol.progress.create(token)
        return cls(server, token)

    def begin(self, title: str) -> None:
        """Show the bar."""
        if self._token is not None:
            value = types.WorkDoneProgressBegin(title, cancellable=False, percentage=0)
            self._server.protocol.progress.begin(self._token, value)

    def report(self, done: int, of: int) -> None:
        """Show how much is done; nothing is sent unless a whole percent more is."""
        percent = min(100 * done // of, 100) if of else 100
        if self._token is not None and percent > self._shown:
            self._shown = percent
            value = types.WorkDoneProgressReport(message=f"{done}/{of}", percentage=percent)
            self._server.protocol.progress.report(self._token, value)

    def end(self) -> None:
        """Take the bar away."""
        if self._token is not None:
            self._server.protocol.progress.end(self._token, types.WorkDoneProgressEnd())
            self._server.protocol.progress.tokens.pop(self._token, None)
            self._token = None
