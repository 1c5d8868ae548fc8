"""The open documents of a client: read, checked, published, and kept in sync with the client's edits."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ptx_lsp.server.client.refresh import SETTINGS_OF_VIEWS, VIEWS, RefreshRequests
from ptx_lsp.server.documents.background_checker import BackgroundChecker
from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.deferred_requests import DeferredRequests
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.early_document import EarlyDocument
from ptx_lsp.server.documents.free_memory import FreeMemory
from ptx_lsp.server.documents.publisher import Publisher
from ptx_lsp.server.documents.reader import DocumentReader
from ptx_lsp.server.documents.reading_ahead import ReadingAhead
from ptx_lsp.server.transport.event_loop import call_later, call_soon
from ptx_lsp.settings import Settings

if TYPE_CHECKING:
    from ptx_lsp.server.client.client import Client
    from ptx_lsp.server.transport.activity import ClientActivity

log = logging.getLogger(__name__)


class OpenDocuments:
    """All open documents. An iteration has those of PTX only.

    Args:
        client: the client.
        activity: the times of its messages.
        settings_for: the settings of the document at a URI.
        write: sends a framed message.
        refresh: the requests by which the client updates what it shows.
        early: documents that were read before, by URI; each is used when it is opened.
        open_host: a document of a language with inline assembly: its URI, version, text, settings and language.

    """

    def __init__(
        self,
        client: Client,
        activity: ClientActivity,
        settings_for: Callable[[str], Settings],
        write: Callable[[bytes], None],
        refresh: RefreshRequests,
        early: dict[str, EarlyDocument],
        open_host: Callable[[str, int | None, str, Settings, str], CheckedDocument],
    ) -> None:
        self._client = client
        self._settings_for = settings_for
        self._refresh = refresh
        self._early = early
        self._open_host = open_host
        self._by_uri: dict[str, CheckedDocument] = {}
        self._deferred = DeferredRequests()
        self._publisher = Publisher(write, call_soon)
        self._memory = FreeMemory(call_soon, call_later, lambda: activity.last_message)
        self._reader = DocumentReader(call_soon, self._document_ready)
        self._checker = BackgroundChecker(
            call_soon, call_later, self._findings_changed, self._findings_complete, lambda: activity.last_message
        )
        self.ahead = ReadingAhead(self._checker.call_when_quiet, self._function_prepared)
        """Prepares the functions that the client shows."""

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter([document for document in self._by_uri.values() if isinstance(document, OpenDocument)])

    @property
    def is_reading(self) -> bool:
        """Whether a large document is being read."""
        return self._reader.is_busy

    def find(self, uri: str) -> OpenDocument | None:
        """The open document of PTX at ``uri``; None if there is none."""
        document = self.find_any(uri)
        return document if isinstance(document, OpenDocument) else None

    def find_any(self, uri: str) -> CheckedDocument | None:
        """The open document at ``uri``, independent of percent-encoding; None if it is not open."""
        return self._by_uri.get(unquote(uri))

    def open(self, uri: str, version: int | None, text: str, host: str | None = None) -> None:
        """Add a document; one that is open already is replaced.

        Args:
            uri: its URI.
            version: the client's version number of the text.
            text: the text.
            host: its language, if that is one with inline assembly.

        """
        settings = self._settings_for(uri)
        if host is not None:
            self._add(self._open_host(uri, version, text, settings, host))
            return
        early = self._early.pop(uri, None)
        if early is None or not early.is_for(version, text, settings):
            early = EarlyDocument(OpenDocument(uri, version, text, settings, self._client.encoding), text)
        document = early.document
        document.settings = settings
        self._add(document, is_published=early.is_published)

    def _add(self, document: CheckedDocument, *, is_published: bool = False) -> None:
        before = self.find_any(document.uri)
        self._by_uri[unquote(document.uri)] = document
        if before is not None:
            self._deferred.refuse(before)
            self._deferred.move(before, document)
            self._stop_work(before)
            self._memory.free(before.closing())
        if is_published:
            self._checker.add(document)
            self._deferred.answer(document)
        else:
            self._changed(document, is_whole=True)

    def change(self, uri: str, version: int | None, changes: Iterable[TextChange]) -> None:
        """Apply changes, each to the result of the one before; changes of a document that is not open are dropped."""
        document = self.find_any(uri)
        if document is None:
            log.warning("a change of %s was dropped: it is not open", uri)
            return
        self._deferred.refuse(document)
        is_whole = False
        for change in changes:
            document.change(change)
            is_whole = is_whole or change.start is None
        document.version = version
        self._changed(document, is_whole=is_whole)
        self._memory.give_back_soon()

    def close(self, uri: str) -> CheckedDocument | None:
        """Remove a document and return it; None if it is not open."""
        document = self._by_uri.pop(unquote(uri), None)
        if document is not None:
            self._stop_work(document)
            self._memory.free(document.closing())
            if self._client.pushes:
                self._publisher.closed(document.uri)
        return document

    def defer(
        self, request: str | int, uri: object, action: Callable[[], None], refuse: Callable[[], None] | None = None
    ) -> bool:
        """Let a request wait if the document at ``uri`` is not ready; False if there is nothing to wait for.

        ``action`` and ``refuse`` are those of :meth:`DeferredRequests.add`.
        """
        document = self.find_any(uri) if isinstance(uri, str) else None
        if document is None or document.is_ready:
            return False
        self._deferred.add(request, document, action, refuse)
        return True

    def cancel(self, request: str | int) -> bool:
        """Drop a request that waits; False if it does not wait."""
        return self._deferred.cancel(request)

    def recheck(self) -> set[str]:
        """Check the documents again whose settings changed; the views of the client that are out of date."""
        outdated: set[str] = set()
        for document in tuple(self._by_uri.values()):
            settings = self._settings_for(document.uri)
            former = document.settings
            if document.recheck(settings):
                self._changed(document, is_whole=True)
                outdated |= VIEWS
            outdated.update(name for name, of in SETTINGS_OF_VIEWS.items() if of(settings) != of(former))
        return outdated

    def _changed(self, document: CheckedDocument, *, is_whole: bool) -> None:
        self.ahead.drop(document)
        if not document.is_ready:
            self._reader.add(document, is_whole=is_whole)
            return
        if self._client.pushes:
            self._publisher.changed(document)
        self._checker.add(document)

    def _document_ready(self, document: CheckedDocument) -> None:
        """Publish the findings of a document that has been read, and answer the requests that wait for it."""
        self._changed(document, is_whole=False)
        self._deferred.answer(document)

    def _findings_changed(self, document: CheckedDocument) -> None:
        """Deliver the complete findings, which differ from those that the client has."""
        if self._client.pushes:
            self._publisher.changed(document)
        else:
            self._refresh.diagnostics()

    def _findings_complete(self, document: CheckedDocument) -> None:
        """Refresh the views that were incomplete without data flow."""
        views, document.incomplete_views = document.incomplete_views, set()
        self._refresh.views(views)
        self.ahead.resume(document)

    def _function_prepared(self, document: CheckedDocument) -> None:
        """Refresh the hints that were incomplete without the flow of a long function."""
        if "inlayHint" in document.incomplete_views:
            document.incomplete_views.discard("inlayHint")
            self._refresh.views({"inlayHint"})

    def _stop_work(self, document: CheckedDocument) -> None:
        """Stop background work on a document that is no longer open."""
        self._reader.drop(document)
        self._checker.drop(document)
        self.ahead.drop(document)
        self._deferred.answer(document)
