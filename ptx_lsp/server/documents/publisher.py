"""Publishing of diagnostics, once for a burst of changes.

The event loop handles messages that already wait before callbacks that are scheduled after
them. So a burst of changes costs one check, and one notification with the last version.
"""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.diagnostic_json import publish_message


class Publisher:
    """Sends ``textDocument/publishDiagnostics`` for documents that changed.

    Args:
        write: sends a framed message.
        call_soon: calls its argument after the messages that already wait.

    """

    def __init__(self, write: Callable[[bytes], None], call_soon: Callable[[Callable[[], None]], object]) -> None:
        self._write = write
        self._call_soon = call_soon
        self._queue: dict[str, CheckedDocument] = {}

    def changed(self, document: CheckedDocument) -> None:
        """Publish the findings of ``document`` soon."""
        if not self._queue:
            self._call_soon(self._publish_next)
        self._queue[document.uri] = document

    def closed(self, uri: str) -> None:
        """Remove the findings of a closed document from the client."""
        self._queue.pop(uri, None)
        self._write(publish_message(uri, None, "[]"))

    def _publish_next(self) -> None:
        """Publish one document, so that other messages are handled between two large files."""
        if not self._queue:
            return
        document = self._queue.pop(next(iter(self._queue)))
        if self._queue:
            self._call_soon(self._publish_next)
        if document.is_ready:  # otherwise it is published when it is
            self._write(publish_message(document.uri, document.version, document.findings))
