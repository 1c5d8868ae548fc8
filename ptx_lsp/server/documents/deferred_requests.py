"""Requests that wait until their document is ready."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.documents.checked_document import CheckedDocument


class _Deferred(NamedTuple):
    document: CheckedDocument
    action: Callable[[], None]
    refuse: Callable[[], None] | None


class DeferredRequests:
    """The waiting requests by id."""

    def __init__(self) -> None:
        self._by_id: dict[str | int, _Deferred] = {}

    def add(
        self,
        request: str | int,
        document: CheckedDocument,
        action: Callable[[], None],
        refuse: Callable[[], None] | None = None,
    ) -> None:
        """Let a request wait for ``document``.

        Args:
            request: its id.
            document: the document that it is about.
            action: answers the request; called when the document is ready or closed.
            refuse: for a request about places: called instead if the text changes first.

        """
        self._by_id[request] = _Deferred(document, action, refuse)

    def cancel(self, request: str | int) -> bool:
        """Drop a request; False if it does not wait."""
        return self._by_id.pop(request, None) is not None

    def answer(self, document: CheckedDocument) -> None:
        """Answer all requests about ``document``."""
        for request in [request for request, one in self._by_id.items() if one.document is document]:
            self._by_id.pop(request).action()

    def move(self, document: CheckedDocument, successor: CheckedDocument) -> None:
        """Let the requests about ``document`` wait for the document that replaces it."""
        for request, one in self._by_id.items():
            if one.document is document:
                self._by_id[request] = one._replace(document=successor)

    def refuse(self, document: CheckedDocument) -> None:
        """Refuse the requests about places in ``document``, whose text is about to change."""
        for request, one in list(self._by_id.items()):
            if one.document is document and one.refuse is not None:
                del self._by_id[request]
                one.refuse()
