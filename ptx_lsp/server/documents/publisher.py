"""When findings are sent: once for all changes that have come meanwhile.

Messages that wait already are handled before the event loop gets to what was scheduled after
them. So a burst of changes costs one check, and its one answer carries the last version.
"""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.server.documents.diagnostic_json import publish_message
from ptx_lsp.server.documents.document import OpenDocument


class Publisher:
    """Sends ``textDocument/publishDiagnostics`` for documents that changed.

    Args:
        write: takes a framed message.
        schedule: calls its argument after the messages that wait already.

    """

    def __init__(self, write: Callable[[bytes], None], schedule: Callable[[Callable[[], None]], object]) -> None:
        self._write = write
        self._schedule = schedule
        self._waiting: dict[str, OpenDocument] = {}

    def changed(self, document: OpenDocument) -> None:
        """Publish the findings of ``document`` soon."""
        if not self._waiting:
            self._schedule(self._publish_next)
        self._waiting[document.uri] = document

    def closed(self, uri: str) -> None:
        """Take back all findings of a document that is closed."""
        self._waiting.pop(uri, None)
        self._write(publish_message(uri, None, "[]"))

    def _publish_next(self) -> None:
        """One document at a time, so that other messages get their turn between two big files."""
        if not self._waiting:
            return
        document = self._waiting.pop(next(iter(self._waiting)))
        if self._waiting:
            self._schedule(self._publish_next)
        if document.is_ready:  # else it will be published when it is
            self._write(publish_message(document.uri, document.version, document.findings))
