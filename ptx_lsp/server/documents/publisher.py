"""Publishing of diagnostics, once for a burst of changes.

The event loop handles messages that already wait before callbacks that are scheduled after
them. So a burst of changes costs one check, and one notification with the last version.
Where there is much to list, other messages are handled between two time slices; a change begins the list again.
"""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.diagnostic_json import publish_message
from ptx_lsp.server.documents.round_robin import SLICE


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
        """List the findings of one document for a time slice, and publish them if that is enough."""
        if not self._queue:
            return
        document = self._queue.pop(next(iter(self._queue)))
        if document.is_ready and not document.list_findings(SLICE):
            self._queue[document.uri] = document
        if self._queue:
            self._call_soon(self._publish_next)
        if document.is_ready and document.uri not in self._queue:  # otherwise it is published when it is
            self._write(publish_message(document.uri, document.version, document.findings))
